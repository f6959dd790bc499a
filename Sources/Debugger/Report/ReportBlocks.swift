import Platform
import SessionFile
import ValueTree

/// The lines of a session in blocks, of which a browser unpacks those that it shows.
///
/// The first block has the header and the other lines that are no steps, each behind the number of
/// the step before it. The steps follow; their blocks begin with a whole state where there is one.
/// Behind a step there may be a line with its changes.
struct ReportBlocks {
  static let size = 128 << 10

  private(set) var all: [[UInt8]] = [[]]
  /// The first step of each block of steps.
  private(set) var firsts: [Int] = []
  private(set) var last: Int

  private let changes: [Int: ReportChanges]

  init(_ session: [UInt8], from first: Int, _ changes: [Int: ReportChanges] = [:]) {
    self.changes = changes
    last = first
    session.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        add(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        start = end + 1
      }
    }
  }

  private mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
    let head = LineHead(line: line)
    var block = 0
    // A number far away is damage.
    if head.isStep, let step = head.number, step > last, step - last < 1_000_000 {
      let filled = firsts.isEmpty ? .max : all[all.count - 1].count
      if filled >= (head.isKeyframe ? Self.size : 8 * Self.size) {
        all.append([])
        firsts.append(step)
      }
      last = step
      block = all.count - 1
    } else {
      all[0] += "\(last) ".utf8
    }
    all[block] += line
    all[block].append(UInt8(ascii: "\n"))
    guard block > 0, let told = changes[last], let step = try? Value(parsing: line),
      let more = told.line(behind: step)
    else { return }
    all[block] += more.text().utf8
    all[block].append(UInt8(ascii: "\n"))
  }
}

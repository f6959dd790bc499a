import Platform
import SessionWords
import ValueTree

/// What is left of a session whose first line cannot be used: its steps, and of the header what can
/// still be told from other bytes.
package struct LostHeader {
  private(set) var header: SessionHeader
  /// Where the lines of the session begin.
  let end: Int
  let notices: [Notice]

  /// So far into a file a step is looked for: a header may hold a large state.
  private static let searched = 64 << 20

  /// Nil where no step follows: then the file is no session.
  init?(
    _ file: PartFile, from start: Int, size: Int, because error: SessionError
  ) throws(SessionError) {
    let bytes = try file.bytes(at: start, count: min(size - start, Self.searched))
    guard let (offset, number) = Self.firstStep(in: bytes) else { return nil }
    let line = bytes[..<offset].prefix { $0 != 10 }
    var saved = Self.members(of: line)
    var next = saved["session"] == nil ? Self.nextPart(of: file) : nil
    next?.part = 1
    next?.effects = []
    next?.firstTime = nil
    next?.state = nil
    var told = ValueObject(next?.object.members ?? [])
    if let first = saved["first"], first != .number(Number(number - 1)) { saved["state"] = nil }
    for (key, value) in saved { told[key] = value }
    // Each of them was read for itself.
    header =
      (try? SessionHeader(.object(told), version: next?.version ?? .current)) ?? SessionHeader()
    header.firstStep = number - 1
    end = offset == 0 ? start : start + line.count + 1
    notices = [
      Notice(
        .lostHeader(
          because: error.what, saved: SessionHeader.savedKeys.filter { saved[$0] != nil }),
        line: 1)
    ]
  }

  /// Whether the start of a file holds a step of a session.
  package static func holdsStep(_ start: [UInt8]) -> Bool { firstStep(in: start) != nil }

  /// The first line that tells a step, as a recorder writes it.
  private static func firstStep(in bytes: [UInt8]) -> (offset: Int, number: Int)? {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let step = bytes[start..<end].withUnsafeBufferPointer { line -> Int? in
        let head = LineHead(line: line)
        guard head.kind == .step || head.kind == .begin, let number = head.number, number > 0,
          let value = try? Value(line: line), value["cause"] != nil,
          (try? LogLine(value: value)) != nil
        else { return nil }
        return number
      }
      if let step { return (start, step) }
      start = end + 1
    }
    return nil
  }

  /// The members that can be read for themselves in a line that cannot be read as a whole.
  private static func members(of line: ArraySlice<UInt8>) -> [String: Value] {
    var found: [String: Value] = [:]
    line.withUnsafeBufferPointer { line in
      var rest = 0
      // In the order in which they are written, so that none is taken out of another.
      for key in SessionHeader.savedKeys {
        let text = Array("\"\(key)\":".utf8)
        let bytes = UnsafeRawBufferPointer(line)
        let places = ByteSearch.all(for: text).compactMap { $0.firstIndex(in: bytes, from: rest) }
        guard let start = places.min().map({ $0 + text.count }) else { continue }
        guard let range = ValueScanner(line).value(from: start),
          let value = try? Value(parsing: UnsafeBufferPointer(rebasing: line[range])),
          (try? SessionHeader(.object([key: value]), version: .current)) != nil
        else { continue }
        found[key] = value
        rest = range.upperBound
      }
    }
    return found
  }

  /// The part that follows, when it lies beside the file, tells most of what this one did.
  private static func nextPart(of file: PartFile) -> SessionHeader? {
    guard let next = try? PartFile(path: PartNames(path: file.path, ofPart: 1).path(ofPart: 2)),
      let line = try? HeaderLine(next, size: next.size), !line.isLost, line.header.part == 2
    else { return nil }
    return line.header
  }
}

extension SessionHeader {
  /// What is worth saving, in the order in which it is written.
  fileprivate static let savedKeys = [
    "session", "app", "can", "started", "tape", "redacted", "states", "snapshots", "first", "time",
    "effects", "state",
  ]
}

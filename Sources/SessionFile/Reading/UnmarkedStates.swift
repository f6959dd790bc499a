import Platform
import ValueTree

/// Finds whole states in lines that do not say so in their first bytes, while lines are indexed.
///
/// Recorders mark their keyframes, so lines are looked into only where none has come for long: going
/// to a step would have to read all of them. Where one was found more are likely to come.
struct UnmarkedStates: Sendable {
  private var bytesSince = 0
  private var distance = Self.long

  /// What a marked recording of large states may have between two keyframes.
  private static let long = 4 << 20
  private static let short = 1 << 17

  /// Whether the line of a step holds a state that counts as a keyframe. `whole` reads a line that the
  /// scanner has in pieces only.
  mutating func isKeyframe(
    _ line: LineScanner.Line, _ head: LineHead, whole: (LineScanner.Line) -> [UInt8]?
  ) -> Bool {
    bytesSince += line.length
    if head.isKeyframe {
      bytesSince = 0
      return true
    }
    guard bytesSince >= distance else { return false }
    let holdsState =
      if let bytes = line.whole {
        Self.holdsState(bytes)
      } else {
        whole(line)?.withUnsafeBufferPointer(Self.holdsState) ?? false
      }
    if holdsState { (bytesSince, distance) = (0, Self.short) }
    return holdsState
  }

  /// From here on every line is looked into until one holds a state: what was before is lost.
  mutating func loseTrack() { bytesSince = distance }

  private static let key = ByteSearch.all(for: Array("\"state\"".utf8))

  private static func holdsState(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard key.contains(where: { $0.firstIndex(in: UnsafeRawBufferPointer(line), from: 0) != nil }),
      let members = try? LineMembers(line)
    else { return false }
    return members.state != nil
  }
}

/// Where the state and the patch stand in the line of a step: the rest of it is not parsed.
struct LineMembers {
  private let bytes: UnsafeBufferPointer<UInt8>
  var scanner: ValueScanner { ValueScanner(bytes) }
  private(set) var patch: Range<Int>?
  private(set) var state: Range<Int>?

  /// The line may begin with zero bytes.
  init(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
    let start = line.firstIndex { $0 != 0 } ?? 0
    bytes = UnsafeBufferPointer(rebasing: line[start...])
    let scanner = ValueScanner(bytes)
    var patch: Range<Int>?
    var state: Range<Int>?
    let isWhole = scanner.members(from: 0) { key, value in
      if scanner.key(key, is: "patch") { patch = value }
      if scanner.key(key, is: "state") { state = value }
      return true
    }
    guard isWhole else { throw LineFault(reason: "it is not JSON") }
    self.patch = patch
    self.state = state
  }

  func value(of range: Range<Int>?) throws(LineFault) -> Value? {
    guard let range else { return nil }
    return try Value(line: UnsafeBufferPointer(rebasing: bytes[range]))
  }
}

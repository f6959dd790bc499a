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
    key.contains { $0.firstIndex(in: UnsafeRawBufferPointer(line), from: 0) != nil }
      && StepMembers(line)?.state != nil
  }
}

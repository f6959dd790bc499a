/// Finds whole states in lines whose first bytes do not mark them, while indexing.
///
/// Recorders mark their keyframes, so this looks into lines only if none has come for long, since
/// going to a step would read all of them. After a hit it expects more.
struct UnmarkedStates: Sendable {
  private var bytesSince = 0
  private var distance = Self.long

  /// The gap between keyframes that marked recordings of large states may have.
  private static let long = 4 << 20
  private static let short = 1 << 17

  /// Whether a step's line holds a state that counts as a keyframe.
  mutating func isKeyframe(
    _ line: LineScanner.Line, _ head: LineHead, in file: PartFile
  ) -> Bool {
    bytesSince += line.length
    if head.isKeyframe {
      bytesSince = 0
      return true
    }
    guard bytesSince >= distance else { return false }
    let holdsState = line.withAllBytes(in: file, Self.holdsState) ?? false
    if holdsState { (bytesSince, distance) = (0, Self.short) }
    return holdsState
  }

  /// Looks into every line from here until one holds a state: earlier ones are lost.
  mutating func loseTrack() { bytesSince = distance }

  private static let key = ByteSearch.all(for: Array("\"state\"".utf8))

  private static func holdsState(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    key.isFound(in: UnsafeRawBufferPointer(line))
      && StepMembers(line)?.state != nil
  }
}

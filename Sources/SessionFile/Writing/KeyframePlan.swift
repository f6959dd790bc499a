/// Decides which steps become keyframes.
struct KeyframePlan {
  let policy: KeyframePolicy
  /// The size of the last whole state in text: what the next one is guessed to have.
  private var stateSize: Int
  private var bytesSince = 0
  private var stepsSince = 0

  /// Below this distance a keyframe saves nothing.
  private static let shortest = 16

  init(policy: KeyframePolicy, headerSize: Int) {
    self.policy = policy
    stateSize = headerSize
  }

  /// Counts the line of a step, and says whether it may be time for its whole state.
  mutating func isDue(after lineSize: Int) -> Bool {
    bytesSince += lineSize
    stepsSince += 1
    return switch policy {
    case .automatic: stepsSince >= Self.shortest && bytesSince >= 3 * stateSize
    case .every(let interval): stepsSince >= interval
    case .never: false
    }
  }

  /// Says whether a whole state of this size fits in, and takes it as written if so.
  mutating func allows(stateSize size: Int) -> Bool {
    stateSize = size
    guard policy != .automatic || bytesSince >= 3 * size else { return false }
    bytesSince = 0
    stepsSince = 0
    return true
  }
}

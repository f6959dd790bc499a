/// How a session is written.
public struct WritingOptions: Sendable {
  /// Which steps hold their whole state besides the patch.
  public var keyframes: KeyframePolicy = .automatic
  /// A new part is begun when a file has reached this many bytes. As long as it
  /// cannot be made, the last one grows on.
  public var partSize: Int?
  /// What happens to a session that has the name already. Anything else that has it stays as it is,
  /// and opening fails.
  public var existing: Existing = .refuse
  /// Waits at each flush until the device holds the lines, so that they survive a power cut.
  public var isDurable = false

  /// What can become of a session that has the name already.
  public enum Existing: Sendable, Hashable {
    /// It stays, and opening fails.
    case refuse
    /// It is kept under a name with its start time, with its parts and its sidecar:
    /// `cart.2026-11-20T10-56-00.123Z.retcon`. So many of the newest stay, and those with marks or
    /// forks; older ones are removed. One that is being recorded stays where it is, and the new
    /// session gets such a name.
    case keep(Int)
  }

  /// One file, keyframes as needed; a session of that name is not touched.
  public init() {}
}

/// When a step gets its whole state besides its patch.
public enum KeyframePolicy: Sendable, Hashable {
  /// As soon as all keyframes together are at most a quarter of what was written.
  case automatic
  /// Every n-th step.
  case every(Int)
  /// Only the state in the header.
  case never
}

/// When lines leave the process. What the system has got survives a crash of the app.
public enum FlushPolicy: Sendable, Hashable {
  /// One `write` for each line.
  case eachStep
  /// Whenever the recorder has caught up with the app, some milliseconds later at most, and every 64
  /// KiB.
  case whenIdle
  /// At most this long after a line was made, and every 64 KiB.
  case interval(Duration)
  /// Every 64 KiB, and at the end.
  case never
}

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

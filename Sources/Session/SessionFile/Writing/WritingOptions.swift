/// The options for writing a session.
public struct WritingOptions: Sendable {
  /// The steps that get their whole state besides the patch.
  public var keyframes: KeyframePolicy = .automatic
  /// The size in bytes at which a new part begins. If that fails, the last one grows on.
  public var partSize: Int?
  /// The treatment of an existing session of that name. Any other existing file makes opening fail.
  public var existing: Existing = .refuse
  /// Whether each flush waits until the device has the lines, to survive a power cut.
  public var isDurable = false

  /// The treatment of an existing session.
  public enum Existing: Sendable, Hashable {
    /// Keep it, and fail.
    case refuse
    /// Rename it by its start time, with parts and sidecar: `cart.2026-11-20T10-56-00.123Z.retcon`.
    /// This many of the newest stay, and those with marks or forks; older ones are removed. A
    /// session being recorded stays in place, and the new one gets such a name.
    case keep(Int)
  }

  /// Creates the defaults: one file, automatic keyframes; an existing session is not touched.
  public init() {}
}

/// The rule for adding whole states.
public enum KeyframePolicy: Sendable, Hashable {
  /// Whenever all keyframes together are at most a quarter of the file.
  case automatic
  /// Every n-th step.
  case every(Int)
  /// Only in the header.
  case never
}

/// The time when lines leave the process. Lines handed to the system survive a crash of the app.
public enum FlushPolicy: Sendable, Hashable {
  /// One `write` for each line.
  case eachStep
  /// When the recorder has caught up with the app, within milliseconds, and every 64 KiB.
  case whenIdle
  /// At most this long after a line, and every 64 KiB.
  case interval(Duration)
  /// Every 64 KiB, and at the end.
  case never
}

struct KeyframePlan {
  let policy: KeyframePolicy
  private var stateSize: Int
  private var bytesSince = 0
  private var stepsSince = 0

  /// At shorter distances a keyframe saves nothing.
  private static let shortest = 16

  init(policy: KeyframePolicy, headerSize: Int) {
    self.policy = policy
    stateSize = headerSize
  }

  /// Counts a step's line, and returns whether a whole state may be due.
  mutating func isDue(after lineSize: Int) -> Bool {
    bytesSince += lineSize
    stepsSince += 1
    return switch policy {
    case .automatic: stepsSince >= Self.shortest && bytesSince >= 3 * stateSize
    case .every(let interval): stepsSince >= interval
    case .never: false
    }
  }

  mutating func allows(stateSize size: Int) -> Bool {
    stateSize = size
    guard policy != .automatic || bytesSince >= 3 * size else { return false }
    bytesSince = 0
    stepsSince = 0
    return true
  }
}

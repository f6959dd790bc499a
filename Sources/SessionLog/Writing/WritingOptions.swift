/// How a session is written.
public struct WritingOptions: Sendable {
  public var keyframes: KeyframePolicy = .automatic
  /// A new part is begun when a file has reached this many bytes. As long as it
  /// cannot be made, the last one grows on.
  public var partSize: Int?
  /// What happens to a file that has the name already.
  public var existing: Existing = .keep
  /// Waits at each flush until the device holds the lines, so that they survive a power cut.
  public var isDurable = false

  public enum Existing: Sendable {
    /// It stays, and opening fails.
    case keep
    /// It is removed, with the further parts of its recording. Who has it open keeps the old one.
    case replace
  }

  public init() {}
}

/// How a session is written.
public struct WritingOptions: Sendable {
  public var keyframes: KeyframePolicy = .automatic
  /// A new part is begun when a file has reached this many bytes. As long as it
  /// cannot be made, the last one grows on.
  public var partSize: Int?
  /// What happens to a session that has the name already. Anything else that has it stays as it is,
  /// and opening fails.
  public var existing: Existing = .refuse
  /// Waits at each flush until the device holds the lines, so that they survive a power cut.
  public var isDurable = false

  public enum Existing: Sendable, Hashable {
    /// It stays, and opening fails.
    case refuse
    /// It is kept under a name with its start time, with its parts and its sidecar:
    /// `cart.2026-11-20T10-56-00.123Z.retcon`. So many of the newest stay, and those with marks or
    /// forks; older ones are removed. One that is being recorded stays where it is, and the new
    /// session gets such a name.
    case keep(Int)
  }

  public init() {}
}

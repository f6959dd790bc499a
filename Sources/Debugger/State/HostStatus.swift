/// Whether forks can run.
public enum HostStatus: Sendable, Hashable {
  /// Nobody attached one.
  case none
  case ready(String)
  /// It ended, for this reason; a fork starts it again.
  case down(String, reason: String)
}

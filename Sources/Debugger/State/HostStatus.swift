/// Whether forks can run.
package enum HostStatus: Sendable, Hashable {
  /// Nobody attached one.
  case none
  /// It was not greeted yet, or has not got the session yet.
  case starting(String)
  case ready(String)
  /// It ended, for this reason; a fork starts it again.
  case down(String, reason: String)
}

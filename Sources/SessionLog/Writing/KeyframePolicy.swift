/// When a step gets its whole state besides its patch.
public enum KeyframePolicy: Sendable, Hashable {
  /// As soon as all keyframes together are at most a quarter of what was written.
  case automatic
  case every(Int)
  /// Only the state in the header.
  case never
}

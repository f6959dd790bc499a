/// What becomes of a recording while somebody looks at it.
enum RecordingLife: Sendable, Hashable {
  case resting
  case growing
  /// Its file was replaced or shortened: what is shown is what was read before.
  case ended
}

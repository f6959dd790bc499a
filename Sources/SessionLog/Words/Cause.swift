/// What sent an action.
public enum Cause: Sendable, Hashable {
  case user
  /// An emission of the effect with this number.
  case effect(Int)
  /// A synchronous `send` that the reducer returned at this step: reducer output, always computed anew.
  case output(of: Int)
}

// The shapes of ReSwift 6 and of SwiftRex 0.8, as far as their seams use them.

protocol Action {}
typealias DispatchFunction = (any Action) -> Void
typealias Middleware<State> = (@escaping DispatchFunction, @escaping () -> State?) -> (
  @escaping DispatchFunction
) -> DispatchFunction

struct Reducer<ActionType, StateType> {
  let reduce: (ActionType, inout StateType) -> Void

  static func reduce(_ reduce: @escaping (ActionType, inout StateType) -> Void) -> Self {
    Self(reduce: reduce)
  }
}

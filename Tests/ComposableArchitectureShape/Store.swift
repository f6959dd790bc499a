public protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action

  func _reduce(into state: inout State, action: Action) -> Effect<Action>
}

/// As the store there: what is sent while an action is reduced waits for its turn.
@MainActor public final class Store<State, Action> {
  private var state: State
  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues
  private var buffered: [Action] = []
  private var isSending = false

  public init(
    initialState: State, reducer: () -> some Reducer<State, Action>,
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) {
    state = initialState
    self.reducer = reducer()
    var dependencies = DependencyValues._current
    change(&dependencies)
    self.dependencies = dependencies
  }

  public func withState<Result>(_ read: (State) -> Result) -> Result { read(state) }

  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    buffered.append(action)
    guard !isSending else { return StoreTask(tasks: []) }
    isSending = true
    defer { isSending = false }
    var tasks: [Task<Void, Never>] = []
    while !buffered.isEmpty {
      let action = buffered.removeFirst()
      let effect = DependencyValues.$_current.withValue(dependencies) {
        reducer._reduce(into: &state, action: action)
      }
      for send in effect.sends { if let action = send() { buffered.append(action) } }
      for run in effect.runs {
        tasks.append(Task { await run(Send { self.send($0) }) })
      }
    }
    return StoreTask(tasks: tasks)
  }
}

public struct StoreTask: Sendable {
  let tasks: [Task<Void, Never>]

  public func finish() async { for task in tasks { await task.value } }
}

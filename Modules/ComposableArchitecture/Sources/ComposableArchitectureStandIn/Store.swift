public protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action

  func _reduce(into state: inout State, action: Action) -> Effect<Action>
}

/// `Core.swift`: what is sent while an action is reduced waits for its turn. A publisher is subscribed to
/// when its reducer has returned, and what it sends then is among that; a run is a task on the main actor.
@MainActor public final class Store<State, Action> {
  private var state: State
  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues
  private var buffered: [Action] = []
  private var isSending = false
  private var subscriptions: [Int: AnyCancellable] = [:]
  private var subscriptionCount = 0

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
    let tasks = StoreTasks()
    send(action, tasks)
    return StoreTask(tasks: tasks)
  }

  private func send(_ action: Action, _ tasks: StoreTasks) {
    buffered.append(action)
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while !buffered.isEmpty {
      let action = buffered.removeFirst()
      let effect = DependencyValues.$_current.withValue(dependencies) {
        reducer._reduce(into: &state, action: action)
      }
      switch effect.operation {
      case .none: break
      case .publisher(let publisher): subscribe(publisher, tasks)
      case .run(let body):
        tasks.all.append(
          Task { @MainActor in await body(Send { self.send($0, tasks) }) })
      }
    }
  }

  private func subscribe(_ publisher: AnyPublisher<Action, Never>, _ tasks: StoreTasks) {
    subscriptionCount += 1
    let number = subscriptionCount
    let (stream, ends) = AsyncStream<Never>.makeStream()
    let subscription = publisher.sink { _ in
      ends.finish()
      MainActor.assumeIsolated { self.subscriptions[number] = nil }
    } receiveValue: { action in
      nonisolated(unsafe) let action = action
      MainActor.assumeIsolated { self.send(action, tasks) }
    }
    subscriptions[number] = subscription
    tasks.all.append(Task { for await _ in stream {} })
  }
}

@MainActor final class StoreTasks {
  var all: [Task<Void, Never>] = []
}

public struct StoreTask: Sendable {
  let tasks: StoreTasks

  @MainActor public func finish() async {
    var index = 0
    while index < tasks.all.count {
      await tasks.all[index].value
      index += 1
    }
  }
}

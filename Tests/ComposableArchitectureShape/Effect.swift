// The shape of the Composable Architecture 1.25, as far as the adapter uses it: its signatures, and as
// little behind them as it takes to run a store.

/// What a reducer asks for besides changing the state.
///
/// `@unchecked Sendable`: as there, an effect is handed from a reducer to its store.
public struct Effect<Action>: @unchecked Sendable {
  typealias Body = @Sendable (Send<Action>) async -> Void

  var sends: [@Sendable () -> Action?] = []
  var runs: [Body] = []

  public static var none: Self { Self() }

  public static func run(
    priority: TaskPriority? = nil, name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let dependencies = DependencyValues._current
    return Self(runs: [
      { send in
        await DependencyValues.$_current.withValue(dependencies) {
          do { try await operation(send) } catch { await handler?(error, send) }
        }
      }
    ])
  }

  public static func send(_ action: Action) -> Self {
    nonisolated(unsafe) let action = action
    return Self(sends: [{ action }])
  }

  public static func merge(_ effects: Self...) -> Self {
    Self(sends: effects.flatMap(\.sends), runs: effects.flatMap(\.runs))
  }

  public func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    Effect<Other>(
      sends: sends.map { send in { send().map(transform) } },
      runs: runs.map { run in
        { send in await run(Send { send(transform($0)) }) }
      })
  }

  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    Self(
      sends: sends,
      runs: runs.map { run in
        { send in
          let task = await MainActor.run {
            if cancelInFlight { CancelIDs.cancel(id) }
            let task = Task { await run(send) }
            CancelIDs.tasks[AnyHashable(id), default: []].append(task)
            return task
          }
          await task.value
        }
      })
  }

  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(sends: [
      {
        MainActor.assumeIsolated { CancelIDs.cancel(id) }
        return nil
      }
    ])
  }
}

/// Of the effects that run now.
@MainActor public enum CancelIDs {
  public internal(set) static var tasks: [AnyHashable: [Task<Void, Never>]] = [:]

  static func cancel(_ id: some Hashable) {
    for task in tasks.removeValue(forKey: AnyHashable(id)) ?? [] { task.cancel() }
  }
}

@MainActor public struct Send<Action>: Sendable {
  let send: @MainActor @Sendable (Action) -> Void

  public init(send: @escaping @MainActor @Sendable (Action) -> Void) { self.send = send }

  public func callAsFunction(_ action: Action) {
    guard !Task.isCancelled else { return }
    send(action)
  }
}

public struct _EffectPublisher<Action> {
  let effect: Effect<Action>

  public init(_ effect: Effect<Action>) { self.effect = effect }

  public func sink(receiveValue: (Action) -> Void) -> AnyCancellable {
    for send in effect.sends { if let action = send() { receiveValue(action) } }
    return AnyCancellable()
  }
}

public struct AnyCancellable {
  public func cancel() {}
}

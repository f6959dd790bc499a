import Platform

#if canImport(Testing)
  import Testing
#endif

// The shape of the Composable Architecture 1.25, as far as the adapter uses it: its signatures, and what
// they do as its sources say. Each part names the file whose behaviour it has.

/// `Effect.swift`: an effect is one operation. Merging, concatenating or mapping gives one again.
///
/// `@unchecked Sendable`: as there, an effect is handed from a reducer to its store.
public struct Effect<Action>: @unchecked Sendable {
  typealias Body = @Sendable (Send<Action>) async -> Void
  typealias Published = AnyPublisher<Action, Never>

  enum Operation {
    case none
    case publisher(Published)
    case run(Body)
  }

  let operation: Operation

  public static var none: Self { Self(operation: .none) }

  /// The body runs with the dependencies of the reducer. An error without a handler ends it.
  public static func run(
    priority: TaskPriority? = nil, name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    Self(
      operation: .run(
        inDependencies { send in
          do { try await operation(send) } catch {
            guard !(error is CancellationError), !Task.isCancelled else { return }
            await handler?(error, send)
          }
        }))
  }

  /// A publisher of one value that is there at once.
  public static func send(_ action: Action) -> Self {
    Self(operation: .publisher(Just(action).eraseToAnyPublisher()))
  }

  /// `Effects/Publisher.swift`: the publisher is made at once, in the reducer.
  public static func publisher(_ createPublisher: () -> some Publisher<Action, Never>) -> Self {
    Self(operation: .publisher(createPublisher().eraseToAnyPublisher()))
  }

  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  public static func merge(_ effects: some Sequence<Self>) -> Self {
    effects.reduce(.none) { $0.merge(with: $1) }
  }

  public func merge(with other: Self) -> Self {
    joined(with: other, merged) { send, first, second in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await first(send) }
        group.addTask { await second(send) }
      }
    }
  }

  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  public static func concatenate(_ effects: some Collection<Self>) -> Self {
    effects.reduce(.none) { $0.concatenate(with: $1) }
  }

  public func concatenate(with other: Self) -> Self {
    joined(with: other, concatenated) { send, first, second in
      await first(send)
      await second(send)
    }
  }

  /// Two runs are one run; where one of them is a publisher, both are.
  private func joined(
    with other: Self,
    _ publishers: (_EffectPublisher<Action>, _EffectPublisher<Action>) -> Published,
    _ runs:
      @escaping @Sendable (Send<Action>, _ first: @escaping Body, _ second: @escaping Body) async ->
      Void
  ) -> Self {
    switch (operation, other.operation) {
    case (_, .none): self
    case (.none, _): other
    case (.run(let first), .run(let second)):
      Self(operation: .run { send in await runs(send, first, second) })
    default:
      Self(operation: .publisher(publishers(_EffectPublisher(self), _EffectPublisher(other))))
    }
  }

  public func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    switch operation {
    case .none: .none
    case .publisher(let publisher):
      Effect<Other>(operation: .publisher(publisher.map(transform)))
    case .run(let body):
      Effect<Other>(
        operation: .run(
          Effect<Other>.inDependencies { send in await body(Send { send(transform($0)) }) }))
    }
  }

  /// Does the same as `withEscapedDependencies` for the body of an effect.
  static func inDependencies(_ body: @escaping Body) -> Body {
    let dependencies = DependencyValues._current
    return { send in
      await DependencyValues.$_current.withValue(dependencies) { await body(send) }
    }
  }
}

/// `Effects/Cancellation.swift`.
extension Effect {
  /// A publisher ends when its id is cancelled; the task of a run is cancelled, and waited for.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    switch operation {
    case .none: .none
    case .publisher(let publisher):
      Self(
        operation: .publisher(
          Deferred {
            if cancelInFlight { CancelIDs.cancel(id) }
            let end = PassthroughSubject<Void, Never>()
            let remove = CancelIDs.add(id) { end.send(()) }
            return publisher.prefix(untilOutputFrom: end)
              .handleEvents(receiveCompletion: { _ in remove() }, receiveCancel: remove)
          }
          .eraseToAnyPublisher()))
    case .run(let body):
      Self(
        operation: .run { send in
          if cancelInFlight { CancelIDs.cancel(id) }
          let task = Task { await body(send) }
          let remove = CancelIDs.add(id) { task.cancel() }
          defer { remove() }
          await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
        })
    }
  }

  /// Cancels when it is made, and is an empty publisher then.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    .publisher {
      CancelIDs.cancel(id)
      return Empty<Action, Never>()
    }
  }

  /// `PresentationReducer.swift`: what `ifLet` adds when a child appears, and `dismiss` ends.
  public static func untilDismissed(_ id: some Hashable & Sendable, _ dismissal: Action) -> Self {
    .concatenate(
      .publisher { Empty(completeImmediately: false) }.cancellable(id: id),
      .publisher { Just(dismissal) })
  }
}

/// Of the effects that run now. Behind a lock, as there: a session is run again on any thread.
public enum CancelIDs {
  typealias Cancel = @Sendable () -> Void

  /// As there, a test has its own.
  /// `@unchecked Sendable`: made of a sendable id.
  private struct ID: Hashable, @unchecked Sendable {
    let id: AnyHashable
    #if canImport(Testing)
      let test = Test.current?.id
    #endif

    init(_ id: some Hashable) { self.id = AnyHashable(id) }
  }

  private struct Known: @unchecked Sendable {
    var cancels: [ID: [Int: Cancel]] = [:]
    var count = 0
  }

  private static let known = Locked(Known())

  public static func contains(_ id: some Hashable & Sendable) -> Bool {
    let id = ID(id)
    return known.withLock { $0.cancels[id]?.isEmpty == false }
  }

  /// Gives what to call when it is over by itself.
  static func add(_ id: some Hashable & Sendable, _ cancel: @escaping Cancel) -> Cancel {
    let id = ID(id)
    let number = known.withLock { known in
      known.count += 1
      known.cancels[id, default: [:]][known.count] = cancel
      return known.count
    }
    return { known.withLock { _ = $0.cancels[id]?.removeValue(forKey: number) } }
  }

  public static func cancel(_ id: some Hashable & Sendable) {
    let id = ID(id)
    let cancels = known.withLock { $0.cancels.removeValue(forKey: id) } ?? [:]
    for (_, cancel) in cancels.sorted(by: { $0.key < $1.key }) { cancel() }
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

/// `Effects/Publisher.swift`: a run is a publisher that starts a task on the main actor.
public struct _EffectPublisher<Action>: Publisher {
  public typealias Output = Action
  public typealias Failure = Never
  let effect: Effect<Action>

  public init(_ effect: Effect<Action>) { self.effect = effect }

  public func subscribe(_ subscriber: Subscriber<Action>) -> AnyCancellable {
    switch effect.operation {
    case .none:
      subscriber.complete()
      return AnyCancellable {}
    case .publisher(let publisher): return publisher.subscribe(subscriber)
    case .run(let body):
      nonisolated(unsafe) let subscriber = subscriber
      let task = Task { @MainActor in
        await body(Send { subscriber.receive($0) })
        subscriber.complete()
      }
      return AnyCancellable { task.cancel() }
    }
  }
}

/// As the library has it, for apps that have not moved on to `Result`.
public enum TaskResult<Success: Sendable>: Sendable {
  case success(Success)
  case failure(any Error)
}

/// What is to be done besides changing the state: a value, which the store acts on when the reducer
/// has returned.
///
/// ```swift
/// return .run(name: "fact") { [count = state.count] send in
///   await send(.factResponse(try await factClient.fact(count)))
/// } catch: { error, send in
///   await send(.factFailed("\(error)"))
/// }
/// .cancellable(id: CancelID.fact, cancelInFlight: true)
/// ```
public struct Effect<Action: Sendable>: Sendable {
  package var operation: EffectOperation<Action>

  package init(operation: EffectOperation<Action>) { self.operation = operation }
}

/// The tree that an effect is. The ``EffectLedger`` alone gives it its meaning.
package indirect enum EffectOperation<Action: Sendable>: Sendable {
  case none
  case send(Action)
  case run(EffectRun<Action>)
  case merge([EffectOperation])
  case concatenate([EffectOperation])
  case cancellable(EffectOperation, id: AnyID, cancelInFlight: Bool)
  case cancel(id: AnyID)
  /// Inside a child: ids in here belong to this child alone, and to those above it.
  case inChild(EffectPathElement, EffectOperation)
  /// Cancels everything that was started inside a child.
  case cancelChild(EffectPathElement)
  case throttle(EffectOperation, id: AnyID, window: EffectRun<Action>, latest: Bool)
}

extension Effect {
  /// Nothing.
  public static var none: Effect { Effect(operation: .none) }

  /// Sends an action at once: it is reduced in the same turn, after those that wait already.
  public static func send(_ action: Action) -> Effect { Effect(operation: .send(action)) }

  /// Runs asynchronous work, which can send actions as long as it lasts.
  ///
  /// The body runs with the dependencies that were in force where the effect was made. A body that
  /// throws without a `handler` reports an issue here; a `CancellationError` is silent.
  public static func run(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ body: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(
      operation: .run(
        EffectRun(
          site: EffectSite(name: name, place: place, kind: .work), priority: priority,
          dependencies: .ofEffects, body: body, handler: handler)))
  }
}

extension Effect {
  /// Lets the effect be cancelled by its id.
  ///
  /// The id belongs to the place in the tree of features that made the effect: an element of a
  /// collection or a stack and a presented child have one of their own, children that stand under
  /// `Scope` share that of their parent. It counts from the moment its reducer
  /// returns: an action that is reduced later in the same turn can already cancel it.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    Effect(operation: .cancellable(operation, id: AnyID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels the effects with this id, here and in the children of this feature.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(operation: .cancel(id: AnyID(id)))
  }
}

extension Effect {
  /// Waits before it starts the effect, and starts to wait anew each time it is asked again.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let pause = EffectRun<Action>.pause("debounce", .pause(duration), for: duration, at: place)
    return Effect(
      operation: .cancellable(
        .concatenate([.run(pause), operation]), id: AnyID(id), cancelInFlight: true))
  }

  /// Starts the effect at most once in every `duration`: the first at once, and after that, when
  /// the time is over, the latest (or else the first) of those that were held back.
  public func throttle(
    id: some Hashable & Sendable, for duration: Duration, latest: Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let window = EffectRun<Action>.pause("throttle", .window(duration), for: duration, at: place)
    return Effect(operation: .throttle(operation, id: AnyID(id), window: window, latest: latest))
  }
}

/// The work that a reducer asks for besides changing the state: a value, which the store executes
/// after the reducer returns.
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

/// The tree behind an effect; ``EffectLedger`` interprets it.
package indirect enum EffectOperation<Action: Sendable>: Sendable {
  case none
  case send(Action)
  case run(EffectRun<Action>)
  case merge([EffectOperation])
  case concatenate([EffectOperation])
  case cancellable(EffectOperation, id: AnyID, cancelInFlight: Bool)
  case cancel(id: AnyID)
  /// Inside a child: ids belong to this child and those above it.
  case inChild(EffectPathElement, EffectOperation)
  case cancelChild(EffectPathElement)
  case throttle(EffectOperation, id: AnyID, window: EffectRun<Action>, latest: Bool)
}

extension Effect {
  /// No work.
  public static var none: Effect { Effect(operation: .none) }

  /// Sends an action in the same turn, after those already waiting.
  public static func send(_ action: Action) -> Effect { Effect(operation: .send(action)) }

  /// Runs asynchronous work, which can send actions while it lasts.
  ///
  /// The body runs with the dependencies from where the effect was created. An error without a
  /// `handler` is an issue; a `CancellationError` is silent.
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
  /// Makes the effect cancellable by an id.
  ///
  /// The id belongs to the feature that created the effect. Each element of a collection or a stack
  /// and each presented child has its own ids; children under `Scope` share their parent's. The id
  /// works once its reducer returns: a later action of the same turn can cancel it.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    Effect(operation: .cancellable(operation, id: AnyID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels the effects with this id, here and in this feature's children.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(operation: .cancel(id: AnyID(id)))
  }
}

extension Effect {
  /// Waits before it starts the effect; each new request restarts the wait.
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

  /// Starts the effect at most once in every `duration`: the first at once, then the latest (or
  /// else the first) of those held back.
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

extension Effect {
  /// Runs all of these, started in this order.
  public static func merge(_ effects: Effect...) -> Effect { .merge(effects) }

  /// Runs all of these, started in this order.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    Effect(operation: .joined(effects.map { $0.operation }))
  }

  /// Runs this and the other, started in this order.
  public func merge(with other: Effect) -> Effect {
    Effect(operation: operation.joined(with: other.operation))
  }

  /// Runs these one after another.
  public static func concatenate(_ effects: Effect...) -> Effect { .concatenate(effects) }

  /// Runs these one after another.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    Effect(operation: .chained(effects.map { $0.operation }))
  }

  /// Runs this, then the other.
  public func concatenate(with other: Effect) -> Effect {
    Effect(operation: .chained([operation, other.operation]))
  }

  func ending(_ gone: some Sequence<EffectPathElement>) -> Effect {
    Effect(operation: .joined([operation] + gone.map { .cancelChild($0) }))
  }

  /// This effect with its actions converted.
  public func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    Effect<Other>(operation: operation.map(transform))
  }
}

/// Both operators keep the lists flat, so that an effect built in a loop is not deep.
extension EffectOperation {
  static func joined(_ operations: some Sequence<EffectOperation>) -> EffectOperation {
    flat(operations, EffectOperation.merge) {
      if case .merge(let inner) = $0 { inner } else { nil }
    }
  }

  static func chained(_ operations: some Sequence<EffectOperation>) -> EffectOperation {
    flat(operations, EffectOperation.concatenate) {
      if case .concatenate(let inner) = $0 { inner } else { nil }
    }
  }

  private static func flat(
    _ operations: some Sequence<EffectOperation>, _ list: ([EffectOperation]) -> EffectOperation,
    partsOf: (EffectOperation) -> [EffectOperation]?
  ) -> EffectOperation {
    var parts: [EffectOperation] = []
    for operation in operations {
      if case .none = operation { continue }
      if let inner = partsOf(operation) { parts += inner } else { parts.append(operation) }
    }
    return parts.count < 2 ? parts.first ?? .none : list(parts)
  }

  func joined(with other: EffectOperation) -> EffectOperation {
    switch (self, other) {
    case (.none, _): other
    case (_, .none): self
    default: .joined([self, other])
    }
  }

  func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    mapRuns({ $0.map(transform) }, send: transform)
  }

  func map<Other>(
    _ transform: @escaping @Sendable (Action) -> Other, seenThrough part: StatePart
  ) -> EffectOperation<Other> {
    mapRuns({ $0.map(transform) }, send: transform) { $0.seen(through: part) }
  }

  /// `child` changes only the outermost children.
  package func mapRuns<Other>(
    _ run: (EffectRun<Action>) -> EffectRun<Other>, send: (Action) -> Other,
    child: (EffectPathElement) -> EffectPathElement = { $0 }
  ) -> EffectOperation<Other> {
    func map(_ operation: EffectOperation) -> EffectOperation<Other> {
      operation.mapRuns(run, send: send, child: child)
    }
    return switch self {
    case .none: .none
    case .send(let action): .send(send(action))
    case .run(let work): .run(run(work))
    case .merge(let parts): .merge(parts.map(map))
    case .concatenate(let parts): .concatenate(parts.map(map))
    case .cancellable(let inner, let id, let cancelInFlight):
      .cancellable(map(inner), id: id, cancelInFlight: cancelInFlight)
    case .cancel(let id): .cancel(id: id)
    case .inChild(let element, let inner):
      .inChild(child(element), inner.mapRuns(run, send: send))
    case .cancelChild(let element): .cancelChild(child(element))
    case .throttle(let inner, let id, let window, let latest):
      .throttle(map(inner), id: id, window: run(window), latest: latest)
    }
  }

  var runCount: Int {
    switch self {
    case .none, .send, .cancel, .cancelChild: 0
    case .run: 1
    case .merge(let parts), .concatenate(let parts): parts.reduce(0) { $0 + $1.runCount }
    case .cancellable(let inner, _, _), .inChild(_, let inner): inner.runCount
    case .throttle(let inner, _, _, _): inner.runCount + 1
    }
  }
}

import Platform

/// Asynchronous work that an effect asks for.
package struct EffectRun<Action: Sendable>: Sendable {
  package var site: EffectSite
  package var priority: TaskPriority?
  /// What was in force where the effect was made.
  package var dependencies: DependencyValues
  package var body: @Sendable (Send<Action>) async throws -> Void
  package var handler: (@Sendable (any Error, Send<Action>) async -> Void)?

  func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectRun<Other> {
    var mappedHandler: (@Sendable (any Error, Send<Other>) async -> Void)?
    if let handler {
      mappedHandler = { error, send in await handler(error, send.pullback(transform)) }
    }
    return EffectRun<Other>(
      site: site, priority: priority, dependencies: dependencies,
      body: { [body] send in try await body(send.pullback(transform)) }, handler: mappedHandler)
  }

  /// Whether both are the same code with the same captured values and dependencies, so that one asks what
  /// the other asks. False where that cannot be told; of what another architecture runs nothing can.
  package func isSame(as other: EffectRun) -> Bool {
    site.texts == nil && MemoryComparison.areSame(self, other)
  }

  /// Sleeps on the clock that is in force here.
  static func pause(
    _ name: String, _ kind: StoreEffect.Kind, for duration: Duration, at place: SourcePlace
  ) -> EffectRun {
    let dependencies = DependencyValues.ofEffects
    let clock = dependencies.continuousClock
    let site = EffectSite(name: name, place: place, kind: kind)
    return EffectRun(site: site, priority: nil, dependencies: dependencies) { _ in
      try await clock.sleep(for: duration)
    }
  }
}

/// Where an effect is written, and what it is for.
public struct EffectSite: Sendable {
  package var name: String?
  package var place: SourcePlace
  package var kind: StoreEffect.Kind
  /// What stands for the place where it is known as texts alone.
  var texts: Texts?

  struct Texts: Sendable {
    var fileID: String
    var line: Int
    var path: [String]
    var cancelIDs: [String]
  }

}

extension EffectSite {
  /// The place of an effect that another architecture runs: where it is written, and the children of the
  /// feature that it runs in. The text of its cancel id cancels nothing here; it tells the effect from
  /// others.
  public init(
    name: String? = nil, fileID: String, line: Int, path: [String] = [], cancelID: String? = nil
  ) {
    self.init(name: name, place: SourcePlace(), kind: .work)
    texts = Texts(
      fileID: fileID, line: line, path: path, cancelIDs: cancelID.map { [$0] } ?? [])
  }
}

extension Effect {
  /// An effect that another architecture runs: known by where it is written.
  public static func run(
    site: EffectSite,
    _ body: @escaping @Sendable (_ send: Send<Action>) async throws -> Void = { _ in }
  ) -> Effect {
    Effect(operation: .run(EffectRun(site: site, dependencies: .ofEffects, body: body)))
  }
}

/// Sends actions from inside an effect.
///
/// `await send(action)` returns when the action, and the actions that it sent at once, are reduced.
/// An effect that was cancelled sends nothing more.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Action) -> Void

  package init(_ deliver: @escaping @Sendable (Action) -> Void) { self.deliver = deliver }

  /// Returns when the action is reduced; in a cancelled task nothing is sent.
  public func callAsFunction(_ action: Action) async {
    guard !Task.isCancelled else { return }
    deliver(action)
  }

  func pullback<Other>(_ transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    Send<Other> { [deliver] action in deliver(transform(action)) }
  }
}

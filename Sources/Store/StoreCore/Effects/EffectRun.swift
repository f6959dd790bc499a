import Platform

package struct EffectRun<Action: Sendable>: Sendable {
  package var site: EffectSite
  package var priority: TaskPriority?
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

  /// Whether both have the same code, captured values and dependencies, so that they ask the same.
  /// False if unknown, as for another architecture's effects that do not tell their inputs.
  package func isSame(as other: EffectRun) -> Bool {
    guard let texts = site.texts else { return MemoryComparison.areSame(self, other) }
    return texts.inputs != nil && texts.inputs == other.site.inputs
      && site.name == other.site.name && texts.fileID == other.site.texts?.fileID
  }

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

/// The source place and the purpose of an effect.
public struct EffectSite: Sendable {
  package var name: String?
  package var place: SourcePlace
  package var kind: StoreEffect.Kind
  var texts: Texts?

  struct Texts: Sendable {
    var fileID: String
    var line: Int
    var path: [String]
    var cancelIDs: [String]
    var inputs: AnyID?
  }

  /// All that the body of another architecture's effect knows; nil if unknown.
  package var inputs: AnyID? {
    get { texts?.inputs }
    set { texts?.inputs = newValue }
  }
}

extension EffectSite {
  /// Creates the site of another architecture's effect: its source place, and the children of the
  /// feature that it runs in. Its cancel id cancels nothing here; it distinguishes effects.
  public init(
    name: String? = nil, fileID: String, line: Int, path: [String] = [], cancelID: String? = nil
  ) {
    self.init(name: name, place: SourcePlace(), kind: .work)
    texts = Texts(
      fileID: fileID, line: line, path: path, cancelIDs: cancelID.map { [$0] } ?? [])
  }
}

extension Effect {
  /// Runs another architecture's effect, identified by its source place.
  public static func run(
    site: EffectSite,
    _ body: @escaping @Sendable (_ send: Send<Action>) async throws -> Void = { _ in }
  ) -> Effect {
    Effect(operation: .run(EffectRun(site: site, dependencies: .ofEffects, body: body)))
  }
}

/// Sends actions from inside an effect.
///
/// `await send(action)` returns when the action, and those it sent at once, are reduced. A
/// cancelled effect sends nothing.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Action) -> Void

  package init(_ deliver: @escaping @Sendable (Action) -> Void) { self.deliver = deliver }

  /// Sends an action and returns when it is reduced; a cancelled task sends nothing.
  public func callAsFunction(_ action: Action) async {
    guard !Task.isCancelled else { return }
    deliver(action)
  }

  func pullback<Other>(_ transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    Send<Other> { [deliver] action in deliver(transform(action)) }
  }
}

@_exported import Observation
@_exported import StoreCore

/// An observable store: a view is redrawn only if a part that it reads changes.
///
/// ```swift
/// struct CartView: View {
///   @Bindable var store: ObservedStore<Cart.State, Cart.Action>
///
///   var body: some View {
///     TextField("Name", text: $store.name.sending(\.nameChanged))
///     ForEach(store.scope(\.rows, \.rows)) { row in RowView(store: row) }
///     Button("Pay") { store.send(.payTapped) }
///   }
/// }
/// ```
///
/// The store compares parts by `==`. A part that is not `Equatable` counts as changed unless all
/// its bits are equal.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable, Action: Sendable>: Observable, Identifiable {
  private enum Part: Hashable {
    case value(AnyKeyPath)
    /// Whether a child exists.
    case presence(AnyKeyPath)
    /// The ids of children.
    case ids(AnyKeyPath)
  }

  private struct ChildKey: Hashable {
    var state: AnyKeyPath
    var action: AnyKeyPath
    var id: AnyHashable?
  }

  private struct Child {
    weak var store: AnyObject?
    /// Passes a new state on; returns whether the child still exists.
    var update: (State) -> Bool
  }

  private let registrar = ObservationRegistrar()
  private let reduce: (Action, SourcePlace) -> StoreTask
  private var current: State
  private var changes: [Part: (State, State) -> Bool] = [:]
  private var children: [ChildKey: Child] = [:]
  private var subscription: Subscription?

  private init(_ state: State, reduce: @escaping (Action, SourcePlace) -> StoreTask) {
    current = state
    self.reduce = reduce
  }

  /// Observes a store. Actions of other threads reach the views a moment later.
  public convenience init(_ store: Store<State, Action>) {
    self.init(store.state) { store.send($0, at: $1) }
    subscription = store.observe { [weak self, weak store] _ in
      Task { @MainActor in
        guard let self, let store else { return }
        self.update(to: store.state)
      }
    }
    refresh = { [weak self] in self?.update(to: store.state) }
  }

  private var refresh: () -> Void = {}

  /// The part of the state with this name.
  public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { self[path] }

  /// A nested part. `store.settings.name` depends on all settings, `store[\.settings.name]` only on
  /// the name.
  public subscript<Value>(path: KeyPath<State, Value>) -> Value {
    depend(on: .value(path)) { $0[keyPath: path] }
    return current[keyPath: path]
  }

  /// Reduces an action; on return, views know the changes.
  @discardableResult
  public func send(
    _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StoreTask {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    defer { refresh() }
    return reduce(action, place)
  }

  private func depend<Value>(on part: Part, _ value: @escaping (State) -> Value) {
    registrar.access(self, keyPath: \.[part])
    guard changes[part] == nil else { return }
    changes[part] = { !Self.areSame(value($0), value($1)) }
  }

  private static func areSame<Value>(_ one: Value, _ other: Value) -> Bool {
    Sameness.haveSameBits(any: one, other) || LeafEquality.areEqualByType(one, other) == true
  }

  nonisolated private subscript(part: Part) -> Void { () }

  private func update(to state: State) {
    let changed = changes.filter { $0.value(current, state) }.map(\.key)
    for part in changed { registrar.willSet(self, keyPath: \.[part]) }
    current = state
    for part in changed { registrar.didSet(self, keyPath: \.[part]) }
    children = children.filter { $0.value.store != nil && $0.value.update(state) }
  }
}

extension ObservedStore where Action: CasePathable {
  /// A permanent child: `store.scope(\.settings, \.settings)`.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>, _ action: CaseKeyPath<Action, ChildAction>
  ) -> ObservedStore<ChildState, ChildAction> {
    child(ChildKey(state: state, action: action), current[keyPath: state]) {
      $0[keyPath: state]
    } embed: {
      Action.allCasePaths[keyPath: action].embed($0)
    }
  }

  /// A presented child, or nil. The view depends on its presence.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    _ action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ObservedStore<ChildState, ChildAction>? {
    depend(on: .presence(state)) { $0[keyPath: state] != nil }
    return current[keyPath: state].map { now in
      child(ChildKey(state: state, action: action), now) {
        $0[keyPath: state]
      } embed: {
        Action.allCasePaths[keyPath: action].embed(.presented($0))
      }
    }
  }

  /// The children of a collection, for `ForEach`. The view depends on their ids and order.
  public func scope<ChildState: Identifiable, ChildAction>(
    _ state: KeyPath<State, IdentifiedArray<ChildState>>,
    _ action: CaseKeyPath<Action, IdentifiedAction<ChildState.ID, ChildAction>>
  ) -> [ObservedStore<ChildState, ChildAction>] {
    depend(on: .ids(state)) { $0[keyPath: state].ids }
    return current[keyPath: state].map { now in
      child(ChildKey(state: state, action: action, id: now.id), now) {
        $0[keyPath: state][id: now.id]
      } embed: {
        Action.allCasePaths[keyPath: action].embed(.element(id: now.id, action: $0))
      }
    }
  }

  private func child<ChildState, ChildAction>(
    _ key: ChildKey, _ now: ChildState, part: @escaping (State) -> ChildState?,
    embed: @escaping (ChildAction) -> Action
  ) -> ObservedStore<ChildState, ChildAction> {
    if let known = children[key]?.store as? ObservedStore<ChildState, ChildAction> { return known }
    let child = ObservedStore<ChildState, ChildAction>(now) { action, place in
      self.send(
        embed(action), fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    }
    children[key] = Child(store: child) { [weak child] state in
      guard let child, let now = part(state) else { return false }
      child.update(to: now)
      return true
    }
    return child
  }

  /// A binding's value: setting it sends the action.
  public subscript<Value>(
    binding path: KeyPath<State, Value>, action action: CaseKeyPath<Action, Value>
  ) -> Value {
    get { self[path] }
    set { send(Action.allCasePaths[keyPath: action].embed(newValue)) }
  }

  /// A sheet's item: setting nil dismisses the child.
  public subscript<ChildState, ChildAction>(
    presenting state: KeyPath<State, ChildState?>,
    action action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ObservedStore<ChildState, ChildAction>? {
    get { scope(state, action) }
    set {
      guard newValue == nil, current[keyPath: state] != nil else { return }
      send(Action.allCasePaths[keyPath: action].embed(.dismiss))
    }
  }
}

import StoreCore

/// An app's reducer with a curtain before it: while a recorded session is played, the store shows the
/// recorded states and takes no actions of the user.
///
/// ```swift
/// let store = Store(initialState: AppFeature.State()) { PlaybackReducer(AppFeature()) }
/// let session = try SessionReader(path: "cart.retcon")
/// let playback = try Playback(of: session, with: ReplaySetup(AppFeature())) {
///   store.send(.show($0.state))
/// }
/// store.send(.app(.checkoutTapped))  // what the user does meanwhile is dropped
/// try await playback.play(speed: 4)
/// ```
public struct PlaybackReducer<Base: Reducer>: Reducer {
  /// The state of the app; nothing is put around it, so views need not know of the playback.
  public typealias State = Base.State
  /// Recorded states and actions to show, and the actions of the app.
  public typealias Action = PlaybackAction<Base.State, Base.Action>

  private let base: Base
  private let takesUserActions: Bool

  /// With `takesUserActions` the app works between the shown steps; else what the user does is dropped.
  public init(_ base: Base, takesUserActions: Bool = false) {
    self.base = base
    self.takesUserActions = takesUserActions
  }

  /// Shows a recorded state or performs a recorded action; what the user does is dropped, unless it
  /// is taken.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .show(let shown):
      state = shown
      return .none
    case .app(let action):
      guard takesUserActions else { return .none }
      return base.reduce(into: &state, action: action).map { .app($0) }
    case .perform(let action, let withEffects):
      let effect = base.reduce(into: &state, action: action)
      return withEffects ? effect.map { .perform($0, withEffects: true) } : .none
    }
  }
}

/// What the store of a playback takes: the app's own actions, and recorded states to show.
public enum PlaybackAction<State: Sendable, Action: Sendable>: Sendable {
  case app(Action)
  case show(State)
  /// A recorded action, and whether the effects that it starts run.
  case perform(Action, withEffects: Bool)
}

import StoreCore

/// An app's reducer behind a switch: during a playback the store shows the recorded states and
/// ignores the user's actions.
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
  /// The app's own state without a wrapper, so views need no change.
  public typealias State = Base.State
  /// The app's actions, and recorded states and actions to show.
  public typealias Action = PlaybackAction<Base.State, Base.Action>

  private let base: Base
  private let takesUserActions: Bool

  /// With `takesUserActions` the app works between the shown steps; otherwise user actions are
  /// dropped.
  public init(_ base: Base, takesUserActions: Bool = false) {
    self.base = base
    self.takesUserActions = takesUserActions
  }

  /// Shows a recorded state, performs a recorded action, or takes or drops a user action.
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

/// An action of the app, or a recorded state to show.
public enum PlaybackAction<State: Sendable, Action: Sendable>: Sendable {
  case app(Action)
  case show(State)
  /// A recorded action, with or without the effects that it starts.
  case perform(Action, withEffects: Bool)
}

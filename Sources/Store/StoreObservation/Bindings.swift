#if canImport(SwiftUI)
  public import SwiftUI

  extension Bindable {
    /// A part of the state for a control: `$store.name.sending(\.nameChanged)`.
    @MainActor
    public subscript<State, Action, Part>(
      dynamicMember path: KeyPath<State, Part>
    ) -> StoreBinding<State, Action, Part> where Value == ObservedStore<State, Action> {
      StoreBinding(store: self, path: path)
    }

    /// A sheet's item: `.sheet(item: $store.scope(\.editor, \.editor)) { … }`.
    @MainActor
    public func scope<State, Action: CasePathable, ChildState, ChildAction>(
      _ state: KeyPath<State, ChildState?>,
      _ action: CaseKeyPath<Action, PresentationAction<ChildAction>>
    ) -> Binding<ObservedStore<ChildState, ChildAction>?>
    where Value == ObservedStore<State, Action> {
      self[dynamicMember: \.[presenting: state, action: action]]
    }
  }

  /// A part of the state without its setting action yet.
  @MainActor
  public struct StoreBinding<State: Sendable, Action: Sendable, Part> {
    let store: Bindable<ObservedStore<State, Action>>
    let path: KeyPath<State, Part>

    /// A binding that sends this action when set.
    public func sending(_ action: CaseKeyPath<Action, Part>) -> Binding<Part>
    where Action: CasePathable {
      store[dynamicMember: \.[binding: path, action: action]]
    }
  }

  extension ObservedStore {
    /// Sends an action, and animates its changes.
    @discardableResult
    public func send(_ action: Action, animation: Animation?) -> StoreTask {
      withAnimation(animation) { send(action) }
    }
  }
#endif

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

/// A property that shares its value, of this store or of another architecture.
@_spi(Adapters) public protocol PlaceInState {}

/// Finds the properties of a state that share values, for adapters to other architectures.
@_spi(Adapters) public struct PlacesInState: Sendable {
  private let places = SharedPlaces()

  /// Knows no types yet.
  public init() {}

  /// Whether states of this type may share values.
  public func areIn(_ type: Any.Type) -> Bool { places.areIn(type) }

  /// Calls `work` for each place; it may replace the place.
  public func visit<State>(_ state: inout State, _ work: (inout any PlaceInState) -> Void) {
    if places.areIn(State.self) { places.visitAll(&state, work) }
  }
}

import StoreCore

extension IdentifiedArray: FastSequence {
  func element(_ index: Int) -> Any { elements[index] }

  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)? {
    guard let actual = actual as? Self else { return nil }
    return elements.align(
      with: actual.elements, believesEquality: believesEquality, areSame: areSame)
  }
}

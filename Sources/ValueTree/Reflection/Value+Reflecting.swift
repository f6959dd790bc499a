extension Value {
  /// Any Swift value as a tree, seen through `Mirror`. For showing and comparing: it does not decode.
  ///
  /// ```swift
  /// struct Model { @Counted var total = 3; var onTap: () -> Void = {} }
  /// Value(reflecting: Model()).text()  // {"total":3,"onTap":"<() -> ()>"}
  /// ```
  ///
  /// - Scalars, `Date`, `Data`, `URL`, `UUID` and `Decimal` look as ``ValueEncoder`` writes them.
  /// - Enums: `{"case":{}}`, payloads by label or as `_0`, as Swift's own `Codable` writes them.
  /// - Classes: the members of the superclasses come first.
  /// - Dictionaries are sorted by key, sets by the text of their elements.
  /// - What has no contents to show (closures, metatypes) is its type in angle brackets.
  /// - An object that contains itself ends in `"<Type at /path>"`; what lies too deep in `"<Type …>"`.
  public init(reflecting value: Any) {
    var reflector = Reflector()
    self = reflector.reflect(value)
  }
}

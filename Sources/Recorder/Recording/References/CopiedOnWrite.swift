import ValueTree

/// A type whose own class instances are never changed while two of its values share them, as the
/// buffer of an `Array`: only what it holds counts when a recorder asks whether a state can change
/// after a copy of it was made.
///
/// ```swift
/// extension OrderedDictionary: @retroactive CopiedOnWrite {
///   public static var heldTypes: [Any.Type] { [Key.self, Value.self] }
/// }
/// ```
public protocol CopiedOnWrite {
  static var heldTypes: [Any.Type] { get }
}

extension String: CopiedOnWrite {
  /// A text holds nothing else.
  public static var heldTypes: [Any.Type] { [] }
}
extension Character: CopiedOnWrite {
  /// A letter holds nothing else.
  public static var heldTypes: [Any.Type] { [] }
}
extension Array: CopiedOnWrite {
  /// Its elements.
  public static var heldTypes: [Any.Type] { [Element.self] }
}
extension ArraySlice: CopiedOnWrite {
  /// Its elements.
  public static var heldTypes: [Any.Type] { [Element.self] }
}
extension ContiguousArray: CopiedOnWrite {
  /// Its elements.
  public static var heldTypes: [Any.Type] { [Element.self] }
}
extension Set: CopiedOnWrite {
  /// Its elements.
  public static var heldTypes: [Any.Type] { [Element.self] }
}
extension Dictionary: CopiedOnWrite {
  /// Its keys and its values.
  public static var heldTypes: [Any.Type] { [Key.self, Value.self] }
}
extension Value: CopiedOnWrite {
  /// A tree of values holds nothing else.
  public static var heldTypes: [Any.Type] { [] }
}
extension Number: CopiedOnWrite {
  /// A number holds nothing else.
  public static var heldTypes: [Any.Type] { [] }
}

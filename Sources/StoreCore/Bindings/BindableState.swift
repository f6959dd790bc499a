/// A state whose properties views may set, and the names under which that is recorded.
///
/// ```swift
/// struct State: BindableState {
///   var name = ""
///   var isPublic = false
///
///   static let bindings = BindingTable<State>(
///     BindingField("name", \.name),
///     BindingField("isPublic", \.isPublic))
/// }
/// ```
///
/// A key path cannot be encoded; the name stands for it. The macros write the table: `@Reducer` on the
/// feature, or `@BindableState` on the state.
public protocol BindableState: Sendable {
  static var bindings: BindingTable<Self> { get }
}

/// The properties of a state that views may set.
public struct BindingTable<State: Sendable>: Sendable {
  private(set) var fields: [String: BindingField<State>]

  /// Lists the properties; of two with one name the first counts.
  public init(_ fields: BindingField<State>...) {
    self.fields = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds a property.
  public mutating func list<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<State, Value> & Sendable
  ) {
    fields[name] = BindingField(name, keyPath)
  }

  /// Leaves out a property whose value could not be recorded, or that cannot be set.
  @_disfavoredOverload
  public mutating func list<Value>(_ name: String, _ keyPath: KeyPath<State, Value>) {}

  func name(of keyPath: PartialKeyPath<State>) -> String? {
    fields.values.first { $0.keyPath == keyPath }?.name
  }
}

/// A property of a state that views may set, and its name.
public struct BindingField<State: Sendable>: Sendable {
  /// The name that a recording has for the property.
  public let name: String
  let keyPath: any PartialKeyPath<State> & Sendable
  let encode: @Sendable (any Sendable, any Encoder) throws -> Void
  let decode: @Sendable (any Decoder) throws -> BindingValue<State>

  /// A property and its name.
  public init<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<State, Value> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    encode = { value, encoder in
      guard let value = value as? Value else {
        let path = encoder.codingPath
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: "Not a value of \\.\(name)."))
      }
      try value.encode(to: encoder)
    }
    decode = { decoder in BindingValue(keyPath, try Value(from: decoder)) }
  }
}

/// A value on its way into a property.
struct BindingValue<State: Sendable>: Sendable {
  let keyPath: any PartialKeyPath<State> & Sendable
  let value: any Equatable & Sendable
  let set: @Sendable (inout State) -> Void

  init<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    self.keyPath = keyPath
    self.value = value
    set = { state in state[keyPath: keyPath] = value }
  }
}

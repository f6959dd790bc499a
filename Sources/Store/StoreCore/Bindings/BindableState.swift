import Platform

/// A state whose properties views may set, with their names in recordings.
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
/// A key path cannot be encoded, so the name replaces it. The macros write the table: `@Reducer` on
/// the feature, or `@BindableState` on the state.
public protocol BindableState: Sendable {
  static var bindings: BindingTable<Self> { get }
}

/// The properties that views may set.
public struct BindingTable<State: Sendable>: Sendable {
  private(set) var fields: [String: BindingField<State>]

  /// Creates a table; of duplicate names the first counts.
  public init(_ fields: BindingField<State>...) {
    self.fields = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds a property.
  public mutating func list<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<State, Value> & Sendable
  ) {
    fields[name] = BindingField(name, keyPath)
  }

  /// Ignores a property that cannot be recorded or set.
  @_disfavoredOverload
  public mutating func list<Value>(_ name: String, _ keyPath: KeyPath<State, Value>) {}

  /// The name of a property, or of a stored part of one: `book.title`.
  func name<Value>(of keyPath: KeyPath<State, Value>) -> String? {
    if let field = fields.values.first(where: { $0.isAt(keyPath) }) { return field.name }
    guard Value.self is any Codable.Type, let offset = MemoryLayout<State>.offset(of: keyPath)
    else { return nil }
    for field in fields.values {
      guard let start = field.offset, start <= offset,
        let part = SharedPart.names(of: Value.self, at: offset - start, in: field.type)
      else { continue }
      return ([field.name] + part).joined(separator: ".")
    }
    return nil
  }

  func field(_ name: String) -> BindingField<State>? {
    if let field = fields[name] { return field }
    let parts = name.split(separator: ".").map(String.init)
    return parts.indices.dropFirst().lazy.reversed().compactMap { index in
      fields[parts[..<index].joined(separator: ".")]?.part(name, parts[index...])
    }.first
  }
}

/// A property that views may set, and its name.
public struct BindingField<State: Sendable>: Sendable {
  /// The property's name in recordings.
  public let name: String
  let keyPath: (any PartialKeyPath<State> & Sendable)?
  let type: Any.Type
  let decode: @Sendable (any Decoder) throws -> BindingValue<State>
  private let setPart: @Sendable (inout State, ArraySlice<String>, any Sendable) -> Void
}

extension BindingField {
  /// Creates a field.
  public init<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<State, Value> & Sendable
  ) {
    self.init(name: name, keyPath: keyPath, type: Value.self) { decoder in
      BindingValue(keyPath, try Value(from: decoder))
    } setPart: { state, part, value in
      let whole = SharedPart.setting(part, of: state[keyPath: keyPath], to: value)
      guard let whole = whole as? Value else { return impossible("a field keeps its type") }
      state[keyPath: keyPath] = whole
    }
  }

  func isAt(_ other: PartialKeyPath<State>) -> Bool { keyPath.map { $0 == other } ?? false }

  var offset: Int? { keyPath.flatMap { MemoryLayout<State>.offset(of: $0) } }

  func part(_ name: String, _ part: ArraySlice<String>) -> BindingField? {
    guard let type = SharedPart.type(of: part, in: type), type is any (Codable & Equatable).Type
    else { return nil }
    return BindingField(name: name, keyPath: nil, type: type) { [setPart] decoder in
      let value = try Self.value(of: type, decoder)
      return BindingValue(keyPath: nil, value: value) { setPart(&$0, part, value) }
    } setPart: { _, _, _ in
    }
  }

  private static func value(
    of type: Any.Type, _ decoder: any Decoder
  ) throws -> any Equatable & Sendable {
    guard let type = type as? any (Codable & Equatable).Type else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(type) cannot be decoded."))
    }
    // A part of a sendable value is sendable; the run time cannot check this.
    return unsafeBitCast(
      try type.init(from: decoder) as any Equatable, to: (any Equatable & Sendable).self)
  }
}

struct BindingValue<State: Sendable>: Sendable {
  let keyPath: (any PartialKeyPath<State> & Sendable)?
  let value: any Equatable & Sendable
  let set: @Sendable (inout State) -> Void
}

extension BindingValue {
  init<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    self.init(keyPath: keyPath, value: value) { state in state[keyPath: keyPath] = value }
  }
}

/// An action by which a view sets a property.
///
/// ```swift
/// switch action {
/// case .binding(\.query): state.edits += 1  // matches this property
/// case .binding: break                      // matches the others
/// default: break
/// }
///
/// store.send(.binding(.set(\.query, "tea")))
/// ```
public struct BindingAction<Root: BindableState>: Sendable {
  /// The name of the property in the state's ``BindableState/bindings``.
  public let name: String
  let content: BindingValue<Root>

  /// The property; nil for a part of one from a recording.
  public var keyPath: PartialKeyPath<Root>? { content.keyPath }

  func sets<Value>(_ other: KeyPath<Root, Value>) -> Bool {
    keyPath.map { $0 == other } ?? (Root.bindings.name(of: other) == name)
  }

  /// Sets a property, or a stored part of one: `.set(\.book.title, "Blob")`. A property missing
  /// from the state's bindings is an issue, because a recording could not name it.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> BindingAction {
    let name = Root.bindings.name(of: keyPath)
    if name == nil {
      reportIssue(
        """
        \(Root.self) does not list this property in its bindings, so setting it is not recorded. \
        @Reducer lists those that are visible, Codable, Equatable and Sendable.
        """,
        at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return BindingAction(name: name ?? "", content: BindingValue(keyPath, value))
  }
}

/// Whether the action sets this property.
public func ~= <Root: BindableState, Value>(
  keyPath: WritableKeyPath<Root, Value>, action: BindingAction<Root>
) -> Bool {
  action.sets(keyPath)
}

extension BindingAction: Equatable {
  /// Whether both set the same property to an equal value.
  public static func == (left: Self, right: Self) -> Bool {
    let setSame =
      left.name.isEmpty ? left.keyPath == right.keyPath : left.name == right.name
    return setSame && LeafEquality.isEqual(left.content.value, right.content.value)
  }
}

/// Encodes as an object with one member: the property's name and its value.
extension BindingAction: Codable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes the action; throws if the state's bindings lack the property.
  public func encode(to encoder: any Encoder) throws {
    guard !name.isEmpty, let value = content.value as? any Encodable else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "\(Root.self) does not list this property in its bindings."))
    }
    var container = encoder.container(keyedBy: Name.self)
    try value.encode(to: container.superEncoder(forKey: Name(stringValue: name)))
  }

  /// Decodes the action; throws if the state's bindings lack the name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    guard let key = container.allKeys.first, let field = Root.bindings.field(key.stringValue)
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "\(Root.self) lists no binding of this name."))
    }
    name = key.stringValue
    content = try field.decode(try container.superDecoder(forKey: key))
  }
}

extension BindingAction: CustomReflectable {
  /// A case with the property's name.
  public var customMirror: Mirror {
    Mirror(self, children: [name: content.value as Any], displayStyle: .enum)
  }
}

extension CasePath {
  /// The path to setting a property: `store.send(\.binding.name, "Blob")`.
  public subscript<State: BindableState, Part: Equatable & Sendable>(
    dynamicMember keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> CasePath<Root, Part> where Value == BindingAction<State> {
    appending(
      CasePath<Value, Part>(embed: { .set(keyPath, $0) }) { action in
        action.sets(keyPath) ? action.content.value as? Part : nil
      })
  }
}

extension BindableAction {
  /// Sets a property of the state: `.send(.set(\.query, "tea"))`.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<BoundState, Value> & Sendable, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    .binding(
      .set(keyPath, value, fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

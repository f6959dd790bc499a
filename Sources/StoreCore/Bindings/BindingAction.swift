/// A property was set by a view.
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

  /// The property that is set; nil for a part of one that a recording names.
  public var keyPath: PartialKeyPath<Root>? { content.keyPath }

  /// Whether this sets the property, or the part of one.
  func sets<Value>(_ other: KeyPath<Root, Value>) -> Bool {
    keyPath.map { $0 == other } ?? (Root.bindings.name(of: other) == name)
  }

  /// Sets a property, or a stored part of one: `.set(\.book.title, "Blob")`. One that the state does not list among its bindings is an issue: what sets it
  /// could not be recorded.
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
  /// The same property, set to an equal value.
  public static func == (left: Self, right: Self) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool {
      value == right.content.value as? Value
    }
    let setSame =
      left.name.isEmpty ? left.keyPath == right.keyPath : left.name == right.name
    return setSame && isEqual(left.content.value)
  }
}

/// Encoded as an object with one member: the name of the property and its value.
extension BindingAction: Codable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Throws where the state does not list the property among its bindings.
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

  /// Throws where the state lists no property of that name.
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

/// Reflected as a case with the property's name, so that it reads `binding.name` in labels.
extension BindingAction: CustomReflectable {
  /// Shown as a case of the property's name, so that a label says which one was set.
  public var customMirror: Mirror {
    Mirror(self, children: [name: content.value as Any], displayStyle: .enum)
  }
}

extension CasePath {
  /// The way on to the property that is set: `store.send(\.binding.name, "Blob")`.
  public subscript<State: BindableState, Part: Equatable & Sendable>(
    dynamicMember keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> CasePath<Root, Part> where Value == BindingAction<State> {
    appending(
      CasePath<Value, Part>(embed: { .set(keyPath, $0) }) { action in
        action.sets(keyPath) ? action.content.value as? Part : nil
      })
  }
}

@_spi(Internals) import ComposableArchitecture
import SessionLog
import ValueTree

// States are copied and not encoded in `send`: what these hold is copied when it is changed, or holds
// nothing of the state.

extension ComposableArchitecture.ObservationStateRegistrar:
  SessionLog.CopiedOnWrite, ValueTree.MacroMember
{
  public static var heldTypes: [Any.Type] { [] }
}

extension ComposableArchitecture.PresentationState: SessionLog.CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [State.self] }
}

extension ComposableArchitecture.StackState: SessionLog.CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [Element.self] }
}

extension ComposableArchitecture.IdentifiedArray: SessionLog.CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [ID.self, Element.self] }
}

/// By its elements alone: not the dependency that makes ids.
extension ComposableArchitecture.StackState: Swift.CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

/// As Swift writes an enum: `{"element":{"id":3,"action":…}}`.
extension ComposableArchitecture.StackAction: Swift.Encodable, Swift.Decodable
where State: Codable, Action: Codable {
  private struct Content: Codable {
    struct Element: Codable {
      var id: Int
      var action: Action?
      var state: State?
    }

    var element: Element?
    var popFrom: Element?
    var push: Element?
  }

  public func encode(to encoder: any Encoder) throws {
    var content = Content()
    switch self {
    case .element(let id, let action):
      content.element = Content.Element(id: id.generation, action: action)
    case .popFrom(let id): content.popFrom = Content.Element(id: id.generation)
    case .push(let id, let state):
      content.push = Content.Element(id: id.generation, state: state)
    }
    try content.encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let content = try Content(from: decoder)
    if let element = content.element, let action = element.action {
      self = .element(id: StackElementID(generation: element.id), action: action)
    } else if let element = content.popFrom {
      self = .popFrom(id: StackElementID(generation: element.id))
    } else if let element = content.push, let state = element.state {
      self = .push(id: StackElementID(generation: element.id), state: state)
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "it is no stack action"))
    }
  }
}

/// A state whose properties views set: it lists them, because nobody can make a key path of a name.
///
/// ```swift
/// extension Form.State: RecordedBindings {
///   static let bindings: [RecordedBinding<Self>] = [.init("name", \.name), .init("age", \.age)]
/// }
/// ```
public protocol RecordedBindings: ObservableState, SendableMetatype {
  static var bindings: [RecordedBinding<Self>] { get }
}

public struct RecordedBinding<Root: ObservableState & SendableMetatype>: Sendable {
  let name: String
  let keyPath: _SendablePartialKeyPath<Root>
  let encode: @Sendable (Any) throws -> Value
  let decode: @Sendable (Value) throws -> BindingAction<Root>

  public init<Property: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Property> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    encode = { try ValueEncoder().encode($0 as? Property) }
    decode = { .set(keyPath, try ValueDecoder().decode(Property.self, from: $0)) }
  }
}

/// An object with one member: the name of the property and its value.
extension ComposableArchitecture.BindingAction:
  Swift.Encodable, Swift.Decodable, SessionLog.LabelledAction
where Root: RecordedBindings {
  private var binding: RecordedBinding<Root>? {
    Root.bindings.first { $0.keyPath == keyPath }
  }

  public var actionLabel: String { binding?.name ?? "\(keyPath)" }

  public func encode(to encoder: any Encoder) throws {
    guard let binding, let value = Mirror(reflecting: self).descendant("value") else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "\(Root.self) does not list \(keyPath) in its bindings"))
    }
    try [binding.name: binding.encode(value)].encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    guard let (name, value) = try [String: Value](from: decoder).first,
      let binding = Root.bindings.first(where: { $0.name == name })
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "\(Root.self) lists no binding of this name"))
    }
    self = try binding.decode(value)
  }
}

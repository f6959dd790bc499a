@_spi(Internals) import ComposableArchitecture
import SessionLog
import ValueTree

// `send` copies states without encoding them. These types copy their content on a change, or hold
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

/// Only its elements, without the dependency that makes ids.
extension ComposableArchitecture.StackState: Swift.CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

/// The form in which Swift encodes an enum: `{"element":{"id":3,"action":…}}`.
extension ComposableArchitecture.StackAction: Swift.Encodable, Swift.Decodable
where State: Codable, Action: Codable {
  private enum Coded: Codable {
    case element(id: Int, action: Action)
    case popFrom(id: Int)
    case push(id: Int, state: State)
  }

  public func encode(to encoder: any Encoder) throws {
    let coded: Coded =
      switch self {
      case .element(let id, let action): .element(id: id.generation, action: action)
      case .popFrom(let id): .popFrom(id: id.generation)
      case .push(let id, let state): .push(id: id.generation, state: state)
      }
    try coded.encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let id = StackElementID.init(generation:)
    self =
      switch try Coded(from: decoder) {
      case .element(let number, let action): .element(id: id(number), action: action)
      case .popFrom(let number): .popFrom(id: id(number))
      case .push(let number, let state): .push(id: id(number), state: state)
      }
  }
}

/// A state with properties that views set. It lists them, because a name cannot become a key path.
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

/// An object with one member: the property's name and value.
extension ComposableArchitecture.BindingAction:
  Swift.Encodable, Swift.Decodable, SessionLog.LabelledAction
where Root: RecordedBindings {
  private var binding: RecordedBinding<Root>? {
    Root.bindings.first { $0.keyPath == keyPath }
  }

  public var actionLabel: String { binding?.name ?? "\(keyPath)" }

  public func encode(to encoder: any Encoder) throws {
    guard let binding, let value = Mirror(reflecting: self).descendant("value") else {
      let words = "\(Root.self) does not list \(keyPath) in its bindings"
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: words))
    }
    try [binding.name: binding.encode(value)].encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let (name, value) = try container.decode([String: Value].self).first,
      let binding = Root.bindings.first(where: { $0.name == name })
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "it is no binding that \(Root.self) lists")
    }
    self = try binding.decode(value)
  }
}

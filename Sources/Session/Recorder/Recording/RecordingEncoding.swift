import SessionWords
import ValueTree

/// The conversion of an app's states and actions to values.
public struct RecordingEncoding<State, Action>: Sendable {
  /// Makes an encoder for one recording, which may reuse parts of the last state.
  public var makeStateEncoder: @Sendable () -> (State) throws -> Value
  /// Encodes an action, on the sending thread or later on another.
  public var encodeAction: @Sendable (Action) throws -> Value
  /// An action's short name for lists.
  public var label: @Sendable (Action) -> String
  /// Whether the recording can be replayed.
  public var capability: SessionHeader.Capability

  /// Creates a custom encoding.
  public init(
    makeStateEncoder: @escaping @Sendable () -> (State) throws -> Value,
    encodeAction: @escaping @Sendable (Action) throws -> Value,
    label: @escaping @Sendable (Action) -> String = { actionLabel($0) },
    capability: SessionHeader.Capability = .replay
  ) {
    self.makeStateEncoder = makeStateEncoder
    self.encodeAction = encodeAction
    self.label = label
    self.capability = capability
  }

  /// Uses `Codable` where available, else reflection; then the log is for browsing only, and says
  /// so.
  public static var automatic: RecordingEncoding {
    let actions = RepeatedEncoder()
    return RecordingEncoding(
      makeStateEncoder: {
        let encoder = IncrementalEncoder()
        return { state in
          guard let state = state as? any Encodable else { return Value(reflecting: state) }
          return try encoder.encode(state)
        }
      },
      encodeAction: { action in
        guard let action = action as? any Encodable else { return Value(reflecting: action) }
        return try actions.encode(action)
      },
      capability: capability)
  }

  private static var capability: SessionHeader.Capability {
    let missing = [("State", State.self as Any.Type), ("Action", Action.self as Any.Type)]
      .filter { !($0.1 is any (Encodable & Decodable).Type) }
      .map { "\($0.0) (\($0.1)) is not Codable" }
    return missing.isEmpty ? .replay : .browse(because: missing.joined(separator: ", "))
  }
}

/// The short name of an action: the dotted names of nested enum cases.
///
/// `.destination(.presented(.save))` is `destination.presented.save`; in `.filterPicked(.done)` the
/// filter is not an action, so it is `filterPicked`. Other types give their name.
public func actionLabel(_ action: Any) -> String {
  var names: [String] = []
  var action = action
  while names.count < 32 {
    if let labelled = action as? any LabelledAction {
      names.append(labelled.actionLabel)
      break
    }
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { break }
    guard let child = mirror.children.first, let name = child.label else {
      names.append("\(action)")
      break
    }
    names.append(name)
    guard let inner = innerAction(child.value) else { break }
    action = inner
  }
  return names.isEmpty ? "\(type(of: action))" : names.joined(separator: ".")
}

/// An action with a custom label that is not an enum.
public protocol LabelledAction {
  var actionLabel: String { get }
}

private func innerAction(_ payload: Any) -> Any? {
  if payload is any LabelledAction { return payload }
  let mirror = Mirror(reflecting: payload)
  if mirror.displayStyle == .tuple {
    return mirror.children.first { $0.label == "action" }.flatMap { innerAction($0.value) }
  }
  guard mirror.displayStyle == .enum else { return nil }
  let type = "\(type(of: payload))".prefix { $0 != "<" }
  return type.hasSuffix("Action") ? payload : nil
}

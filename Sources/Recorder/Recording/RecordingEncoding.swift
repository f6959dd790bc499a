import SessionWords
import ValueTree

/// How the states and actions of an app become values.
public struct RecordingEncoding<State, Action>: Sendable {
  /// Makes an encoder for one recording: it may remember parts of the last state.
  public var makeStateEncoder: @Sendable () -> (State) throws -> Value
  /// Makes a value of an action, on the thread that sends or later on another.
  public var encodeAction: @Sendable (Action) throws -> Value
  /// The short name of an action, as lists show it.
  public var label: @Sendable (Action) -> String
  /// Whether what these make can be run again.
  public var capability: SessionHeader.Capability

  /// Says for each of the three how it is done, where `Codable` is not to do it.
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

  /// Through `Codable` where the types have it, by reflection where not; then the log is for browsing
  /// only, and says so.
  public static var automatic: RecordingEncoding {
    RecordingEncoding(
      makeStateEncoder: {
        let encoder = IncrementalEncoder()
        return { state in
          guard let state = state as? any Encodable else { return Value(reflecting: state) }
          return try encoder.encode(state)
        }
      },
      encodeAction: { action in
        guard let action = action as? any Encodable else { return Value(reflecting: action) }
        return try ValueEncoder().encode(action)
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

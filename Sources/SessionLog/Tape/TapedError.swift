import ValueTree

/// An error that a dependency threw while it was recorded, thrown again in a replay where its type is
/// not known any more.
public struct TapedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How it was recorded: its encoding, or its type and description.
  public var value: Value

  public init(_ value: Value) { self.value = value }

  public var description: String {
    if case .string(let text)? = value["description"] { return text }
    return value.text()
  }

  /// How an error is recorded.
  static func value(of error: any Error) -> Value {
    if let taped = error as? TapedError { return taped.value }
    if let encodable = error as? any Encodable & Error,
      let value = try? ValueEncoder().encode(encodable)
    {
      return value
    }
    return [
      "type": .string(String(reflecting: type(of: error))),
      "description": .string(String(describing: error)),
    ]
  }

  /// The recorded error as one of the type that is thrown now; nil when it is none.
  static func error<Failure: Error>(_ value: Value, as _: Failure.Type) -> Failure? {
    if let type = Failure.self as? any Decodable.Type,
      let error = try? ValueDecoder().decode(type, from: value) as? Failure
    {
      return error
    }
    return TapedError(value) as? Failure
  }
}

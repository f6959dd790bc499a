/// Encodes one state after another.
///
/// ```swift
/// let encoder = IncrementalEncoder()
/// let first = try encoder.encode(state)
/// state.items[7].quantity += 1
/// let second = try encoder.encode(state)  // shares all but the way to items[7] with `first`
/// ```
public final class IncrementalEncoder {
  private let encoder: ValueEncoder

  public init(userInfo: [CodingUserInfoKey: Any] = [:]) {
    encoder = ValueEncoder(userInfo: userInfo)
  }

  /// The same tree, byte for byte, that ``ValueEncoder`` gives.
  public func encode<T: Encodable>(_ value: T) throws -> Value { try encoder.encode(value) }
}

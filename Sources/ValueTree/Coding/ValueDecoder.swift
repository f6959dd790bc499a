/// Turns a ``Value`` back into the type that it was encoded from.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
/// let item = try ValueDecoder().decode(Item.self, from: ["title": "Tea", "quantity": 2])
/// ```
///
/// Reads the forms that ``ValueEncoder`` writes. A whole number decodes as any integer type that
/// holds it, however it is written (`2`, `2.0`, `2e0`).
public struct ValueDecoder {
  public var userInfo: [CodingUserInfoKey: Any]

  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try TreeDecoder(value: value, path: nil, userInfo: userInfo).decode(type)
  }
}

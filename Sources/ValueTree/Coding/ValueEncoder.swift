/// Turns any `Encodable` into a ``Value``.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
/// let value = try ValueEncoder().encode(Item(title: "Tea", quantity: 2))
/// value.text()  // {"title":"Tea","quantity":2}
/// ```
///
/// The forms of types that JSON does not know:
/// - `Date`: seconds since 2001, as `Date` encodes itself; `UUID`: its text.
/// - `Data`: base64 text. `URL`: its text (one with a base: an object, as `URL` encodes itself).
/// - `Decimal`: a number with all its digits.
/// - Dictionaries: an object when the keys are texts, integers or enums with such raw values, else an
///   array of keys and values in turn; sorted by key. Sets: sorted by the text of their elements.
/// - `Double` and `Float` that are not finite: `"NaN"`, `"Infinity"`, `"-Infinity"`.
public struct ValueEncoder {
  public var userInfo: [CodingUserInfoKey: Any]
  /// How many containers may be open inside one another, so that a cycle ends in an error.
  public var depthLimit: Int

  public init(userInfo: [CodingUserInfoKey: Any] = [:], depthLimit: Int = 500) {
    self.userInfo = userInfo
    self.depthLimit = depthLimit
  }

  public func encode<T: Encodable>(_ value: T) throws -> Value {
    let session = EncodingSession(userInfo: userInfo, depthLimit: depthLimit)
    defer { session.end() }
    return try session.encode(value, at: EncodingPlace(nil, .root))
  }
}

/// How a difference finds the elements of an array again.
///
/// An element that is an object with one of the identity keys, holding a string or a number, is the
/// same element wherever it stands, as long as no other has that identity. All others are matched by
/// their content, and what is left between two matches is compared in order.
public struct ElementMatching: Sendable, Hashable {
  /// The first of these keys that an object has is its identity.
  public var identityKeys: [String]

  public init(identityKeys: [String]) { self.identityKeys = identityKeys }

  public static let standard = ElementMatching(identityKeys: ["id", "_id", "key"])
  public static let byContent = ElementMatching(identityKeys: [])

  /// What an element is known by; nil for one that is known by its content only.
  func identity(of element: Value) -> ElementIdentity? {
    guard case .object(let object) = element else { return nil }
    for (place, key) in identityKeys.enumerated() {
      switch object[key] {
      case .string(let text): return ElementIdentity(key: place, text: text, isNumber: false)
      case .number(let number):
        return ElementIdentity(key: place, text: number.text, isNumber: true)
      default: continue
      }
    }
    return nil
  }
}

struct ElementIdentity: Hashable {
  var key: Int
  var text: String
  var isNumber: Bool

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.isNumber == right.isNumber && left.text.isExactly(right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    text.hashExactly(into: &hasher)
  }
}

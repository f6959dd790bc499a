/// How a difference finds the elements of an array again.
///
/// An element that is an object with one of the identity keys, holding a string or a number, is the
/// same element wherever it stands, as long as no other has that identity. All others are matched by
/// their content, and what is left between two matches is compared in order.
public struct ElementMatching: Sendable, Hashable {
  /// The first of these keys that an object has is its identity.
  public var identityKeys: [String]

  /// The first of these keys that an object has is its identity; with none all go by content.
  public init(identityKeys: [String]) { self.identityKeys = identityKeys }

  /// By `id`, `_id` or `key`, in this order.
  public static let standard = ElementMatching(identityKeys: ["id", "_id", "key"])
  /// No key is an identity: elements are the same where their content is.
  public static let byContent = ElementMatching(identityKeys: [])

  /// What an element is known by; nil for one that is known by its content only.
  func identity(of element: Value) -> ElementIdentity? {
    guard case .object(let object) = element else { return nil }
    for (place, key) in identityKeys.enumerated() {
      switch object[key] {
      case .string(let text): return ElementIdentity(key: place, value: .text(text))
      case .number(let number): return ElementIdentity(key: place, value: .number(number))
      default: continue
      }
    }
    return nil
  }
}

struct ElementIdentity: Hashable {
  enum Kind {
    case text(String)
    case number(Number)
  }

  /// Which of the identity keys it stood under.
  var key: Int
  var value: Kind

  static func == (left: Self, right: Self) -> Bool {
    guard left.key == right.key else { return false }
    return switch (left.value, right.value) {
    case (.text(let left), .text(let right)): left.isExactly(right)
    case (.number(let left), .number(let right)): left.isExactlyEqual(to: right)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    switch value {
    case .text(let text): text.hashExactly(into: &hasher)
    case .number(let number): hasher.combine(number)
    }
  }
}

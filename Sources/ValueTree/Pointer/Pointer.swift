/// A place in a value, as in RFC 6901: `/cart/items/3/quantity`. The empty pointer is the whole value.
///
/// ```swift
/// let state: Value = ["cart": ["items": ["tea", "milk"]]]
/// let second = try Pointer("/cart/items/1")
/// state[second]  // "milk"
/// second.parent?.description  // "/cart/items"
/// ```
public struct Pointer: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The keys and indices from the outside to the inside, not escaped.
  public var tokens: [String]

  /// These tokens as they are: nothing is escaped, and an index is its digits.
  public init(tokens: some Sequence<String> = []) { self.tokens = Array(tokens) }

  /// As in `["items", "0"]`: tokens as they are.
  public init(arrayLiteral elements: String...) { self.tokens = elements }

  /// Reads the written form, in which `~1` stands for `/` and `~0` for `~`.
  public init(_ text: String) throws(PointerError) {
    tokens = []
    guard !text.isEmpty else { return }
    let bytes = Array(text.utf8)
    guard bytes[0] == UInt8(ascii: "/") else { throw .noLeadingSlash(text) }
    var token: [UInt8] = []
    var index = 1
    while index <= bytes.count {
      if index == bytes.count || bytes[index] == UInt8(ascii: "/") {
        tokens.append(String(decoding: token, as: UTF8.self))
        token.removeAll(keepingCapacity: true)
      } else if bytes[index] == UInt8(ascii: "~") {
        index += 1
        switch index < bytes.count ? bytes[index] : 0 {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        default: throw .badEscape(text, offset: index - 1)
        }
      } else {
        token.append(bytes[index])
      }
      index += 1
    }
  }

  /// Whether it is the place of the whole value.
  public var isRoot: Bool { tokens.isEmpty }

  /// The pointer to the container of this place; nil for the whole value.
  public var parent: Pointer? { isRoot ? nil : Pointer(tokens: tokens.dropLast()) }

  /// The place of a member of the value at this one.
  public func appending(_ token: String) -> Pointer { Pointer(tokens: tokens + [token]) }

  /// The place of an element of the array at this one.
  public func appending(_ index: Int) -> Pointer { appending(String(index)) }

  /// The place that `other` names, seen from this one.
  public func appending(_ other: Pointer) -> Pointer { Pointer(tokens: tokens + other.tokens) }

  /// Whether this is the same place as `other` or one inside it.
  public func starts(with other: Pointer) -> Bool {
    tokens.count >= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.isExactly($1) }
  }

  /// Whether a change at one of the two places can be seen at the other.
  public func overlaps(_ other: Pointer) -> Bool {
    zip(tokens, other.tokens).allSatisfy { $0.isExactly($1) }
  }

  /// The same tokens, scalar by scalar: other spellings of a letter are other keys.
  public static func == (left: Self, right: Self) -> Bool {
    left.tokens.count == right.tokens.count && left.overlaps(right)
  }

  /// Fits the equality: scalar by scalar.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens { token.hashExactly(into: &hasher) }
  }
}

extension Pointer: CustomStringConvertible {
  /// The written form of RFC 6901.
  public var description: String {
    var text: [UInt8] = []
    for token in tokens {
      text.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): text += [byte, UInt8(ascii: "0")]
        case UInt8(ascii: "/"): text += [UInt8(ascii: "~"), UInt8(ascii: "1")]
        default: text.append(byte)
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The place in words, for messages.
  var place: String { isRoot ? "the top" : description }
}

extension Pointer {
  /// The index that a token means in an array: digits without a leading zero. Nil for all else, and
  /// for `-`; an index too large for an `Int` is `Int.max`, which no array has.
  static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      first != 0x30 || digits.count == 1
    else { return nil }
    return Int(token) ?? Int.max
  }
}

/// Why a pointer cannot be read, or leads nowhere in a value.
public enum PointerError: Error, Sendable, Hashable {
  /// The text does not begin with `/`.
  case noLeadingSlash(String)
  /// A `~` that is followed by neither 0 nor 1.
  case badEscape(String, offset: Int)
  /// The object has no such key.
  case noMember(String, at: Pointer)
  /// The array is shorter.
  case noElement(Int, at: Pointer, count: Int)
  /// A word where the array needs a number.
  case noIndex(String, at: Pointer)
  /// What lies there has nothing inside.
  case noContainer(Pointer, kind: String)
  /// More tokens than are followed.
  case tooDeep(limit: Int)
}

extension PointerError: CustomStringConvertible {
  /// What is wrong with the text, and how it must be written.
  public var description: String {
    switch self {
    case .noLeadingSlash(let text):
      "The pointer “\(text)” must be empty or begin with “/”: did you mean “/\(text)”?"
    case .badEscape(let text, let offset):
      "The pointer “\(text)” has a “~” at byte \(offset) that is not “~0” (for ~) or “~1” (for /)."
    case .noMember(let key, let place):
      "There is no member “\(key)” in the object at \(place.place)."
    case .noElement(let index, let place, let count):
      switch count {
      case 0: "There is no element \(index): the array at \(place.place) is empty."
      default: "There is no element \(index): the array at \(place.place) ends at \(count - 1)."
      }
    case .noIndex(let token, let place):
      "“\(token)” is no index of the array at \(place.place): write a number without leading zeros."
    case .noContainer(let place, let kind):
      "Nothing lies inside \(place.place): it holds \(kind)."
    case .tooDeep(let limit):
      "The pointer goes deeper than \(limit) levels."
    }
  }
}

extension Value {
  /// What lies at a place; nil when the pointer leads nowhere.
  public subscript(pointer: Pointer) -> Value? { try? resolve(pointer) }

  /// What lies at a place, or the first thing that is missing on the way.
  public func resolve(_ pointer: Pointer) throws(PointerError) -> Value {
    try resolve(pointer, in: nil)
  }

  /// The same where some arrays may lie in blocks.
  func resolve(_ pointer: Pointer, in arrays: LongArrays?) throws(PointerError) -> Value {
    var value = self
    for (depth, token) in pointer.tokens.enumerated() {
      let place = { Pointer(tokens: pointer.tokens.prefix(depth)) }
      switch value {
      case .object(let object):
        guard let member = object[token] else { throw .noMember(token, at: place()) }
        value = member
      case .array(let array):
        let long = arrays?[array]
        let count = long?.count ?? array.count
        guard let index = Pointer.index(token) else {
          guard token != "-" else { throw .noElement(count, at: place(), count: count) }
          throw .noIndex(token, at: place())
        }
        guard index < count else { throw .noElement(index, at: place(), count: count) }
        value = long?[index] ?? array[index]
      default: throw .noContainer(place(), kind: value.kindInWords)
      }
    }
    return value
  }

  /// What kind of value this is, in words for messages.
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A text that is compared by its bytes: `"é"` and `"e\u{301}"` are two different keys in JSON.
struct ExactText: Hashable, Sendable {
  var text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

  func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

extension String {
  /// Whether both are the same bytes. Swift's own equality also holds for composed and decomposed
  /// forms of one character.
  func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let answer = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        mine.isSame(as: theirs, count: mine.count)
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  func hashExactly(into hasher: inout Hasher) {
    let done: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if done == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes, eight at a time. Both have `count` of them.
  @inline(__always)
  fileprivate func isSame(as other: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
    guard let mine = UnsafeRawPointer(baseAddress), let theirs = UnsafeRawPointer(other.baseAddress)
    else { return true }
    var offset = 0
    while offset + 8 <= count {
      guard
        mine.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == theirs.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard
        mine.load(fromByteOffset: offset, as: UInt8.self)
          == theirs.load(fromByteOffset: offset, as: UInt8.self)
      else { return false }
      offset += 1
    }
    return true
  }
}

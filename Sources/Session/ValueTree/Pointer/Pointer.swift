/// A place in a value, as in RFC 6901: `/cart/items/3/quantity`. The empty pointer is the whole
/// value.
///
/// ```swift
/// let state: Value = ["cart": ["items": ["tea", "milk"]]]
/// let second = try Pointer("/cart/items/1")
/// state[second]  // "milk"
/// second.parent?.description  // "/cart/items"
/// ```
public struct Pointer: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The keys and indices from the outside in, not escaped.
  public var tokens: [String]

  /// Creates a pointer from tokens that are not escaped; an index is its digits.
  public init(tokens: some Sequence<String> = []) { self.tokens = Array(tokens) }

  /// Creates a pointer from tokens: `["items", "0"]`.
  public init(arrayLiteral elements: String...) { self.tokens = elements }

  /// Reads the written form, with `~1` for `/` and `~0` for `~`.
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

  /// Whether this is the whole value.
  public var isRoot: Bool { tokens.isEmpty }

  /// The place of the container; nil for the whole value.
  public var parent: Pointer? { isRoot ? nil : Pointer(tokens: tokens.dropLast()) }

  /// The place of a member.
  public func appending(_ token: String) -> Pointer { Pointer(tokens: tokens + [token]) }

  /// The place of an array element.
  public func appending(_ index: Int) -> Pointer { appending(String(index)) }

  /// The place of `other`, relative to this one.
  public func appending(_ other: Pointer) -> Pointer { Pointer(tokens: tokens + other.tokens) }

  /// Whether this place is `other` or inside it.
  public func starts(with other: Pointer) -> Bool {
    tokens.count >= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.isExactly($1) }
  }

  /// Whether a change at one place shows at the other.
  public func overlaps(_ other: Pointer) -> Bool {
    zip(tokens, other.tokens).allSatisfy { $0.isExactly($1) }
  }

  /// Compares scalar by scalar: a composed and a decomposed letter differ.
  public static func == (left: Self, right: Self) -> Bool {
    left.tokens.count == right.tokens.count && left.overlaps(right)
  }

  /// Hashes scalar by scalar.
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

  var place: String { isRoot ? "the top" : description }
}

extension Pointer {
  /// The index of an array token: digits without a leading zero. Nil for others and for `-`; too
  /// large for an `Int` becomes `Int.max`.
  static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      first != 0x30 || digits.count == 1
    else { return nil }
    return Int(token) ?? Int.max
  }
}

/// The reason why a pointer cannot be read, or leads nowhere.
public enum PointerError: Error, Sendable, Hashable {
  /// The text does not begin with `/`.
  case noLeadingSlash(String)
  /// A `~` without 0 or 1 after it.
  case badEscape(String, offset: Int)
  /// The object has no such key.
  case noMember(String, at: Pointer)
  /// The array is too short.
  case noElement(Int, at: Pointer, count: Int)
  /// An array needs a number here.
  case noIndex(String, at: Pointer)
  /// The value is not a container.
  case noContainer(Pointer, kind: String)
  /// Too many tokens.
  case tooDeep(limit: Int)
}

extension PointerError: CustomStringConvertible {
  /// The mistake, and the correct form.
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
  /// The value at a place; nil if the pointer leads nowhere.
  public subscript(pointer: Pointer) -> Value? { try? resolve(pointer) }

  /// The value at a place; an error names the first missing part.
  public func resolve(_ pointer: Pointer) throws(PointerError) -> Value {
    try resolve(pointer, in: nil)
  }

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

/// A text compared by bytes: `"é"` and `"e\u{301}"` are two keys in JSON.
struct ExactText: Hashable, Sendable {
  var text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

  func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

extension String {
  /// Whether both have the same bytes. Swift's `==` also accepts other compositions of a character.
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

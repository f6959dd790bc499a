import Platform

/// A value in JSON text, read only as far as a query asks. Valid while the bytes are.
struct JSONText: QueryView, @unchecked Sendable {
  // Safe to share: the bytes never change, and a literal's text has no `lastEnd`.
  private let scanner: ValueScanner
  /// The place in the bytes, or the bits of the number itself.
  private let start: Int
  private let isNumber: Bool
  private let lastEnd: UnsafeMutablePointer<End>?

  /// The end of the last object that was read whole, so that the next search for it is free.
  struct End {
    fileprivate var start: UnsafePointer<UInt8>?
    fileprivate var end = 0

    init() {}
  }

  /// The value at the start of some text.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ lastEnd: UnsafeMutablePointer<End>? = nil) {
    self.init(ValueScanner(bytes), 0, lastEnd)
  }

  init(count: Int) { self.init(sum: Double(count)) }

  init(sum: Double) {
    scanner = ValueScanner(UnsafeBufferPointer(start: nil, count: 0))
    (start, isNumber, lastEnd) = (Int(bitPattern: UInt(sum.bitPattern)), true, nil)
  }

  private var ownNumber: Number { Number(Double(bitPattern: UInt64(UInt(bitPattern: start)))) }

  init(_ literal: QueryLiteral) { self = literal.text }

  init(copying bytes: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(fromContentsOf: bytes)
    self.init(UnsafeBufferPointer(copy))
  }

  func deallocate() { scanner.bytes.deallocate() }

  private init(_ scanner: ValueScanner, _ start: Int, _ lastEnd: UnsafeMutablePointer<End>?) {
    (self.scanner, self.lastEnd, isNumber) = (scanner, lastEnd, false)
    self.start = scanner.afterSpace(start)
  }

  static var mayBeUnreadable: Bool { true }

  private func child(_ start: Int) -> JSONText { JSONText(scanner, start, lastEnd) }

  @inline(__always)
  var kind: QueryKind {
    get throws(QueryRunError) {
      if isNumber { return .number }
      guard start < scanner.bytes.count else { throw .unreadable }
      switch scanner.bytes[start] {
      case UInt8(ascii: "\""): return .string
      case UInt8(ascii: "{"): return .object
      case UInt8(ascii: "["): return .array
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
      default: return try word
      }
    }
  }

  private var word: QueryKind {
    get throws(QueryRunError) {
      let range = try self.range
      if scanner.text(range, is: "true") { return .yes }
      if scanner.text(range, is: "false") { return .no }
      if scanner.text(range, is: "null") { return .null }
      throw .unreadable
    }
  }

  private var range: Range<Int> {
    get throws(QueryRunError) {
      guard let range = scanner.value(from: start) else { throw .unreadable }
      return range
    }
  }

  private func has(_ byte: UInt8) -> Bool {
    !isNumber && start < scanner.bytes.count && scanner.bytes[start] == byte
  }
}

extension JSONText {
  func member(_ name: String) throws(QueryRunError) -> JSONText? {
    guard has(UInt8(ascii: "{")) else { return nil }
    let (place, end) =
      name.utf8.withContiguousStorageIfAvailable(find)
      ?? Array(name.utf8).withUnsafeBufferPointer(find)
    guard let end else { throw .unreadable }
    lastEnd?.pointee.start = scanner.bytes.baseAddress.map { $0 + start }
    lastEnd?.pointee.end = end
    return place.map(child)
  }

  private func find(_ name: UnsafeBufferPointer<UInt8>) -> (place: Int?, end: Int?) {
    let head = ValueScanner(name).head(of: 0..<name.count)
    var place: Int?
    let end = scanner.endOfMembers(from: start) { key, start in
      if scanner.key(key, is: name, head: head) { place = start }
      return scanner.value(from: start)?.upperBound
    }
    return (place, end)
  }

  func element(_ index: Int) throws(QueryRunError) -> JSONText? {
    guard has(UInt8(ascii: "[")) else { return nil }
    var wanted = index
    if index < 0 {
      guard let count = try length, count + index >= 0 else { return nil }
      wanted = count + index
    }
    var found: JSONText?
    _ = try eachChild { (index, child) throws(QueryRunError) in
      if index == wanted { found = child }
      return index < wanted
    }
    return found
  }

  func eachChild(
    _ visit: (Int, JSONText) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    if has(UInt8(ascii: "{")) {
      for (index, place) in try members.enumerated() {
        guard try visit(index, child(place)) else { return false }
      }
    }
    guard has(UInt8(ascii: "[")) else { return true }
    var (index, goesOn) = (0, true)
    var failure: QueryRunError?
    let end = scanner.endOfElements(from: start) { place in
      do throws(QueryRunError) {
        goesOn = try visit(index, child(place))
      } catch {
        failure = error
        return nil
      }
      index += 1
      return goesOn ? self.end(ofChildAt: place) : nil
    }
    if let failure { throw failure }
    guard goesOn, end == nil else { return goesOn }
    throw .unreadable
  }

  private func end(ofChildAt place: Int) -> Int? {
    if let last = lastEnd?.pointee, let start = last.start, let base = scanner.bytes.baseAddress,
      start == base + place
    {
      return last.end
    }
    return scanner.value(from: place)?.upperBound
  }

  /// Only the parser knows which of two equal names counts.
  private var members: [Int] {
    get throws(QueryRunError) {
      var (places, names) = ([Int](), Set<Int>())
      let end = scanner.endOfMembers(from: start) { key, place in
        guard !scanner.hasEscapes(key) else { return nil }
        var hasher = Hasher()
        let name = UnsafeBufferPointer(rebasing: scanner.bytes[key])
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        guard names.insert(hasher.finalize()).inserted else { return nil }
        places.append(place)
        return scanner.value(from: place)?.upperBound
      }
      guard end != nil else { throw .unreadable }
      return places
    }
  }

  func step(to index: Int) -> QueryPlace.Step { .element(index) }

  var length: Int? {
    get throws(QueryRunError) {
      switch try kind {
      case .object: return try members.count
      case .array:
        var count = 0
        let end = scanner.endOfElements(from: start) {
          count += 1
          return scanner.value(from: $0)?.upperBound
        }
        guard end != nil else { throw .unreadable }
        return count
      case .string:
        // Bytes that continue a character do not count.
        if let plain = try plain { return plain.count { $0 & 0xC0 != 0x80 } }
        return try string?.unicodeScalars.count
      default: return nil
      }
    }
  }
}

extension JSONText {
  /// The text between quotes; nil if only the parser can tell it.
  private var plain: UnsafeBufferPointer<UInt8>? {
    get throws(QueryRunError) {
      guard let inner = scanner.insideQuotes(try range) else { return nil }
      let text = UnsafeBufferPointer(rebasing: scanner.bytes[inner])
      var position = 0
      while position + 8 <= text.count, let base = UnsafeRawPointer(text.baseAddress) {
        guard (base + position).loadUnaligned(as: UInt64.self).littleEndian.endsOfText == 0 else {
          return nil
        }
        position += 8
      }
      while position < text.count {
        guard text[position] >= 0x20, text[position] != UInt8(ascii: "\\") else { return nil }
        position += 1
      }
      return text
    }
  }

  var string: String? { get throws(QueryRunError) { try value.string } }

  var value: Value {
    get throws(QueryRunError) {
      if isNumber { return .number(ownNumber) }
      guard let value = try? Value(parsing: scanner.bytes[try range]) else { throw .unreadable }
      return value
    }
  }

  func order(toText other: JSONText) throws(QueryRunError) -> Ordering {
    guard let left = try plain, let right = try other.plain, let leftStart = left.baseAddress,
      let rightStart = right.baseAddress
    else { return try value.order(toText: other.value) }
    let order = memcmp(leftStart, rightStart, min(left.count, right.count))
    return order == 0 ? Ordering(left.count, right.count) : Ordering(order, 0)
  }

  func contains(_ text: String) throws(QueryRunError) -> Bool {
    if let plain = try plain, let first = text.utf8.first, !plain.contains(first) { return false }
    return try string?.contains(text) == true
  }

  var number: Number {
    get throws(QueryRunError) {
      if isNumber { return ownNumber }
      let range = try self.range
      if let number = Number(ofFewDigits: UnsafeBufferPointer(rebasing: scanner.bytes[range])) {
        return number
      }
      guard case .number(let number) = try value else { throw .unreadable }
      return number
    }
  }
}

extension Number {
  /// Nil unless at most 15 digits tell it: a double of them compares as they do.
  fileprivate init?(ofFewDigits text: UnsafeBufferPointer<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard text.count - first <= 16 else { return nil }
    var (digits, fraction) = (Int64(0), -1)
    for index in first..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit < 10 {
        // No number begins with a zero before a digit.
        guard index != first + 1 || fraction >= 0 || digits != 0 else { return nil }
        digits = digits &* 10 &+ Int64(digit)
        if fraction >= 0 { fraction += 1 }
      } else {
        guard text[index] == UInt8(ascii: "."), fraction < 0, index > first else { return nil }
        fraction = 0
      }
    }
    guard first < text.count, fraction != 0, digits < 1_000_000_000_000_000 else { return nil }
    let signed = isNegative ? -digits : digits
    self =
      fraction < 0 ? .integer(signed) : .double(Double(signed) / Double.powersOfTen[fraction])
  }
}

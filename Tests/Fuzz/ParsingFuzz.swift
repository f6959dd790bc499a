@testable import ValueTree

/// Called by libFuzzer with one text after another. Parsing gives a value or an error. A value
/// prints and parses back to itself, and the scanner finds what the parser found.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParsing(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let scanner = ValueScanner(bytes)
  let scanned = scanner.value(from: 0)
  if let scanned { precondition(scanned.upperBound <= count, "the scanner left the bytes") }
  _ = scanner.range(of: ["a", "0", "b"])
  let told = conditions.map { condition in
    condition.answer(hidden: nil) { _ in FoundText(bytes, by: 1) }
  }
  let isWhole = String(validating: bytes, as: UTF8.self) != nil && scanner.isCertainlyJSON

  let value: Value
  do throws(ParseError) {
    value = try Value(parsing: bytes)
  } catch {
    precondition(!isWhole, "the check takes what the parser does not")
    precondition(error.offset <= count && error.line > 0 && error.column > 0, "no place")
    precondition(!error.description.isEmpty, "no words")
    return 0
  }
  for style in [PrintStyle.compact, .prettySorted] {
    let printed = value.bytes(style)
    guard let again = try? Value(parsing: printed) else {
      preconditionFailure("does not parse back")
    }
    precondition(again.isExactlyEqual(to: value), "parses back to something else")
    precondition(again == value && again.hashValue == value.hashValue, "is not equal to itself")
    precondition(again.bytes(style) == printed, "prints otherwise the second time")
  }
  checkScanning(value, scanner, scanned)
  for (told, condition) in zip(told, conditions) where told != nil && bytes.first != 0xEF {
    let holds = try? condition.holds(for: .object(["state": value]))
    precondition(told == holds, "the text answers \(condition.text) otherwise than the value")
  }
  checkCoding(value)
  return 0
}

/// Asked of the text and of the value.
private let conditions =
  ["state.a < 1", "state.a[?@.b != 'x']", "state[?@.a[?@ == 2]]", "count($.state[?@.b]) > 1"]
  .compactMap { try? Condition($0) }

/// The members of the outermost container lie where the scanner says.
private func checkScanning(_ value: Value, _ scanner: ValueScanner, _ scanned: Range<Int>?) {
  // The scanner does not handle a byte order mark.
  guard scanner.bytes.first != 0xEF else { return }
  precondition(scanned != nil, "the scanner finds no value where there is one")
  let tokens: [String] =
    switch value {
    case .array(let array): array.indices.prefix(8).map(String.init)
    case .object(let object): Array(object.keys.prefix(8))
    default: []
    }
  for token in tokens {
    guard let range = scanner.range(of: [token]) else { preconditionFailure("no child \(token)") }
    let part = try? Value(parsing: scanner.bytes[range])
    let expected = Int(token).flatMap { value[$0] } ?? value[token]
    precondition(part.map { $0.isExactlyEqual(to: expected ?? .null) } ?? false, "another child")
  }
}

private func checkCoding(_ value: Value) {
  let decoded = try? ValueDecoder().decode(Value.self, from: value)
  precondition(decoded?.isExactlyEqual(to: value) ?? false, "decodes to something else")
  _ = try? ValueDecoder().decode([String: [Int]].self, from: value)
  _ = try? ValueDecoder().decode([Double].self, from: value)
}

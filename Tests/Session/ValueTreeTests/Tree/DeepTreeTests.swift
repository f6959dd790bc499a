import Testing

@testable import ValueTree

@Suite struct DeepTreeTests {
  private func tower(_ height: Int, of bottom: Value = 1) -> Value {
    var value = bottom
    for level in 0..<height { value = level.isMultiple(of: 2) ? [value] : ["a": value] }
    return value
  }

  @Test("a tree of 100,000 levels is built, compared, hashed, printed and freed")
  func deep() {
    let first = tower(100_000)
    let second = tower(100_000)
    let other = tower(100_000, of: 2)
    #expect(first == second)
    #expect(first != other)
    #expect(first.hashValue == second.hashValue)
    #expect(first.text().utf8.count == 50_000 * 2 + 50_000 * 6 + 1)
  }

  @Test("freeing a deep tree leaves alone what somebody else still holds")
  func sharedPart() {
    let part = tower(1_000)
    let whole = tower(5_000, of: part)
    _ = consume whole
    #expect(part == tower(1_000))
  }

  @Test("a text of 100,000 open brackets is an error")
  func openBrackets() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: ParseError.self) { try Value(parsing: text) }
    #expect(error?.problem == .tooDeep(limit: 1_000))
    #expect(error?.offset == 1_000)
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(throws: ParseError.self) { try Value(parsing: objects) }
  }

  @Test("with a higher limit 100,000 brackets parse and print back")
  func deepText() throws {
    let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let value = try Value(parsing: text, limits: ParseLimits(depth: 100_000))
    #expect(value.text() == text)
  }
}

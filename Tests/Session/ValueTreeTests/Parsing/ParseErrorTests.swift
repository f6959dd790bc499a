import Testing
import ValueTree

@Suite struct ParseErrorTests {
  @Test(
    "an error says what was expected, what was found, and where",
    arguments: [
      ("", "expected a value, found the end of the text: line 1, column 1 (byte 0)"),
      (
        "{\n  \"é\": [1, 2,\n 3 4]}",
        "expected , or ], found 4: line 3, column 4 (byte 20), at /é/3"
      ),
      ("[1,]", "expected a value, found ]: line 1, column 4 (byte 3), at /1"),
      ("[}", "expected a value or ], found }: line 1, column 2 (byte 1), at /0"),
      ("{\"a\" 1}", "expected :, found 1: line 1, column 6 (byte 5), at /a"),
      ("{\"a\":1,}", "expected a key, found }: line 1, column 8 (byte 7), at /a"),
      (
        "{\"a/b\":{\"~\":tru}}",
        "expected a value, found t: line 1, column 13 (byte 12), at /a~1b/~0"
      ),
      ("[01]", "expected , or ], found 1: line 1, column 3 (byte 2), at /1"),
      ("[1.]", "expected a digit, found ]: line 1, column 4 (byte 3), at /0"),
      (
        "\"a\nb\"",
        "control character 0x0a in a string; it must be written as an escape: line 1, column 3 (byte 2)"
      ),
      ("\"\\x\"", "unknown escape in a string: line 1, column 2 (byte 1)"),
      (
        "\"\\u12g4\"",
        "expected four hexadecimal digits after \\u, found g: line 1, column 6 (byte 5)"
      ),
      (
        "\"abc",
        "expected the closing quote of a string, found the end of the text: line 1, column 5 (byte 4)"
      ),
      ("1 2", "expected the end of the text, found 2: line 1, column 3 (byte 2)"),
    ])
  func message(text: String, words: String) {
    let error = #expect(throws: ParseError.self) { try Value(parsing: text) }
    #expect(error?.description == words)
  }

  @Test("bytes that are not UTF-8 are an error at the first bad byte")
  func invalidUTF8() {
    let bytes: [UInt8] = [0x5B, 0x22, 0xC3, 0xA9, 0x61, 0xE2, 0x82, 0x22, 0x5D]
    let error = #expect(throws: ParseError.self) { try Value(parsing: bytes) }
    #expect(error?.problem == .invalidUTF8)
    #expect(error?.offset == 5)
  }

  @Test("a lone surrogate becomes U+FFFD, a pair becomes its character")
  func surrogates() throws {
    #expect(
      try Value(
        parsing: #"["\ud83d\ude00", "\ud83d", "\ude00x", "\ud83d\u0041", "\ud83d\ud83d\ude00"]"#)
        == ["😀", "\u{FFFD}", "\u{FFFD}x", "\u{FFFD}A", "\u{FFFD}😀"])
  }

  @Test("a text over the size limit is an error before anything is read")
  func size() {
    let limits = ParseLimits(size: 3)
    let error = #expect(throws: ParseError.self) { try Value(parsing: "[1,2]", limits: limits) }
    #expect(error?.problem == .tooLarge(limit: 3))
  }

  @Test(
    "a text of too many values is an error before they take memory",
    arguments: ["[1,2,3,4", "[[1],[2],[", #"{"a":1,"b":{"c":2,"d":3}"#, "[[],[],[],[]"])
  func values(text: String) throws {
    let error = #expect(throws: ParseError.self) {
      try Value(parsing: text, limits: ParseLimits(values: 3))
    }
    #expect(error?.problem == .tooMany(limit: 3))
    #expect(try Value(parsing: "[[1],2]", limits: ParseLimits(values: 4)) == [[1], 2])
  }
}

import Testing

@testable import ValueTree

@Suite("Unwrapped JSON") struct TextUnwrappingTests {
  private func unwrapped(_ text: String) -> String? {
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: text.utf8.count + 8, alignment: 1)
    defer { room.deallocate() }
    guard let start = room.baseAddress,
      let length = Array(text.utf8).withUnsafeBufferPointer({
        ValueScanner($0).unwrap(into: start)
      })
    else { return nil }
    return String(decoding: room[..<length], as: UTF8.self)
  }

  @Test("Objects and arrays in strings are values between line ends")
  func values() {
    #expect(
      unwrapped(#"{"a": "{\"b\": \"c\\\"\\n\"}", "d":"[1,\"té\"]","e":1}"#)
        == "{\"a\": \n{\"b\": \"c\\\"\\n\"}\n, \"d\":\n[1,\"té\"]\n,\"e\":1}")
  }

  @Test(
    "Other text stays",
    arguments: ["", "{}", #"{"a":"x\"{y","b":"3","c":""}"#, #"["\"{\\","é"]"#])
  func others(text: String) { #expect(unwrapped(text) == text) }

  @Test(
    "Only the parser can tell rare escapes, truncated strings and control characters",
    arguments: [
      #"["{\u0041}"]"#, #"["{\n}"]"#, #"["{\"a"#, #"["{\"#, #"["a"#, "[\"{\t}\"]", #"[\"{}"]"#,
    ])
  func unknown(text: String) { #expect(unwrapped(text) == nil) }
}

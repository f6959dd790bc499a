import TestSupport
import Testing

@testable import ValueTree

@Suite struct ValueScannerTests {
  private func scan<Result>(_ text: String, _ body: (ValueScanner) -> Result) -> Result {
    Array(text.utf8).withUnsafeBufferPointer { body(ValueScanner($0)) }
  }

  private func found(_ text: String, _ path: String...) -> String? {
    scan(text) { scanner in
      scanner.range(of: ScanPath(path)).map { String(decoding: scanner.bytes[$0], as: UTF8.self) }
    }
  }

  @Test("a path is found without looking at anything else")
  func path() {
    let text = #" {"a" : [1, {"b\"]}": "x\\"} , true], "c": {"é": -1.5e3 }}"#
    #expect(found(text, "a", "0") == "1")
    #expect(found(text, "a", "1") == #"{"b\"]}": "x\\"}"#)
    #expect(found(text, "a", "1", "b\"]}") == #""x\\""#)
    #expect(found(text, "a", "2") == "true")
    #expect(found(text, "c", "é") == "-1.5e3")
    #expect(found(text, "a", "3") == nil)
    #expect(found(text, "a", "01") == nil)
    #expect(found(text, "c", "e\u{301}") == nil)
    #expect(found(text, "c", "é", "0") == nil)
  }

  @Test("where a key comes twice the last one counts, as in parsing")
  func duplicates() { #expect(found(#"{"a":1,"b":2,"\u0061":3}"#, "a") == "3") }

  @Test("a torn text has no end", arguments: ["", "[1", "\"abc", "\"abc\\\"", "{\"a\":", "[\"]"])
  func torn(text: String) { #expect(scan(text) { $0.value(from: 0) } == nil) }

  @Test("members and elements are given in order, and true when all were seen")
  func children() {
    var keys: [String] = []
    let text = #"{"a":1, "b":[2,3] ,"c":{}}"#
    #expect(
      scan(text) { scanner in
        scanner.members(from: 0) { key, value in
          keys.append(
            String(decoding: scanner.bytes[key], as: UTF8.self) + "="
              + String(decoding: scanner.bytes[value], as: UTF8.self))
          return true
        }
      })
    #expect(keys == [#""a"=1"#, #""b"=[2,3]"#, #""c"={}"#])
    #expect(!scan(#"{"a":1"#) { $0.members(from: 0) { _, _ in true } })
    #expect(scan("[1,2") { $0.endOfElements(from: 0) { $0 + 1 } } == nil)
    #expect(scan("[ ]") { $0.endOfElements(from: 0) { $0 + 1 } } == 3)
  }

  @Test("every path of a parsed value is found at the bytes that parse to it")
  func agreesWithParsing() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for _ in 0..<300 {
      let value = random.value(depth: 4)
      let bytes = value.bytes(.pretty)
      try bytes.withUnsafeBufferPointer { buffer in
        let scanner = ValueScanner(buffer)
        for (path, part) in value.allPaths {
          let range = try #require(scanner.range(of: ScanPath(path)), "seed \(RandomRuns.seed)")
          #expect(try Value(parsing: buffer[range]).isExactlyEqual(to: part))
        }
      }
    }
  }

  @Test("a container ends where a look at one byte after the other finds its end")
  func ends() {
    func end(_ bytes: [UInt8], _ start: Int) -> Int? {
      var (depth, isText, isEscaped) = (0, false, false)
      for place in start..<bytes.count {
        let byte = Character(Unicode.Scalar(bytes[place]))
        if isText {
          if byte == "\"", !isEscaped { isText = false }
          isEscaped = byte == "\\" && !isEscaped
        } else if byte == "\"" {
          isText = true
        } else if "[{".contains(byte) {
          depth += 1
        } else if "]}".contains(byte) {
          depth -= 1
          if depth == 0 { return place + 1 }
        }
      }
      return nil
    }
    var random = SeededGenerator(seed: RandomRuns.seed)
    let long = String(repeating: "a", count: 61)
    let pieces = [
      "[", "{", "]", "}", "a", ",", #""]""#, #""\\""#, #""\"]}""#, #""\\\"{""#, #""\\[\\""#, "[[[",
      "]]]",
      "\"\(long)]\"", #""\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"]""#,
    ]
    for round in 0..<1_000 {
      let before = Int.random(in: 0..<70, using: &random)
      var text = String(repeating: " ", count: before) + "["
      for _ in 0..<Int.random(in: 1..<60, using: &random) {
        text += pieces.randomElement(using: &random)!
      }
      let bytes = Array(text.utf8).dropLast(Int.random(in: 0..<2, using: &random))
      let found = Array(bytes).withUnsafeBufferPointer {
        ValueScanner($0).value(from: before)?.upperBound
      }
      let isRight = found == end(Array(bytes), before)
      #expect(isRight, "seed \(RandomRuns.seed), round \(round): \(text)")
    }
  }

  @Test("bytes are found alike with vectors and without")
  func blocks() {
    var random = SeededGenerator(seed: RandomRuns.seed)
    let alphabet: [UInt8] = [0x22, 0x5B, 0x7B, 0x5D, 0x7D, 0x5C, 0, 0xFF, 0x20, 0x02, 0xA2]
    for _ in 0..<1_000 {
      let bytes = (0..<ByteBlock.count).map { _ in alphabet.randomElement(using: &random)! }
      bytes.withUnsafeBytes { buffer in
        let block = ByteBlock(buffer.baseAddress!)
        for (byte, bits) in [(0x22, 0), (0x5C, 0), (0x7B, 0x20), (0x7D, 0x20)] as [(UInt8, UInt8)] {
          let places = bytes.indices.filter { bytes[$0] | bits == byte }
            .reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
          #expect(block.places(of: byte, setting: bits) == places)
          #expect(block.placesInWords(of: byte, setting: bits) == places)
        }
      }
    }
  }

  @Test("no bytes make the scanner leave them")
  func hostile() {
    var random = SeededGenerator(seed: RandomRuns.seed)
    let alphabet = Array("[]{}\",:\\ a0\n".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
        alphabet.randomElement(using: &random)!
      }
      bytes.withUnsafeBufferPointer { buffer in
        let scanner = ValueScanner(buffer)
        if let range = scanner.range(of: ["a"]) { #expect(range.upperBound <= bytes.count) }
        _ = scanner.range(of: ["0", "0"])
      }
    }
  }
}

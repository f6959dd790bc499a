import TestSupport
import Testing

@testable import SessionFile

@Suite("UTF-8") struct UTF8CheckTests {
  private func isUTF8(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(\.isUTF8) }

  @Test("all sequences of two bytes, and the ends of each row of the standard's table")
  func short() {
    let edges: [UInt8] = [
      0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
      0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var wrong: [[UInt8]] = []
    func check(_ bytes: [UInt8]) {
      if isUTF8(bytes) != (String(validating: bytes, as: UTF8.self) != nil) { wrong.append(bytes) }
    }
    for first in UInt8.min...UInt8.max {
      check([first])
      for second in UInt8.min...UInt8.max { check([first, second]) }
    }
    for first in edges {
      for second in edges {
        for third in edges {
          check([first, second, third])
          for fourth in edges { check([first, second, third, fourth]) }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("a wrong byte anywhere in a long text")
  func long() {
    var random = SeededGenerator(seed: 12)
    let characters: [Character] = ["a", "b", "\"", "é", "€", "😀", "\u{7FF}", "\u{FFFF}"]
    var valid = 0
    for _ in 0..<4_000 {
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        Int.random(in: 0..<4, using: &random) > 0 ? "a" : characters.randomElement(using: &random)
      }
      var bytes = Array(String(text.compactMap(\.self)).utf8)
      if let place = bytes.indices.randomElement(using: &random), Bool.random(using: &random) {
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      if expected { valid += 1 }
      #expect(isUTF8(bytes) == expected, "\(bytes)")
    }
    #expect((2_000..<4_000).contains(valid))
  }
}

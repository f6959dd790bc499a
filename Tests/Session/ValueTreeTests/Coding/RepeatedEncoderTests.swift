import Testing
import ValueTree

@Suite("An encoder of many values") struct RepeatedEncoderTests {
  private struct Item: Encodable {
    var name: String
    var tags: [String]
  }

  /// Encodes its item with the encoder that encodes it.
  private struct Reentrant: Encodable {
    let encoder: RepeatedEncoder
    var item: Item
    var fails = false

    func encode(to outer: any Encoder) throws {
      var container = outer.singleValueContainer()
      if fails { throw EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "")) }
      try container.encode(encoder.encode(item).text())
    }
  }

  @Test("it encodes as the usual one does, also inside itself and after an error")
  func sameTree() throws {
    let encoder = RepeatedEncoder()
    for number in 0..<5 {
      let item = Item(name: "tea \(number)", tags: Array(repeating: "a", count: number))
      let usual = try ValueEncoder().encode(item)
      #expect(try encoder.encode(item) == usual)
      let inside = Reentrant(encoder: encoder, item: item)
      #expect(try encoder.encode(inside) == .string(usual.text()))
      #expect(throws: EncodingError.self) {
        try encoder.encode(Reentrant(encoder: encoder, item: item, fails: true))
      }
    }
  }
}

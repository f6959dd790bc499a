import FoundationEssentials
import Testing
import ValueTree

@Suite struct CodableRoundTripTests {
  enum Kind: Codable, Equatable {
    case plain
    case labelled(name: String, count: Int)
    case pair(Int, Double?)
  }

  enum Color: String, Codable, CodingKeyRepresentable { case red, green }

  struct Everything: Codable, Equatable {
    var date = Date(timeIntervalSinceReferenceDate: 785_435_123.25)
    var data = Data([0, 255, 16])
    var url = URL(string: "https://example.org/a?b=c")
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var decimal = Decimal(string: "12345678901234567890.123456789")
    var infinite: [Double] = [Double.infinity, -Double.infinity, -0.0, 0.1, 1]
    var float: Float = 0.1
    var unsigned = UInt64.max
    var kinds: [Kind] = [.plain, .labelled(name: "a", count: 2), .pair(1, nil)]
    var byInteger = [7: "seven"]
    var byColor = [Color.red: 1]
    var nested: [String: [Int?]] = ["a": [1, nil]]
    var missing: Int?
  }

  @Test("every stated form is written as stated")
  func forms() throws {
    let value = try ValueEncoder().encode(Everything())
    #expect(
      value.text(.pretty) == """
        {
          "date": 785435123.25,
          "data": "AP8Q",
          "url": "https://example.org/a?b=c",
          "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
          "decimal": 12345678901234567890.123456789,
          "infinite": [
            "Infinity",
            "-Infinity",
            -0.0,
            0.1,
            1.0
          ],
          "float": 0.1,
          "unsigned": 18446744073709551615,
          "kinds": [
            {
              "plain": {}
            },
            {
              "labelled": {
                "name": "a",
                "count": 2
              }
            },
            {
              "pair": {
                "_0": 1
              }
            }
          ],
          "byInteger": {
            "7": "seven"
          },
          "byColor": {
            "red": 1
          },
          "nested": {
            "a": [
              1,
              null
            ]
          }
        }
        """)
  }

  @Test("what was encoded decodes to the same value")
  func roundTrip() throws {
    let value = try ValueEncoder().encode(Everything())
    #expect(try ValueDecoder().decode(Everything.self, from: value) == Everything())
    let parsed = try Value(parsing: value.text())
    #expect(try ValueDecoder().decode(Everything.self, from: parsed) == Everything())
  }

  @Test("a scalar is written and read by itself as it is in a list")
  func scalars() throws {
    func check<Scalar: Codable & Equatable>(_ scalar: Scalar) throws {
      let value = try ValueEncoder().encode(scalar)
      let list = try ValueEncoder().encode([scalar])
      #expect(value.text() == list[0]?.text())
      #expect(try ValueDecoder().decode(Scalar.self, from: value) == scalar)
      #expect(try ValueDecoder().decode([Scalar].self, from: list) == [scalar])
    }
    try check(Int.min)
    try check("a")
    try check(true)
    try check(0.1)
    try check(-Double.infinity)
    #expect(try ValueEncoder().encode(-0.0).text() == "-0.0")
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Int.self, from: "1") }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(String.self, from: .null) }
  }

  @Test("a decoding error names the path")
  func errorPath() throws {
    let error = #expect(throws: DecodingError.self) {
      try ValueDecoder().decode([String: [Int]].self, from: ["a": [1, "x"]])
    }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("not a type mismatch: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "expected an integer at /a/1, found a string")
  }
}

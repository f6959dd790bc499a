import Testing
import ValueTree

@testable import SessionWords

@Suite("Members of another program's objects")
struct ValueFieldsTests {
  @Test(
    "a whole number has at most 17 digits, however it is written",
    arguments: [
      ("0", 0), ("-7", -7), ("1.0", 1), ("1e3", 1_000), ("-2.50e1", -25),
      ("99999999999999999", 99_999_999_999_999_999),
      ("-99999999999999999", -99_999_999_999_999_999),
      ("100000000000000000", nil), ("-9223372036854775808", nil), ("18446744073709551615", nil),
      ("9007199254740991.0", 9_007_199_254_740_991), ("9007199254740992.0", nil), ("1.5", nil),
      ("1e400", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
    ] as [(String, Int?)])
  func int(text: String, number: Int?) throws {
    #expect(ValueFields.int(try Value(parsing: text)) == number)
    #expect(ValueFields.number(try Value(parsing: text)) == number.flatMap { $0 < 0 ? nil : $0 })
  }

  @Test(
    "seconds have at most nine decimal places, and a thousand years",
    arguments: [
      ("0", .zero), ("12.5", .milliseconds(12_500)), ("-0.5", .milliseconds(-500)),
      ("-1.5", .milliseconds(-1_500)), ("0.000000001", .nanoseconds(1)),
      ("31999999999", .seconds(31_999_999_999)), ("32000000000", nil), ("-32000000000", nil),
      ("3.2e10", nil), ("1e400", nil), ("\"1\"", nil), ("null", nil),
    ] as [(String, Duration?)])
  func seconds(text: String, duration: Duration?) throws {
    #expect(Duration(decimalSeconds: try Value(parsing: text)) == duration)
    if let duration { #expect(duration.decimalSeconds == text) }
  }

  @Test("a time that is none is left out where it may be absent, and refused elsewhere")
  func times() throws {
    let fields = try ValueFields(["time": "soon", "null": .null, "one": 1], at: "step")
    #expect(fields.time("time") == nil)
    #expect(throws: ValueFieldError(place: "step.time", expected: "seconds")) {
      try fields.duration("time")
    }
    #expect(try fields.duration("null") == nil)
    #expect(try fields.duration("none") == nil)
    #expect(try fields.duration("one") == .seconds(1))
  }

  @Test("null counts as absent, except where it is a value")
  func nulls() throws {
    let fields = try ValueFields(["null": .null, "false": false, "yes": "true"], at: "x")
    #expect(fields.optional("null") == nil && fields.member("null") == .null)
    #expect(try fields.optionalString("null") == nil)
    #expect(try fields.optionalInt("null") == nil)
    #expect(try fields.optionalValues("null") == nil)
    #expect(try fields.strings("null") == [])
    #expect(try fields.value("null") == .null)
    #expect(!fields.bool("null") && !fields.bool("false") && !fields.bool("yes"))
    #expect(fields.others(than: ["null", "yes"]) == ["false": false])
  }

  @Test("a pointer is one of RFC 6901")
  func pointers() throws {
    let fields = try ValueFields(["good": "/a~1b/0", "bad": "a/b", "no": 1], at: "x")
    #expect(try fields.pointer("good").tokens == ["a/b", "0"])
    #expect(throws: ValueFieldError(place: "x.bad", expected: "a JSON Pointer")) {
      try fields.pointer("bad")
    }
    #expect(throws: ValueFieldError.self) { try fields.pointer("no") }
  }

  @Test("nil, false and empty lists are left out of an object; a value never is")
  func leftOut() {
    let object: LineObject = [
      "nil": String?.none, "false": false, "list": [Int](), "null": Value.null,
      "array": Value.array([]), "text": "", "zero": 0,
    ]
    #expect(object.value.text() == #"{"null":null,"array":[],"text":"","zero":0}"#)
  }
}

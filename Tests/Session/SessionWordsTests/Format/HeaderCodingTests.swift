import Testing
import ValueTree

@testable import SessionWords

@Suite("The header of a session")
struct HeaderCodingTests {
  private func header(_ text: String) throws -> SessionHeader {
    try SessionHeader(Value(parsing: text), version: .current)
  }

  @Test(
    "a header with each of its members is written as it was read, with those that nobody knows",
    arguments: [
      #"{"retcon":"1.1","can":"replay","states":"every"}"#,
      #"""
      {"retcon":"1.1","session":"2k","app":{"name":"Cart","version":"1.2","build":7},\#
      "can":"browse","because":"no reducer","started":"2026-11-20T10:56:00.123Z",\#
      "seed":18446744073709551615,"tape":["date"],"redacted":["/user"],"states":16,\#
      "snapshots":"encoded","causes":"unknown","middleware":"none","part":2,"origin":{"format":"trim",\#
      "file":"a.json","position":0,"states":"node","tool":{"v":1}},"later":[1],"first":4,\#
      "time":1.5,"effects":[{"effect":3,"time":0.5,"from":2,"ordinal":1,"name":"n",\#
      "file":"f","line":9,"cancel":"c","pause":0.25,"mood":true}],"state":null}
      """#,
      #"""
      {"retcon":"1.1","can":"replay","states":"first","snapshots":"copied",\#
      "origin":{"format":"JSON Lines"},"effects":[{"effect":3,"from":2,"ordinal":0,\#
      "file":"","line":0}],"state":{}}
      """#,
    ])
  func rewritten(text: String) throws {
    #expect(String(decoding: try header(text).bytes, as: UTF8.self) == text + "\n")
  }

  @Test("members that a header may lack, or that no reader knows, have their usual values")
  func usual() throws {
    #expect(try header("{}") == SessionHeader())
    let odd = #"{"seed":-1,"snapshots":"guessed","causes":"known","part":0,"time":"soon"}"#
    #expect(try header(odd) == SessionHeader())
    #expect(try header(#"{"seed":1.5}"#).seed == nil)
    #expect(try header(#"{"state":null}"#).state == .null)
    #expect(
      try header(#"{"can":"dream"}"#).capability == .browse(because: "the recorder says \"dream\""))
  }

  @Test(
    "a wrong member is named with its place",
    arguments: [
      ("7", "header: expected an object"),
      (#"{"app":"Cart"}"#, "header.app: expected an object"),
      (#"{"app":{"version":"1"}}"#, "header.app.name: expected a value"),
      (#"{"app":{"name":"a","version":1}}"#, "header.app.version: expected a string"),
      (#"{"session":1}"#, "header.session: expected a string"),
      (#"{"started":0}"#, "header.started: expected a string"),
      (#"{"can":true}"#, "header.can: expected a string"),
      (#"{"can":"browse","because":[]}"#, "header.because: expected a string"),
      (#"{"tape":"date"}"#, "header.tape: expected an array"),
      (#"{"tape":["date",1]}"#, "header.tape[1]: expected a string"),
      (#"{"redacted":[null]}"#, "header.redacted[0]: expected a string"),
      (#"{"states":0}"#, #"header.states: expected "every", "first" or a number"#),
      (#"{"states":"some"}"#, #"header.states: expected "every", "first" or a number"#),
      (#"{"snapshots":1}"#, "header.snapshots: expected a string"),
      (#"{"part":"2"}"#, "header.part: expected a whole number"),
      (#"{"first":-1}"#, "header.first: expected a number from 0 on"),
      (#"{"origin":{}}"#, "header.origin.format: expected a value"),
      (
        #"{"origin":{"format":"a","position":-1}}"#,
        "header.origin.position: expected a number from 0 on"
      ),
      (#"{"effects":{}}"#, "header.effects: expected an array"),
      (#"{"effects":[{"from":1}]}"#, "header.effects[0].effect: expected a value"),
      (#"{"effects":[{"effect":1}]}"#, "header.effects[0].from: expected a value"),
    ])
  func wrong(text: String, sentence: String) throws {
    do {
      let header = try header(text)
      Issue.record("read as \(header)")
    } catch let error as ValueFieldError {
      #expect("\(error)" == sentence)
    }
  }

  @Test("of a line that starts an effect, a header keeps the members that nobody knows")
  func unknownOfLine() throws {
    let line = try Value(
      parsing: #"{"effect":1,"event":"started","after":2,"time":1,"from":2,"mood":"fine"}"#)
    #expect(EffectInFlight.unknown(inLine: line) == ["mood": "fine"])
    #expect(EffectInFlight.unknown(inLine: 7) == [:])
  }

  @Test(
    "a version is two numbers",
    arguments: [
      ("1.0", FormatVersion(major: 1, minor: 0)), ("12.34", FormatVersion(major: 12, minor: 34)),
      ("1", nil), ("1.0.0", nil), ("1.", nil), ("-1.0", nil), ("1.-0", nil), ("+1.0", nil),
      ("01.0", nil), ("1.1 ", nil), ("99999999999999999999.0", nil),
    ])
  func version(text: String, version: FormatVersion?) {
    #expect(FormatVersion(text) == version)
    if let version { #expect("\(version)" == text) }
  }

  @Test("versions are ordered by their numbers")
  func order() {
    let versions = ["0.9", "1.0", "1.2", "1.10", "2.0"].compactMap { FormatVersion($0) }
    #expect(versions.count == 5 && versions.shuffled().sorted() == versions)
  }

  @Test("steps that set the state have labels alone in what Retcon wrote as format 1.0")
  func setLabels() {
    func has(_ minor: Int, _ format: String?) -> Bool {
      var header = SessionHeader()
      header.version = FormatVersion(major: 1, minor: minor)
      header.origin = format.map { SessionHeader.Origin(format: $0) }
      return header.hasSetLabels
    }
    #expect(has(0, "trim") && has(0, "branch fork 1"))
    #expect(!has(1, "trim") && !has(0, "Redux DevTools") && !has(0, nil))
  }
}

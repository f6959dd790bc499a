import TestSupport
import Testing

@testable import ValueTree

@Suite struct ValueParserTests {
  @Test("what one text teaches a parser changes nothing in what it makes of the next")
  func agreesWithAFreshParser() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    let parser = ValueParser()
    for run in 0..<RandomRuns.count / 4 {
      var bytes = random.value(depth: 4).bytes()
      if run.isMultiple(of: 5) { bytes[random.pick(0..<bytes.count)] = UInt8(random.pick(0..<256)) }
      let fresh = Result { () throws(ParseError) in try Value(parsing: bytes).text() }
      let kept = Result { () throws(ParseError) in try parser.parse(bytes).text() }
      try #require(fresh == kept, "seed \(RandomRuns.seed), run \(run)")
    }
  }

  @Test("objects with the same keys share one shape, across texts")
  func shapes() throws {
    let parser = ValueParser()
    guard
      case .object(let first) = try parser.parse(Array(#"{"id":1,"title":"a"}"#.utf8)),
      case .object(let second) = try parser.parse(Array(#"{ "id" : 2, "title" : "b" }"#.utf8))
    else {
      Issue.record("no objects")
      return
    }
    #expect(first.node?.header.shape === second.node?.header.shape)
  }

  @Test("keys that hold a quote or an escape are never taken for a text that was foreseen")
  func keysWithEscapes() throws {
    let parser = ValueParser()
    for text in [#"{"a\"b":1}"#, #"{"a\"b":2}"#, #"{"a":1}"#, #"{"\u0061":2}"#, #"{"a\\":3}"#] {
      #expect(try parser.parse(Array(text.utf8)) == Value(parsing: text))
    }
    #expect(throws: ParseError.self) { try parser.parse(Array(#"{"a"b":1}"#.utf8)) }
  }
}

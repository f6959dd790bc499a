import Glibc
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

/// Every prefix of a file that holds its header is a session, and tells what its whole lines tell.
@Suite("Cut files") struct CutTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One line of every kind, with every key of it.
  private static let everyKind = """
    {"retcon":"1.0","session":"a1","app":{"name":"A","version":"1"},"can":"replay","seed":42,"first":3,"effects":[{"effect":1,"from":2,"file":"A.swift","line":9}],"state":{"a":[1,2,3],"b":{"c":"d"}}}
    {"begin":4,"time":0.6,"label":"x","action":{"x":{}},"cause":"user"}
    {"read":"random","begin":4,"value":4}
    {"step":4,"time":0.6,"label":"x","action":{"x":{}},"reads":[{"key":"random","value":4},{"key":"uuid","error":"no"}],"patch":[{"op":"add","path":"/a/-","value":4},{"op":"move","from":"/a/0","path":"/b/e"}]}
    {"effect":2,"event":"started","after":4,"time":0.7,"from":4,"ordinal":1,"name":"é","file":"A.swift","line":12,"cancel":"id"}
    {"tape":"fact"}
    {"read":"fact","effect":2,"after":4,"time":0.8,"value":"seven"}
    {"read":"fact","after":4,"time":0.9,"error":{"code":-1}}
    {"step":5,"keyframe":true,"label":"y","action":{"y":{"_0":1}},"cause":{"effect":2},"patch":[{"op":"replace","path":"/b/c","value":"é"}],"state":{"a":[2,3,4],"b":{"c":"é","e":1}}}
    {"effect":1,"event":"cancelled","after":5,"outside":true}
    {"effect":2,"event":"failed","after":5,"time":1.1,"message":"gone"}
    {"signpost":"here","after":5,"time":1.2,"value":{"n":1}}
    {"lost":[6,7],"lines":2,"because":"No space left on device"}
    {"step":8,"keyframe":true,"label":"z","action":"z","cause":{"output":5},"skipped":true,"error":"e","standing":["assumed","timed out"],"state":{"a":[],"b":{}}}
    {"step":9,"label":"w","action":null,"dropped":true}
    {"novelty":[1,2]}

    {"step":10,"label":"v","action":[1],"patch":[{"op":"remove","path":"/b"}],"later":true}
    {"begin":11,"label":"boom","action":1}
    {"read":"random","begin":11,"error":1}
    {"end":10,"time":2}

    """

  @Test(
    "A file with every kind of line, cut at every byte behind its header, tells its whole lines")
  func everyKind() throws { try expectPrefixes(of: Array(Self.everyKind.utf8), every: 1) }

  @Test("Random sessions, cut at many places, tell their whole lines")
  func random() throws {
    var random = SeededGenerator(seed: 20_261_120)
    for _ in 0..<(getenv("RETCON_LONG") == nil ? 4 : 40) {
      try RandomSession(&random, keepsParts: false).write(to: folder("random.retcon"))
      let bytes = folder.bytes("random.retcon")
      unlink(folder("random.retcon"))
      try expectPrefixes(of: bytes, every: max(1, bytes.count / 150))
    }
  }

  private func expectPrefixes(of bytes: [UInt8], every distance: Int) throws {
    let path = try folder.write(bytes, to: "whole")
    let whole = try SessionReader(path: path)
    var states: [Int: Value] = [:]
    for number in whole.steps { states[number] = try? whole.state(after: number) }
    let start = try #require(bytes.firstIndex(of: 0x0A)) + 1
    let places = stride(from: start, to: bytes.count, by: distance) + [bytes.count]
    for end in places {
      let session = try SessionReader(path: folder.write(Array(bytes[..<end]), to: "cut"))
      let expected = Lines(bytes[start..<end])
      let comment = Comment("cut at \(end)")
      #expect(session.steps.upperBound == max(whole.header.firstStep, expected.last), comment)
      #expect(session.isFinished == expected.isFinished, comment)
      #expect(session.tape == whole.header.tape + expected.tapes, comment)
      #expect(try session.effectEvents(in: session.steps) == expected.events, comment)
      #expect(try session.outsideReads(in: session.steps) == expected.reads, comment)
      #expect(try session.signposts(in: session.steps) == expected.signposts, comment)
      for (number, step) in expected.steps { #expect(try session.step(number) == step, comment) }
      for number in session.steps where expected.steps[number] != nil {
        let state = try? session.state(after: number)
        #expect(state == states[number], "cut at \(end), state \(number)")
      }
      let torn = session.notices.filter { if case .tornTail = $0.finding { true } else { false } }
      #expect(torn.isEmpty != expected.isTorn, comment)
    }
  }
}

/// The facts of a text's lines, read one after the other without an index.
private struct Lines {
  var steps: [Int: Step] = [:]
  var events: [EffectEvent] = []
  var reads: [OutsideRead] = []
  var signposts: [Signpost] = []
  var tapes: [String] = []
  var isFinished = false
  var isTorn = false
  /// The last step, one that only began included.
  var last = 0

  init(_ bytes: ArraySlice<UInt8>) {
    let lines = bytes.split(separator: 0x0A)
    for (number, line) in lines.enumerated() {
      guard let value = try? Value(parsing: Array(line)), let line = try? LogLine(value) else {
        isTorn = number == lines.count - 1 && bytes.last != 0x0A
        continue
      }
      take(line)
    }
  }

  private mutating func take(_ line: LogLine) {
    switch line {
    case .step(let line):
      steps[line.step.number] = line.step
      last = line.step.number
    case .begin(let step): last = max(last, step.number)
    case .effect(let event): events.append(event)
    case .read(let read): reads.append(read)
    case .signpost(let signpost): signposts.append(signpost)
    case .tape(let key) where !tapes.contains(key): tapes.append(key)
    case .end: isFinished = true
    default: break
    }
  }
}

private func + (places: StrideTo<Int>, last: [Int]) -> [Int] { Array(places) + last }

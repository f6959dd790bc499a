import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite struct SessionReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A written session is read back: steps, states, effects, reads, signposts")
  func readsBack() throws {
    var header = SessionHeader(
      app: .init("Cart", version: "1.2"), state: ["items": [], "total": 0])
    header.tape = ["random"]
    let writer = try SessionWriter(path: folder("cart.retcon"), header: header)
    let first = Step(
      number: 1, time: .milliseconds(12), label: "added", action: ["added": "Tea"],
      reads: [Read(key: "random", value: 4)])
    let origin = EffectOrigin(step: 1, name: "save", file: "Cart.swift", line: 9, cancelID: "id")
    let second = Step(
      number: 2, time: .milliseconds(34), label: "saved", action: ["saved": [:]],
      cause: .effect(1))
    let started = EffectEvent(
      effect: 1, step: 1, time: .milliseconds(13), kind: .started(origin))
    let finished = EffectEvent(effect: 1, step: 2, kind: .finished)
    let read = OutsideRead(Read(key: "api", outcome: .failure("no")), effect: 1, step: 1)
    try writer.append(first, state: ["items": ["Tea"], "total": 9.5])
    try writer.append(started)
    try writer.append(read)
    try writer.append(second, state: ["items": ["Tea"], "total": 10])
    try writer.append(finished)
    try writer.append(Signpost("checkout", step: 2, value: ["a": 1]))
    try writer.finish()

    #expect(
      folder.text("cart.retcon") == """
        {"retcon":"1.1","app":{"name":"Cart","version":"1.2"},"can":"replay","tape":["random"],"states":"every","state":{"items":[],"total":0}}
        {"step":1,"time":0.012,"label":"added","action":{"added":"Tea"},"cause":"user","reads":[{"key":"random","value":4}],"patch":[{"op":"add","path":"/items/0","value":"Tea"},{"op":"replace","path":"/total","value":9.5}]}
        {"effect":1,"event":"started","after":1,"time":0.013,"from":1,"ordinal":0,"name":"save","file":"Cart.swift","line":9,"cancel":"id"}
        {"read":"api","effect":1,"after":1,"error":"no"}
        {"step":2,"time":0.034,"label":"saved","action":{"saved":{}},"cause":{"effect":1},"patch":[{"op":"replace","path":"/total","value":10}]}
        {"effect":1,"event":"finished","after":2}
        {"signpost":"checkout","after":2,"value":{"a":1}}
        {"end":2,"time":0.034}

        """)

    let session = try SessionReader(path: folder("cart.retcon"))
    #expect(session.header == header)
    #expect(session.steps == 0...2)
    #expect(session.notices == [])
    #expect(session.isFinished)
    #expect(try session.step(0) == .first(0))
    #expect(try session.step(1) == first)
    #expect(try session.step(2) == second)
    #expect(try session.state(after: 0) == ["items": [], "total": 0])
    #expect(try session.state(after: 1) == ["items": ["Tea"], "total": 9.5])
    #expect(try session.state(after: 2) == ["items": ["Tea"], "total": 10])
    #expect(try session.effectEvents(in: 0...2) == [started, finished])
    #expect(try session.effectEvents(in: 2...2) == [finished])
    #expect(try session.outsideReads(in: 0...2) == [read])
    #expect(try session.signposts(in: 0...2).map(\.text) == ["checkout"])
    #expect(
      try session.effectsInFlight(after: 1) == [
        EffectInFlight(effect: 1, origin: origin, time: .milliseconds(13))
      ])
  }

  @Test("A torn last line is dropped with a notice")
  func tornTail() throws {
    let path = try folder.write(
      """
      {"retcon":"1.0","state":0}
      {"step":1,"label":"a","action":"a","patch":[{"op":"replace","path":"","value":1}]}
      {"step":2,"label":"a","act
      """, to: "torn.retcon")
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...1)
    #expect(try session.state(after: 1) == 1)
    #expect(
      session.notices.map(\.sentence) == [
        "line 3 is incomplete and was left out; 1 step is intact."
      ])
  }
}

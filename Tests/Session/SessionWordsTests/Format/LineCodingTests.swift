import Testing
import ValueTree

@testable import SessionWords

@Suite("Lines of a session")
struct LineCodingTests {
  private func line(_ text: String) throws -> LogLine { try LogLine(Value(parsing: text)) }

  private func written(_ line: LogLine) -> String { String(decoding: line.bytes, as: UTF8.self) }

  @Test(
    "a line with each of its members is written as it was read",
    arguments: [
      #"{"step":1,"label":"","action":null,"cause":"user"}"#,
      #"""
      {"step":2,"keyframe":true,"time":0.034,"label":"saved","action":{"saved":{}},\#
      "cause":{"effect":1},"reads":[{"key":"random","value":4},{"key":"api",\#
      "arguments":["a",null],"error":{"code":1}}],"skipped":true,"error":"no",\#
      "stack":"a.js:1","dropped":true,"patch":[],"state":null}
      """#,
      #"""
      {"step":3,"label":"set","action":null,"cause":"user","set":{"pointer":"/a~1b",\#
      "value":null}}
      """#,
      #"""
      {"step":4,"label":"sent","action":1,"cause":{"output":3},"standing":["assumed",\#
      "timed out"],"assumptions":[{"kind":"open","step":5,"effect":3,\#
      "sentence":"who knows","settling":"Answer effect 3, or end or cancel it"}]}
      """#,
      #"{"begin":5,"time":4.1,"label":"boom","action":{"boom":{}},"cause":"user"}"#,
      #"""
      {"effect":1,"event":"started","after":1,"time":0.013,"from":1,"ordinal":2,\#
      "name":"save","file":"Cart.swift","line":9,"cancel":"ID.save","pause":0.5}
      """#,
      #"{"effect":1,"event":"finished","after":2}"#,
      #"{"effect":1,"event":"failed","after":4,"time":2.5,"message":"lost"}"#,
      #"{"effect":1,"event":"cancelled","after":4,"outside":true,"alone":true}"#,
      #"""
      {"read":"fact","effect":1,"after":1,"time":0.8,"took":0.25,"arguments":[7],\#
      "cancelled":true,"value":"prime"}
      """#,
      #"{"read":"fact","after":1,"error":null}"#,
      #"{"read":"random","begin":5,"arguments":[],"value":4}"#,
      #"{"signpost":"checkout","after":4,"time":3.25,"value":null}"#,
      #"{"tape":"fact"}"#,
      #"{"end":1204,"time":192.48}"#,
      #"{"lost":[120,131],"lines":4,"because":"no space","state":{"n":1}}"#,
      #"{"lost":[],"because":"it cannot be read"}"#,
    ])
  func rewritten(text: String) throws {
    #expect(try written(line(text)) == text + "\n")
  }

  @Test("members that a line may lack have their usual values")
  func least() throws {
    #expect(try line(#"{"step":1}"#) == .step(StepLine(Step(number: 1, label: "", action: .null))))
    #expect(
      try line(#"{"effect":1,"event":"started","after":0,"from":0}"#)
        == .effect(
          EffectEvent(effect: 1, step: 0, kind: .started(EffectOrigin(step: 0, file: "", line: 0))))
    )
    #expect(
      try line(#"{"effect":1,"event":"failed","after":0}"#)
        == .effect(EffectEvent(effect: 1, step: 0, kind: .failed(""))))
    #expect(try line(#"{"lost":[1,1]}"#) == .lost(steps: 1...1, lines: 0, because: ""))
    #expect(try line(#"{"lost":null,"state":1}"#) == .lost(steps: nil, lines: 0, because: ""))
    #expect(try line(#"{"end":3,"time":"late"}"#) == .end(step: 3, time: nil))
  }

  @Test("null and an absent state differ, null and an absent cause do not")
  func nulls() throws {
    guard case .step(let none) = try line(#"{"step":1,"cause":null,"patch":null}"#),
      case .step(let null) = try line(#"{"step":1,"state":null}"#)
    else { return #expect(Bool(false)) }
    #expect(none.state == nil && none.patch == nil && none.step.cause == .user)
    #expect(null.state == .null)
  }

  @Test("the first key decides what a line is; other keys and kinds are left alone")
  func firstKey() throws {
    #expect(try line(#"{"shrug":1,"step":2}"#) == .unknown(key: "shrug"))
    #expect(try line(#"{"tape":"a","step":2,"mood":"fine"}"#) == .tape(key: "a"))
    for kind in ["step", "begin", "effect", "read", "signpost", "tape"] {
      let found = Array(kind.utf8).withUnsafeBufferPointer { LineKind(key: $0) }
      #expect("\(found)" == kind)
    }
    for (key, kind) in [("end", LineKind.remark), ("lost", .remark), ("steps", .unknown)] {
      #expect(Array(key.utf8).withUnsafeBufferPointer { LineKind(key: $0) } == kind)
    }
  }

  @Test(
    "a step sets a part of the state only for the user, with both members",
    arguments: [
      (#""cause":{"effect":1},"set":{"pointer":"/a","value":1}"#, false),
      (#""set":{"pointer":"/a"}"#, false), (#""set":{"pointer":"a","value":1}"#, false),
      (#""set":7"#, false), (#""set":{"pointer":"","value":1}"#, true),
    ])
  func set(members: String, sets: Bool) throws {
    guard case .step(let line) = try line(#"{"step":1,\#(members)}"#) else {
      return #expect(Bool(false))
    }
    #expect((line.step.set != nil) == sets)
  }

  @Test(
    "each sender has its word, and a step without one is the user's",
    arguments: [
      (#""user""#, Cause.user), ("null", .user), (#""outside""#, .outside(nil)),
      (#"{"outside":"venue"}"#, .outside("venue")), (#""unknown""#, .unknown),
      (#"{"effect":3}"#, .effect(3)), (#"{"output":2}"#, .output(of: 2)),
    ])
  func senders(word: String, cause: Cause) throws {
    guard case .step(let line) = try line(#"{"step":4,"cause":\#(word)}"#) else {
      return #expect(Bool(false))
    }
    #expect(line.step.cause == cause)
    if word != "null" { #expect(written(.step(line)).contains(#""cause":\#(word)"#)) }
    #expect(throws: (any Error).self) { try self.line(#"{"step":4,"cause":"nobody"}"#) }
  }

  @Test("an effect that was called from outside says so once, and no step started it")
  func called() throws {
    let text =
      #"{"effect":1,"event":"started","after":4,"from":3,"ordinal":1,"name":"save","#
      + #""file":"javascript","line":0,"outside":true}"#
    guard case .effect(let event) = try line(text), case .started(let origin) = event.kind else {
      return #expect(Bool(false))
    }
    #expect(origin.isFromOutside && !event.isFromOutside)
    #expect(written(.effect(event)) == text + "\n")
  }

  @Test("format 1.0 said by a label that a part of the state was set")
  func setByLabel() throws {
    var step = Step(3, setting: SetPart(["total"], value: 8))
    step.set = nil
    step.readSetFromLabel()
    #expect(step.set == SetPart(["total"], value: 8))
    for (label, cause) in [("state set by hands", Cause.user), (step.label, .effect(1))] {
      var other = Step(number: 3, label: label, action: step.action, cause: cause)
      other.readSetFromLabel()
      #expect(other.set == nil)
    }
  }

  @Test("a cancelled read says so, unless its error does")
  func cancelled() throws {
    let step = Step(
      number: 1, label: "", action: .null,
      reads: [
        Read(key: "api", outcome: .value(1), isCancelled: true),
        Read(key: "api", outcome: .failure(["type": "Swift.CancellationError"])),
      ])
    let text = written(.step(StepLine(step)))
    #expect(text.contains(#"{"key":"api","cancelled":true,"value":1}"#))
    #expect(text.contains(#"{"key":"api","error":{"type":"Swift.CancellationError"}}"#))
    #expect(try line(text) == .step(StepLine(step)))
    let begun = LogLine.readBegun(step.reads[0], step: 1)
    #expect(try line(written(begun)) == begun)
  }

  @Test(
    "a missing or wrong member is named with its place",
    arguments: [
      ("[]", "line: expected an object"),
      ("{}", "line: expected a member"),
      (#"{"step":"1"}"#, "line.step: expected a whole number"),
      (#"{"step":-1}"#, "line.step: expected a number from 0 on"),
      (#"{"step":1,"label":2}"#, "line.label: expected a string"),
      (#"{"step":1,"error":{}}"#, "line.error: expected a string"),
      (#"{"step":1,"stack":[]}"#, "line.stack: expected a string"),
      (#"{"step":1,"cause":"me"}"#, causes), (#"{"step":1,"cause":{"effect":-1}}"#, causes),
      (#"{"step":1,"cause":{"output":"1"}}"#, causes),
      (#"{"begin":1,"cause":false}"#, causes),
      (#"{"step":1,"reads":{}}"#, "line.reads: expected an array"),
      (#"{"step":1,"reads":[{"key":"a","value":1},2]}"#, "line.reads[1]: expected an object"),
      (#"{"step":1,"reads":[{"value":1}]}"#, "line.reads[0].key: expected a value"),
      (#"{"step":1,"reads":[{"key":"a"}]}"#, "line.reads[0].value: expected a value"),
      (
        #"{"step":1,"reads":[{"key":"a","arguments":1,"value":1}]}"#,
        "line.reads[0].arguments: expected an array"
      ),
      (#"{"step":1,"standing":["recorded"]}"#, "line.standing: expected two known words"),
      (#"{"step":1,"standing":["equal","recorded"]}"#, "line.standing: expected two known words"),
      (
        #"{"step":1,"standing":["open","new"],"assumptions":[{"kind":"sure"}]}"#,
        "line.assumptions[0].kind: expected a known word, not \"sure\""
      ),
      (#"{"begin":1.5}"#, "line.begin: expected a whole number"),
      (#"{"effect":1,"after":1}"#, "line.event: expected a value"),
      (
        #"{"effect":1,"event":"paused","after":1}"#,
        "line.event: expected a known word, not \"paused\""
      ),
      (#"{"effect":1,"event":"finished"}"#, "line.after: expected a value"),
      (#"{"effect":null,"event":"finished","after":1}"#, "line.effect: expected a whole number"),
      (#"{"effect":1,"event":"started","after":1}"#, "line.from: expected a value"),
      (
        #"{"effect":1,"event":"started","after":1,"from":1,"line":"9"}"#,
        "line.line: expected a whole number"
      ),
      (#"{"read":"a","after":1}"#, "line.value: expected a value"),
      (#"{"read":"a","value":1}"#, "line.after: expected a value"),
      (#"{"read":"a","begin":-2,"value":1}"#, "line.begin: expected a number from 0 on"),
      (
        #"{"read":"a","effect":"x","after":1,"value":1}"#, "line.effect: expected a whole number"
      ),
      (#"{"signpost":1,"after":1}"#, "line.signpost: expected a string"),
      (#"{"signpost":"a"}"#, "line.after: expected a value"),
      (#"{"tape":7}"#, "line.tape: expected a string"),
      (#"{"end":"never"}"#, "line.end: expected a whole number"),
      (#"{"lost":3}"#, "line.lost: expected an array"),
      (#"{"lost":[1,"2"]}"#, "line.lost[1]: expected a whole number"),
      (#"{"lost":[3,2]}"#, "line.lost: expected a first and a last step, or none"),
      (#"{"lost":[1,2,3]}"#, "line.lost: expected a first and a last step, or none"),
      (#"{"lost":[],"lines":-1}"#, "line.lines: expected a number from 0 on"),
    ])
  func wrong(text: String, sentence: String) throws {
    do {
      let line = try line(text)
      Issue.record("read as \(line)")
    } catch let error as ValueFieldError {
      #expect("\(error)" == sentence)
    }
  }

  private static let causes =
    #"line.cause: expected "user", "outside", "unknown", {"outside":name}, "#
    + #"{"effect":n} or {"output":n}"#
}

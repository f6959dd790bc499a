import Testing
import ValueTree

@testable import SessionWords

@Suite("Scripts as hosts and sidecars have them")
struct ScriptCodingTests {
  @Test("a script with each edit is written as it was read")
  func script() throws {
    let text = """
      {"parent":"fork 1","leavesAt":3,"rest":"nothing","edits":[\
      {"edit":"skip","step":4},{"edit":"replace","step":5,"action":null},\
      {"edit":"insert","after":5,"action":{"add":1}},{"edit":"move","step":7,"after":5},\
      {"edit":"read","step":6,"key":"random","index":1,"outcome":{"error":{"code":1}}},\
      {"edit":"set","step":6,"pointer":"/a~0b","value":null},\
      {"edit":"answer","effect":9,"after":6,"outcome":{"emit":null},\
      "live":{"delay":0.5,"reads":[{"key":"api","arguments":["a"],"cancelled":true,"value":2}]}},\
      {"edit":"answer","effect":9,"after":6,"outcome":{"end":"finish"}},\
      {"edit":"answer","effect":9,"after":6,"outcome":{"end":"fail","message":"no"}},\
      {"edit":"answer","effect":9,"after":6,"outcome":{"end":"cancel"}},\
      {"edit":"reply","key":"search","arguments":[],"value":[],"took":0.25}]}
      """
    let script = try Script(Value(parsing: text), at: "script")
    #expect(script.edits.count == 11)
    #expect(String(decoding: script.value.bytes(), as: UTF8.self) == text)
  }

  @Test("an error that the first versions called a failure is read")
  func failure() throws {
    #expect(try Read.Outcome(["failure": 7], at: "x") == .failure(7))
    #expect(try Read.Outcome(["error": .null, "failure": 7], at: "x") == .failure(.null))
  }

  @Test(
    "a wrong member is named with its place",
    arguments: [
      (#"{"leavesAt":1,"rest":"rerun"}"#, "script.parent: expected a value"),
      (#"{"parent":"main","rest":"rerun"}"#, "script.leavesAt: expected a value"),
      (
        #"{"parent":"main","leavesAt":1,"rest":"rest"}"#,
        "script.rest: expected a known word, not \"rest\""
      ),
      (edits("1"), "script.edits[0]: expected an object"),
      (edits(#"{"edit":"undo"}"#), "script.edits[0].edit: expected a known word, not \"undo\""),
      (edits(#"{"edit":"skip"}"#), "script.edits[0].step: expected a value"),
      (edits(#"{"edit":"skip","step":"4"}"#), "script.edits[0].step: expected a whole number"),
      (edits(#"{"edit":"replace","step":4}"#), "script.edits[0].action: expected a value"),
      (edits(#"{"edit":"insert","action":4}"#), "script.edits[0].after: expected a value"),
      (
        edits(#"{"edit":"read","step":1,"key":"a","index":0,"outcome":{}}"#),
        "script.edits[0].outcome.value: expected a value"
      ),
      (
        edits(#"{"edit":"set","step":1,"pointer":"a","value":0}"#),
        "script.edits[0].pointer: expected a JSON Pointer"
      ),
      (
        edits(#"{"edit":"answer","effect":1,"after":1,"outcome":{"end":"sleep"}}"#),
        "script.edits[0].outcome.end: expected a known word, not \"sleep\""
      ),
      (
        edits(#"{"edit":"answer","effect":1,"after":1,"outcome":{"end":"finish"},"live":1}"#),
        "script.edits[0].live: expected an object"
      ),
      (
        edits(#"{"edit":"reply","key":"a","value":1,"took":"long"}"#),
        "script.edits[0].took: expected seconds"
      ),
    ])
  func wrong(text: String, sentence: String) throws {
    do {
      let script = try Script(Value(parsing: text), at: "script")
      Issue.record("read as \(script)")
    } catch let error as ValueFieldError {
      #expect("\(error)" == sentence)
    }
  }

  private static func edits(_ text: String) -> String {
    #"{"parent":"main","leavesAt":1,"rest":"rerun","edits":[\#(text)]}"#
  }

  @Test(
    "a live run is written as it was read",
    arguments: [
      #"""
      {"effect":12,"emissions":[{"delay":0.31,"action":null,"readCount":1}],\#
      "end":"finished","duration":0.311,"reads":[{"key":"api","value":3}]}
      """#,
      #"{"effect":12,"failed":"no","duration":0}"#,
      #"{"effect":12,"stopped":"emissions","duration":10}"#,
    ])
  func live(text: String) throws {
    let run = try LiveRun(Value(parsing: text), at: "run")
    #expect(String(decoding: run.value.bytes(), as: UTF8.self) == text)
  }

  @Test(
    "a live run ends as it says, or it is refused",
    arguments: [
      (#"{"effect":12}"#, "run.end: expected a value"),
      (#"{"effect":12,"end":"paused"}"#, "run.end: expected a known word, not \"paused\""),
      (
        #"{"effect":12,"stopped":"boredom"}"#, "run.stopped: expected a known word, not \"boredom\""
      ),
      (#"{"effect":12,"failed":7}"#, "run.failed: expected a string"),
      (
        #"{"effect":12,"end":"finished","emissions":[{"delay":1}]}"#,
        "run.emissions[0].action: expected a value"
      ),
    ])
  func noEnd(text: String, sentence: String) throws {
    do {
      let run = try LiveRun(Value(parsing: text), at: "run")
      Issue.record("read as \(run)")
    } catch let error as ValueFieldError {
      #expect("\(error)" == sentence)
    }
  }

  @Test("the edits of a live run carry each read once, with the answer that it came before")
  func liveEdits() {
    let reads = ["a", "b", "c"].map { Read(key: $0, value: 1) }
    func edits(_ counts: [Int], _ end: LiveRun.End) -> [String] {
      let emissions = counts.map { LiveRun.Emission(delay: .seconds($0), action: 1, readCount: $0) }
      return LiveRun(
        effect: 1, emissions: emissions, end: end, duration: .seconds(9), reads: reads
      ).edits(after: 4).map { edit in
        guard case .answer(let answer) = edit, let live = answer.live, answer.after == 4 else {
          return "?"
        }
        return live.reads.map(\.key).joined() + " \(live.delay.decimalSeconds)"
      }
    }
    #expect(edits([0, 2], .finished) == [" 0", "ab 2", "c 9"])
    #expect(edits([2, 1, 99], .failed(message: "")) == ["ab 2", " 1", "c 99", " 9"])
    #expect(edits([1], .stopped(.time)) == ["a 1"])
  }

  @Test("an assumption of each subject is written as it was read, with the way to settle it")
  func assumptions() throws {
    let text = """
      [{"kind":"substituted","step":1,"read":"api","index":2,"sentence":"s",\
      "settling":"Say what “api” gives at step 1"},\
      {"kind":"open","step":2,"effect":1000000001,\
      "question":{"key":"search","arguments":["ab"]},"sentence":"s",\
      "settling":"Say what search(\\"ab\\") answers"},\
      {"kind":"stale","step":2,"effect":7,"sentence":"s",\
      "settling":"Answer effect 7 by hand, or run it live"},\
      {"kind":"edited","step":3,"pointer":"","sentence":"s","settling":"Take the edit back"},\
      {"kind":"stale","step":4,"sentence":"s","settling":"Skip step 4, or give it an action"}]
      """
    let fields = try ValueFields(["all": Value(parsing: text)], at: "x")
    let all: [Assumption] = try fields.list("all")
    #expect(
      all.map(\.subject) == [
        .read(key: "api", index: 2), .effect(.firstOfFork), .effect(7), .state(pointer: []),
        .action,
      ])
    #expect(String(decoding: all.ofLine?.bytes() ?? [], as: UTF8.self) == text)
  }

  @Test("an edit says what it changes and from where")
  func places() {
    let edits: [(Edit, place: Int?, step: Int?, leavesAt: Int?)] = [
      (.skip(step: 4), nil, 4, 3), (.replace(step: 4, action: 1), nil, 4, 3),
      (.insert(after: 4, action: 1), 4, nil, 4), (.move(step: 7, after: 4), 4, 7, 4),
      (.move(step: 2, after: 4), 4, 2, 1), (.set(step: 4, pointer: [], value: 1), 4, nil, 4),
      (.read(step: 4, key: "a", index: 0, outcome: .value(1)), nil, 4, 3),
      (.answer(EffectAnswer(effect: 1, after: 4, outcome: .finish)), 4, nil, 4),
      (.reply(Reply(to: Question("a"), .value(1))), nil, nil, nil),
    ]
    for (edit, place, step, leavesAt) in edits {
      #expect(edit.place == place && edit.step == step && edit.leavesAt == leavesAt, "\(edit)")
    }
    #expect(edits.filter(\.0.decidesStep).map(\.step) == [4, 4, 7, 2])
  }
}

import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("Writing files of other tools")
struct SessionExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file, as it is written in a form, and what has no place there.
  private func export(
    _ session: SessionReader, _ form: SessionExport.Form
  ) throws -> (text: String, losses: [String]) {
    let path = folder("export")
    let losses = try SessionExport(session).write(form, to: path, replacing: true)
    let file = try FileBytes(path: path)
    return (String(decoding: try file.bytes(0..<file.count), as: UTF8.self), losses)
  }

  private let lifted = """
    {"monitorState":{},"actionsById":{\
    "0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1000},\
    "1":{"type":"PERFORM_ACTION","action":{"type":"ADD","n":1},"timestamp":1500},\
    "2":{"type":"PERFORM_ACTION","action":{"type":"ADD","n":2},"timestamp":2250,\
    "stack":"Error\\n    at add (cart.js:7:3)"},\
    "3":{"type":"PERFORM_ACTION","action":{"type":"FAIL"},"timestamp":2000}},\
    "nextActionId":4,"stagedActionIds":[0,1,2,3],"skippedActionIds":[2],"currentStateIndex":1,\
    "committedState":{"n":0},\
    "computedStates":[{"state":{"n":0}},{"state":{"n":1}},{"state":{"n":1}},\
    {"state":{"n":1},"error":"boom"}],"isLocked":false,"isPaused":false}
    """

  @Test("lines of large states are written in their order, whatever fits into memory")
  func largeStates() throws {
    let writer = try SessionWriter(path: folder("large.retcon"), header: SessionHeader(state: 0))
    let text = Value.string(String(repeating: "x", count: 3 << 20))
    for number in 1...12 {
      let state: Value = ["n": .number(Number(number)), "text": text]
      try writer.append(Step(number: number, label: "a", action: ["type": "a"]), state: state)
    }
    try writer.finish()
    let lines = try export(SessionReader(path: folder("large.retcon")), .jsonLines).text
      .split(separator: "\n")
    #expect(lines.count == 13)
    #expect(lines.dropFirst().enumerated().allSatisfy { $1.contains(#"{"n":\#($0 + 1),"#) })
  }

  @Test("a lifted state comes out as it went in: times, skips, errors, stacks, the position")
  func liftedState() throws {
    let session = try folder.open(lifted, as: "lifted.json")
    let written = try export(session, .reduxLifted)
    #expect(written.text == lifted)
    #expect(written.losses == [])
  }

  @Test("an export of an app comes out as it went in")
  func actions() throws {
    let text = #"""
      {
      	"payload": "[{\"type\":\"added\",\"title\":\"say \\\"hi\\\"\"},{\"type\":\"reset\"}]",
      	"preloadedState": "{\"n\":1.0}"
      }
      """#
    let written = try export(try folder.open(text, as: "state.json"), .redux)
    #expect(written.text == text)
    #expect(written.losses == [])
  }

  @Test("what a list of actions has no place for makes the payload of an export a lifted state")
  func payload() throws {
    let session = try folder.open(lifted, as: "lifted.json")
    let written = try export(session, .redux)
    #expect(written.text.hasPrefix("{\n\t\"payload\": \"{\\\"monitorState\\\":{},"))
    #expect(written.losses == [])
    let again = try folder.open(written.text, as: "export.json")
    #expect(try export(again, .reduxLifted).text == lifted)
  }

  @Test("a line for each action, with the state after it; skips and errors come back")
  func lines() throws {
    let session = try folder.open(lifted, as: "lifted.json")
    let written = try export(session, .jsonLines)
    #expect(
      written.text == """
        {"state":{"n":0}}
        {"time":0.5,"label":"ADD","action":{"type":"ADD","n":1},"state":{"n":1}}
        {"time":1.25,"label":"ADD","skipped":true,"stack":"Error\\n    at add (cart.js:7:3)","action":{"type":"ADD","n":2},"state":{"n":1}}
        {"time":1,"label":"FAIL","error":"boom","action":{"type":"FAIL"},"state":{"n":1}}

        """)
    #expect(written.losses == ["the position", "the date of the start"])
    let again = try folder.open(written.text, as: "export.jsonl")
    #expect(try export(again, .jsonLines).text == written.text)
  }

  @Test("JSON Lines with dates keep them")
  func dates() throws {
    let text = """
      {"time":1764000000,"label":"a","action":{"type":"a"},"state":1}
      {"time":1764000002.5,"label":"b","action":{"type":"b"},"state":2}

      """
    let written = try export(folder.open(text, as: "log.jsonl"), .jsonLines)
    #expect(written.text == text)
    #expect(written.losses == [])
  }

  @Test("a first state and actions alone stay that: states are for a host to compute")
  func withoutStates() throws {
    let text = """
      {"state":{"n":0}}
      {"time":0.5,"label":"a","action":{"type":"a"}}

      """
    let session = try folder.open(text, as: "log.jsonl")
    #expect(session.header.states == .first)
    #expect(try export(session, .jsonLines).text == text)
    let lifted = try export(session, .reduxLifted)
    #expect(lifted.text.contains(#""committedState":{"n":0},"computedStates":[]"#))
    #expect(lifted.losses == [])
    #expect(try folder.open(lifted.text, as: "lifted.json").header.state == ["n": 0])
  }

  @Test("a lost state is left out and counted, and the other steps are written")
  func lostState() throws {
    let lines = [#"{"action":1,"state":1}"#, #"{"action":2,"state":"#, #"{"action":3,"state":3}"#]
    let session = try folder.open(lines.joined(separator: "\n") + "\n", as: "log.jsonl")
    let written = try export(session, .jsonLines)
    #expect(
      written.text == """
        {"label":"(no type)","action":1,"state":1}
        {"lost":"the line of this step cannot be read"}
        {"label":"(no type)","action":3,"state":3}

        """)
    #expect(written.losses == ["1 lost state"])
  }

  @Test("a lost step stays lost in every form: no host runs it, and no state is made up")
  func lostStep() throws {
    let step = #""cause":"user","action":{"type":"add"}"#
    let session = try folder.open(
      """
      {"retcon":"1.1","states":"every","state":{"n":0}}
      {"step":1,"label":"add",\(step),"patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":3,"label":"add",\(step),"patch":[{"op":"replace","path":"/n","value":6}]}
      {"step":4,"label":"add",\(step),"state":{"n":7}}
      {"end":4}

      """, as: "lost.retcon")
    for form in SessionExport.Form.allCases {
      let copy = try folder.open(try export(session, form).text, as: "copy")
      #expect(
        try copy.steps.map { try copy.step($0).damage }
          == [nil, nil, "the file has no line for this step", nil, nil], "\(form)")
      let states = copy.steps.map { number -> String in
        do throws(SessionError) { return try copy.state(after: number).text() } catch {
          if case .stateLost = error.problem { return "lost" }
          return "absent"
        }
      }
      #expect(states == [#"{"n":0}"#, #"{"n":1}"#, "lost", "absent", #"{"n":7}"#], "\(form)")
      var census = SessionCensus()
      try copy.examine(&census)
      #expect(census.lostSteps == 1, "\(form)")
      #expect(copy.notices.contains { $0.sentence.contains("step 2 is lost") }, "\(form)")
      #expect(try export(copy, form).text == export(session, form).text, "\(form)")
    }
  }

  @Test("a first step that is lost does not hide what the file is")
  func lostFirstStep() throws {
    let copy = try folder.open(#"{"lost":"torn","state":{"n":5}}"# + "\n", as: "log.jsonl")
    #expect(copy.header.origin?.format == "JSON Lines")
    #expect(try copy.step(1).damage == "torn")
    #expect(try copy.state(after: 1) == ["n": 5])
  }

  @Test("numbers that JavaScript rounds are told, and those that it has are not")
  func roundedNumbers() throws {
    func losses(_ number: String) throws -> [String] {
      let text = "{\"action\":{\"type\":\"a\"},\"state\":{\"ids\":[\(number)]},\"time\":0}"
      let session = try folder.open(text, as: "log.jsonl")
      #expect(try export(session, .jsonLines).losses == [])
      #expect(try export(session, .redux).losses == export(session, .reduxLifted).losses)
      return try export(session, .reduxLifted).losses.filter { $0.contains("rounds") }
    }
    for number in ["9007199254740992", "-9007199254740992", "0.1", "1.50", "1e300", "100000e16"] {
      #expect(try losses(number) == [], "\(number)")
    }
    for number in ["9007199254740993", "18446744073709551615", "1e400", "0.12345678901234567890"] {
      #expect(
        try losses(number) == [
          "the exact value of numbers such as \(number): JavaScript rounds them"
        ])
    }
  }

  @Test("a recording of an app: what has no place is counted, and actions get a type")
  func recording() throws {
    var header = SessionHeader(state: ["n": 0])
    header.started = "2026-11-20T10:56:00.5Z"
    let writer = try SessionWriter(path: folder("app.retcon"), header: header)
    try writer.append(
      Step(
        number: 1, time: .milliseconds(20), label: "add", action: ["add": ["_0": 1]],
        reads: [Read(key: "uuid", outcome: .value("1"))]), state: ["n": 1])
    try writer.append(
      EffectEvent(
        effect: 1, step: 1, kind: .started(EffectOrigin(step: 1, file: "A.swift", line: 1))))
    try writer.append(Signpost("here", step: 1))
    try writer.finish()
    let session = try SessionReader(path: folder("app.retcon"))
    let written = try export(session, .reduxLifted)
    #expect(
      written.text.contains(
        #"{"type":"PERFORM_ACTION","action":{"type":"add","payload":{"add":{"_0":1}}},"#
          + #""timestamp":1795172160520}"#))
    #expect(
      written.losses == [
        "what sent each action", "1 event of effects", "1 read", "1 signpost",
        "the form of 1 action without a type, now {\"type\": LABEL, \"payload\": ACTION}",
      ])
    #expect(try export(session, .jsonLines).losses.last == "the date of the start")
  }

  @Test("a file that is there stays, unless it may be replaced")
  func taken() throws {
    let session = try folder.open(lifted, as: "lifted.json")
    let error = #expect(throws: SessionError.self) {
      try SessionExport(session).write(.jsonLines, to: folder("lifted.json"))
    }
    #expect(error?.problem == .alreadyExists)
  }

  @Test("the moment of a text, and texts that name none")
  func moments() {
    let moment: Int64 = 1_795_169_591_999
    #expect(UTCText.of(milliseconds: moment).flatMap(UTCText.milliseconds) == moment)
    #expect(UTCText.milliseconds(of: "2026-11-20T10:56:00Z") == 1_795_172_160_000)
    #expect(UTCText.milliseconds(of: "yesterday") == nil)
    #expect(UTCText.milliseconds(of: "2026-11-20T10:56:00+01:00") == nil)
  }
}

@Suite("Samples there and back", .needs(.samples))
struct SampleRoundTripTests {
  @Test(
    "a session that Redux DevTools wrote is the same after each way",
    arguments: [
      "redux-shop.lifted.json", "redux-shop.lifted-refs.json", "redux-shop.default.json",
      "redux-shop.cut.default.json",
    ], SessionExport.Form.allCases)
  func same(name: String, form: SessionExport.Form) throws {
    let folder = try TemporaryFolder()
    let session = try SessionOpener.standard.open(SampleFiles.path(name))
    let losses = try SessionExport(session).write(form, to: folder("export"))
    let again = try SessionOpener.standard.open(folder("export"))
    #expect(again.stepCount == session.stepCount)
    #expect(again.header.state == session.header.state)
    for number in session.steps.dropFirst() {
      var step = try session.step(number)
      // JSON Lines have no place for the request that an answer belongs to.
      if form == .jsonLines { step.cause = try again.step(number).cause }
      #expect(try again.step(number) == step)
      #expect((try? again.state(after: number)) == (try? session.state(after: number)))
    }
    let isLifted = session.header.origin?.position != nil
    if form == .jsonLines {
      #expect(
        losses.filter { !$0.hasSuffix(" of effects") }
          == (isLifted ? ["the position"] : []))
    } else {
      #expect(losses == [])
      #expect(again.header.started == session.header.started)
      if isLifted { #expect(again.header.origin?.position == session.header.origin?.position) }
    }
  }

  @Test("the export of an app is written byte for byte as Redux DevTools did")
  func bytes() throws {
    let folder = try TemporaryFolder()
    for name in ["redux-shop.default.json", "redux-shop.cut.default.json"] {
      let session = try SessionOpener.standard.open(SampleFiles.path(name))
      _ = try SessionExport(session).write(.redux, to: folder(name))
      let written = try FileBytes(path: folder(name))
      let original = try FileBytes(path: SampleFiles.path(name))
      #expect(
        try String(decoding: written.bytes(0..<written.count), as: UTF8.self)
          == String(decoding: original.bytes(0..<original.count), as: UTF8.self))
    }
  }
}

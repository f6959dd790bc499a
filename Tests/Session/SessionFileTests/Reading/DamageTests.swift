import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Damaged files") struct DamageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func line(_ step: Int, keyframe: Bool = false) -> String {
    let whole = keyframe ? #","state":\#(step)"# : ""
    return #"{"step":\#(step)\#(keyframe ? #","keyframe":true"# : ""),"label":"a","action":"a","#
      + #""patch":[{"op":"replace","path":"","value":\#(step)}]\#(whole)}"#
  }

  private func open(_ lines: [String]) throws -> SessionReader {
    try SessionReader(
      path: folder.write(
        ([#"{"retcon":"1.0","state":0}"#] + lines).joined(separator: "\n") + "\n",
        to: "damaged.retcon"))
  }

  private func sentences(_ session: SessionReader) -> [String] {
    session.notices.map(\.sentence)
  }

  @Test(
    "A bad line in the middle is skipped with its number; states are rebuilt from the next keyframe"
  )
  func badLine() throws {
    let session = try open([
      Self.line(1), #"{"step":2,"label":"a","action":"a","patch":[{"op":"repl#"@},{}}"#,
      Self.line(3), Self.line(4, keyframe: true), Self.line(5),
    ])
    #expect(session.steps == 0...5)
    #expect(try session.step(2).damage == "the line of this step cannot be read")
    #expect(try session.state(after: 1) == 1)
    #expect(throws: SessionError.self) { try session.state(after: 3) }
    #expect(try session.state(after: 4) == 4)
    #expect(try session.state(after: 5) == 5)
    #expect(
      sentences(session) == [
        "line 3 cannot be read: it is not JSON: expected , or }, found @, column 58."
      ])
  }

  @Test("A bad line that begins as a step does not stand in the way of that step's own line")
  func badLineOfAStep() throws {
    let session = try open([
      Self.line(1, keyframe: true), #"{"step":2,"label":"to"#, Self.line(2), Self.line(3),
    ])
    #expect(try session.state(after: 3) == 3)
    #expect(try session.state(after: 2) == 2)
    var followed: [Value?] = []
    var walk = session.walk([Pointer(tokens: ["a"])], from: 0)
    try walk.advance(through: 3) { preview in
      followed.append(preview.state)
      return true
    }
    #expect(followed == [0, 1, 2, 3])
    try session.examine()
    #expect(
      sentences(session) == ["line 3 cannot be read: it does not end with }."])
  }

  @Test("A step that was turned away is not examined: its patch belongs to no state")
  func turnedAway() throws {
    let session = try open([
      Self.line(1), Self.line(2), Self.line(1), Self.line(3, keyframe: true),
      Self.line(7), Self.line(8, keyframe: true),
    ])
    try session.examine()
    #expect(
      sentences(session) == [
        "line 4 was skipped: step 1 does not follow step 2.",
        "line 6: steps 4 to 6 are missing before it; "
          + "states are unknown from there to the next keyframe.",
      ])
  }

  @Test("Lines that end with a carriage return and a line feed are read and trimmed as others")
  func carriageReturns() throws {
    let path = try folder.write(
      "{\"retcon\":\"1.0\",\"state\":0}\r\n\(Self.line(1))\r\n\(Self.line(2))\r\n", to: "dos")
    let session = try SessionReader(path: path)
    #expect(try session.state(after: 2) == 2)
    try session.examine()
    #expect(session.notices == [])
    try SessionTrimmer(session).trim(2...2, to: folder("trim"))
    #expect(folder.text("trim").hasSuffix("}\n\(Self.line(2))\n"))
  }

  @Test("A step that began before the line of an earlier step is no step")
  func begunTooEarly() throws {
    let session = try open([
      #"{"begin":2,"label":"a","action":"a"}"#, Self.line(1, keyframe: true),
    ])
    #expect(session.steps == 0...1)
    #expect(try session.state(after: 1) == 1)
    #expect(sentences(session) == [])
  }

  @Test("A line that gives two numbers tells no step", arguments: ["step", "begin"])
  func twoNumbers(kind: String) throws {
    let session = try open([
      Self.line(1), #"{"\#(kind)":2,"label":"a","action":"a","\#(kind)":1}"#,
    ])
    #expect(try session.step(2).number == 2)
    #expect(try session.step(2).damage == "the line of this step cannot be read")
  }

  @Test("A step that began and is said to be lost did not stop the app")
  func begunAndLost() throws {
    let session = try open([
      Self.line(1), #"{"begin":2,"label":"a","action":"a"}"#,
      #"{"lost":[2,3],"because":"no room"}"#, #"{"end":3}"#,
    ])
    #expect(session.steps == 0...1)
    #expect(session.isFinished)
    #expect(
      sentences(session) == [
        "line 4: steps 2 to 3 are lost: no room; what they did is not known."
      ])
  }

  @Test("Lines between steps that are lost are said, without naming a step")
  func lostLines() throws {
    let session = try open([
      Self.line(1), #"{"lost":[],"lines":2,"because":"no room."}"#, Self.line(2, keyframe: true),
      #"{"lost":[3,3],"lines":1,"because":"no room"}"#, #"{"end":3}"#,
    ])
    #expect(session.steps == 0...2)
    #expect(
      sentences(session) == [
        "line 3: 2 lines between steps are lost: no room; "
          + "reads, signposts or effects may be missing before it.",
        "line 5: step 3 is lost: no room; what it did is not known.",
        "line 5: 1 line between steps is lost: no room; "
          + "reads, signposts or effects may be missing before it.",
      ])
  }

  @Test("A lost step whose state is known has it, also at the end; a step with a line has its own")
  func lostWithState() throws {
    let lines = [
      Self.line(1), #"{"lost":[2,3],"because":"torn","state":{"n":3}}"#,
      #"{"step":4,"label":"a","action":"a","patch":[{"op":"replace","path":"/n","value":4}]}"#,
      #"{"lost":[4,4],"because":"no","state":{"n":9}}"#,
      #"{"lost":[5,6],"because":"torn","state":{"n":6}}"#,
    ]
    let session = try open(lines)
    #expect(session.steps == 0...6)
    #expect(try session.state(after: 3) == ["n": 3])
    #expect(try session.state(after: 4) == ["n": 4])
    #expect(try session.state(after: 6) == ["n": 6])
    for step in [2, 5] { #expect(throws: SessionError.self) { try session.state(after: step) } }
    #expect(try session.step(6).damage == "the file has no line for this step")
    #expect(
      try session.storedSteps(1...6).map(\.tellsState) == [true, false, true, true, false, true])
    var followed: [Value?] = []
    var walk = session.walk([["n"]], from: 2)
    try walk.advance(through: 6) { preview in
      followed.append(preview.value(at: ["n"]))
      return true
    }
    #expect(followed == [nil, 3, 4, nil, 6])
    try session.examine()
    #expect(!session.notices.contains { if case .wrongPatch = $0.finding { true } else { false } })
    for start in [4, 5] {
      try SessionTrimmer(session).trim(start...6, to: folder("from \(start)"))
      let trim = try SessionReader(path: folder("from \(start)"))
      #expect(trim.steps == start - 1...6)
      for step in [3, 4, 6] where trim.steps.contains(step) {
        #expect(try trim.state(after: step) == ["n": .number(Number(step))])
      }
    }
    // More lines come.
    try folder.append(
      #"{"step":7,"label":"a","action":"a","patch":[{"op":"remove","path":"/n"}]}"# + "\n",
      to: "damaged.retcon")
    #expect(try session.refresh() == .steps(7...7))
    #expect(try session.state(after: 7) == [:])
    #expect(try session.state(after: 6) == ["n": 6])
  }

  @Test("A disk that stayed full is one loss, however often the recorder said so")
  func oneLoss() throws {
    let session = try open([
      Self.line(1), #"{"lost":[2,2],"because":"full"}"#, #"{"lost":[3,9],"because":"full"}"#,
      #"{"lost":[10,12],"because":"else"}"#, #"{"end":12}"#,
    ])
    #expect(
      session.notices.map(\.finding) == [
        .lostSteps(2...9, because: "full"), .lostSteps(10...12, because: "else"),
      ])
  }

  @Test("Findings that are too many to list are counted")
  func tooMany() throws {
    let session = try open((1...1_500).map { #"{"lost":[\#($0 * 2),\#($0 * 2)],"because":"x"}"# })
    #expect(session.notices.count == 1_001)
    #expect(session.notices.last?.finding == .more(count: 500))
  }

  @Test("Zero bytes, as a power cut leaves them, are left out")
  func zeroBytes() throws {
    let zeros = String(repeating: "\0", count: 5000)
    let middle = try open([Self.line(1), zeros + Self.line(2), Self.line(3)])
    #expect(middle.steps == 0...3)
    #expect(try middle.state(after: 3) == 3)
    #expect(
      sentences(middle) == [
        "line 3: 5,000 zero bytes, as a power cut leaves them, were left out."
      ])
    let end = try SessionReader(
      path: folder.write("{\"retcon\":\"1.0\",\"state\":0}\n\(Self.line(1))\n\(zeros)", to: "end"))
    #expect(end.steps == 0...1)
    #expect(
      sentences(end) == ["line 3: 5,000 zero bytes, as a power cut leaves them, were left out."])
  }

  @Test("A patch that does not fit is named; states are unknown up to the next keyframe")
  func wrongPatch() throws {
    let session = try open([
      Self.line(1),
      #"{"step":2,"label":"a","action":"a","patch":[{"op":"replace","path":"/x","value":1}]}"#,
      Self.line(3), Self.line(4, keyframe: true),
    ])
    #expect(try session.state(after: 4) == 4)
    #expect(sentences(session) == [])
    let error = #expect(throws: SessionError.self) { try session.state(after: 3) }
    #expect(error?.line == nil)
    #expect(sentences(session).count == 1)
    #expect(
      sentences(session).first?.hasPrefix(
        "line 3: the patch of step 2 does not fit the state before it (") == true)
  }

  @Test("A keyframe that contradicts the patches is found when the file is examined")
  func disagreement() throws {
    let session = try open([
      Self.line(1),
      #"{"step":2,"keyframe":true,"label":"a","action":"a","patch":[],"state":7}"#, Self.line(3),
    ])
    try session.examine()
    #expect(
      sentences(session) == [
        "line 3: the keyframe of step 2 does not match the patches before it; "
          + "states between the two keyframes are doubtful."
      ])
  }

  @Test(
    "Who steps over a keyframe that contradicts its patch comes to know, without an examination")
  func disagreementOnTheWay() throws {
    let session = try open([
      Self.line(1, keyframe: true),
      #"{"step":2,"keyframe":true,"label":"a","action":"a","patch":[],"state":7}"#,
      Self.line(3, keyframe: true),
    ])
    for step in session.steps { _ = try session.state(after: step) }
    #expect(
      sentences(session) == [
        "line 3: the keyframe of step 2 does not match the patches before it; "
          + "states between the two keyframes are doubtful."
      ])
    try session.examine()
    #expect(session.notices.count == 1)
  }

  @Test("Missing step numbers are said, and their places are kept")
  func missingSteps() throws {
    let session = try open([
      Self.line(1), Self.line(4), Self.line(5, keyframe: true), Self.line(5), Self.line(6),
    ])
    #expect(session.steps == 0...6)
    #expect(try session.step(3).damage == "the file has no line for this step")
    #expect(try session.step(4).damage == nil)
    #expect(throws: SessionError.self) { try session.state(after: 4) }
    #expect(try session.state(after: 6) == 6)
    #expect(
      sentences(session) == [
        "line 3: steps 2 to 3 are missing before it; "
          + "states are unknown from there to the next keyframe.",
        "line 5 was skipped: step 5 does not follow step 5.",
      ])
  }

  @Test("A step number that is far away fills no memory")
  func farAway() throws {
    let session = try open([Self.line(1), Self.line(900_000_000_000), Self.line(2)])
    #expect(session.steps == 0...2)
    #expect(
      sentences(session) == ["line 3 was skipped: step 900000000000 does not follow step 1."])
  }

  @Test("A header of a newer minor version opens with a notice, a newer major does not")
  func newerVersion() throws {
    let minor = try SessionReader(
      path: folder.write("{\"retcon\":\"1.7\",\"state\":0}\n", to: "minor"))
    #expect(
      sentences(minor) == [
        "line 1: the session has the newer format 1.7; "
          + "what this program does not know of it is ignored."
      ])
    let path = try folder.write("{\"retcon\":\"2.0\",\"state\":0}\n", to: "major")
    #expect(throws: SessionError(.tooNew(version: "2.0"), path: path, line: 1)) {
      try SessionReader(path: path)
    }
  }

  @Test("The app that stopped inside a reducer leaves its action as the last step")
  func unfinishedStep() throws {
    let session = try open([
      Self.line(1), #"{"begin":2,"label":"boom","action":{"boom":{}},"cause":"user"}"#,
      #"{"read":"random","begin":2,"value":4}"#,
    ])
    #expect(session.steps == 0...2)
    let step = try session.step(2)
    #expect(step.label == "boom")
    #expect(step.reads == [Read(key: "random", value: 4)])
    #expect(step.damage == "the app stopped inside its reducer: the step began and never ended")
    #expect(throws: SessionError.self) { try session.state(after: 2) }
    #expect(
      sentences(session) == [
        "line 3: step 2 (boom) began and never ended; the app stopped inside its reducer."
      ])
  }

  @Test(
    "What is no session gives one sentence with the file, what was found, and what to do",
    arguments: [
      (
        "",
        "the file is empty. Nothing was recorded; check that the app called the recorder and finished it."
      ),
      ("hello \u{1B}[31m\n", "the first line is \"hello .[31m\""),
      ("\u{1F}\u{8B}", "the file holds binary data"),
      (
        "{\"retcon\":\"1.0\",\"state\":{\"a\":",
        "the header cannot be used: it is cut, and no step follows. Repair the first line or record again."
      ),
      ("{\"retcon\":1}\n", "the header cannot be used: \"retcon\" is no version"),
      ("{\"retcon\":\"1.0\",\"first\":-1}\n", "header.first: expected a number from 0 on"),
      (
        "{\"other\":1}\n",
        "this is not a session: the first line is \"{\"other\":1}\". A session begins with a line like"
      ),
    ])
  func foreign(text: String, words: String) throws {
    let path = try folder.write(text, to: "foreign")
    let error = #expect(throws: SessionError.self) { try SessionReader(path: path) }
    #expect(error?.sentence.hasPrefix(path) == true)
    #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
  }

  @Test("A missing file and a folder are said to be that")
  func missing() {
    #expect(throws: SessionError(.missing, path: folder("none"))) {
      try SessionReader(path: folder("none"))
    }
    #expect(throws: SessionError(.isFolder, path: folder.path)) {
      try SessionReader(path: folder.path)
    }
  }
}

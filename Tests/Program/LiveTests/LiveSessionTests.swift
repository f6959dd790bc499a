import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Live

@Suite("A live session")
struct LiveSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ entries: [LiveSession.Entry], from state: Value = ["n": 0], time: Double? = 1_000
  ) throws -> SessionReader {
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: state, time: time, format: "live page")
    let session = try LiveSession(start, at: path, Redaction())
    for entry in entries { try session.add(entry) }
    try session.finish()
    return try SessionReader(path: path)
  }

  private func entry(_ patch: Value, time: Double? = nil) -> LiveSession.Entry {
    var entry = LiveSession.Entry(action: ["type": "a"], .patch(patch))
    entry.time = time
    return entry
  }

  @Test func aPatchThatDoesNotFitLeavesTheStateUnknown() throws {
    let reader = try record([
      entry([["op": "replace", "path": "/n", "value": 1]]), entry(7), entry([]),
    ])
    #expect(try reader.state(after: 1) == ["n": 1])
    #expect(throws: SessionError.self) { try reader.state(after: 2) }
    #expect(throws: SessionError.self) { try reader.state(after: 3) }
    #expect(
      try reader.signposts(in: 0...3).map(\.text) == ["the change of the state does not fit"])
  }

  @Test func copiesMakeNoStateWithoutABound() throws {
    let doubled: Value = .array(
      ValueArray((0..<64).map { ["op": "copy", "from": "/l", "path": .string("/l/\($0)")] }))
    let reader = try record([entry(doubled)], from: ["l": ["x"]])
    #expect(throws: SessionError.self) { try reader.state(after: 1) }
  }

  @Test(arguments: [false, true])
  func copiesAndMovesCarryNoSecretElsewhere(isStream: Bool) throws {
    var redaction = Redaction(keys: ["password"])
    redaction.mustMatch = false
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(
      name: "app", state: ["user": ["password": "SECRET"]], format: "live page")
    let session = try LiveSession(start, at: path, redaction)
    let patches: [Value] = [
      [["op": "copy", "from": "/user/password", "path": "/copy"]],
      [["op": "move", "from": "/copy", "path": "/moved"]],
      [["op": "add", "path": "/n", "value": 1]],
    ]
    for (step, patch) in zip(1..., patches) {
      guard isStream else {
        try session.add(entry(patch))
        continue
      }
      try session.add(LogLine(["step": .number(Number(step)), "label": "a", "patch": patch]))
    }
    try session.finish()
    let reader = try SessionReader(path: path)
    let user: Value = ["password": "<redacted>"]
    #expect(try reader.state(after: 1) == ["user": user, "copy": "<redacted>"])
    #expect(try reader.state(after: 2) == ["user": user, "moved": "<redacted>"])
    #expect(try reader.state(after: 3) == ["user": user, "moved": "<redacted>", "n": 1])
    #expect(!folder.text("live.retcon").contains("SECRET"))
  }

  @Test func aStreamedPatchThatDoesNotFitIsSaidAndLeavesTheStateUnknown() throws {
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: ["n": 0], format: "live page")
    let session = try LiveSession(start, at: path, Redaction())
    let lines: [Value] = [
      ["step": 1, "label": "a", "patch": [["op": "remove", "path": "/m"]]],
      ["step": 2, "label": "a", "patch": [["op": "replace", "path": "/n", "value": 2]]],
      ["step": 3, "label": "a", "state": ["n": 3]],
    ]
    for line in lines { try session.add(LogLine(line)) }
    try session.finish()
    let reader = try SessionReader(path: path)
    #expect(throws: SessionError.self) { try reader.state(after: 1) }
    #expect(throws: SessionError.self) { try reader.state(after: 2) }
    #expect(try reader.state(after: 3) == ["n": 3])
    #expect(
      try reader.signposts(in: 0...3).map(\.text) == ["the change of the state does not fit"])
  }

  @Test(arguments: [-1e300, 1e300, -5, 0.0])
  func timesNeverGoBack(time: Double) throws {
    let reader = try record([entry([], time: 1_500), entry([], time: time)])
    #expect(try reader.step(1).time == .milliseconds(500))
    #expect(try reader.step(2).time == .milliseconds(500))
  }

  /// A part of a secret matches no pattern.
  @Test(arguments: [90, 190, 1_490, 1_990, 5_990, 7_990])
  func whatIsCutIsRedactedFirst(length: Int) throws {
    var redaction = try Redaction(patterns: ["hush[0-9]{30}", "BEGIN[^Z]*Z"])
    redaction.mustMatch = false
    let path = folder.path + "/live.retcon"
    let text =
      String(repeating: "a", count: length) + "hush" + String(repeating: "7", count: 30)
      + String(repeating: "b", count: 9_000)
    let start = LiveSession.Start(name: text, state: 0, format: "live page")
    let session = try LiveSession(start, at: path, redaction)
    var entry = LiveSession.Entry(action: ["type": .string(text)], .lost(text))
    (entry.error, entry.stack, entry.errorLines) = ("Error: BEGIN\nhush\nZ", text, 2)
    try session.add(entry)
    entry.error = text
    try session.add(entry)
    try session.say(text)
    try session.finish()
    #expect(!folder.text("live.retcon").contains("hush"))
  }

  @Test func aJumpHidesTheStateInItsAction() throws {
    var redaction = Redaction(paths: ["/token"])
    redaction.mustMatch = false
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: ["token": "hush"], format: "live page")
    let session = try LiveSession(start, at: path, redaction)
    let jump: Value = ["type": "@@retcon/jump", "state": ["token": "hush"]]
    try session.add(LiveSession.Entry(action: jump, .patch([])))
    try session.finish()
    #expect(!folder.text("live.retcon").contains("hush"))
  }

  @Test func theNameOfAnAppIsRedacted() throws {
    var redaction = try Redaction(patterns: ["secret"])
    redaction.mustMatch = false
    let folder = folder.path
    let recorder = LiveRecorder(
      redaction: redaction, path: { name, _ in "\(folder)/\(LiveName.file(name)).retcon" })
    recorder.start("a", LiveSession.Start(name: "my secret shop", state: 0, format: "live page"))
    recorder.finish()
    let summary = try #require(recorder.summaries.first)
    #expect(summary.name == "<redacted>" && summary.path.hasSuffix("/redacted.retcon"))
    #expect(try SessionReader(path: summary.path).header.app?.name == "<redacted>")
  }

  private func jump(_ n: Value, play: String? = nil) -> LiveSession.Entry {
    LiveSession.Entry(
      action: Value.line(["type": "@@retcon/jump", "play": play]),
      .patch([["op": "replace", "path": "/n", "value": n]]))
  }

  private func add(_ n: Value, _ more: Value = "open") -> LiveSession.Entry {
    LiveSession.Entry(
      action: ["type": "add", "token": more],
      .patch([["op": "replace", "path": "/n", "value": n]]))
  }

  @Test func whatFollowsAPlayedForkIsAForkUntilTheNextJump() throws {
    var redaction = Redaction(keys: ["token"])
    redaction.mustMatch = false
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: ["n": 0], format: "live page")
    let session = try LiveSession(start, at: path, redaction)
    let fork = SavedBranch(name: "fork 1 in the app", script: Script(leavesAt: 0))
    func forks() -> [SavedBranch] { Sidecar(session: path).contents.branches }
    let token = session.play(fork)
    // A page that guesses writes no fork.
    try session.add(jump(5, play: "\(token)x"))
    #expect(try session.steps == 1 && !session.savePlayed() && forks().isEmpty)
    try session.add(jump(6, play: token))
    #expect(try !session.savePlayed())
    try session.add(add(7, "hush"))
    #expect(try session.savePlayed() && !session.savePlayed())
    let action: Value = ["type": "add", "token": "<redacted>"]
    #expect(forks().map(\.script.edits) == [[.insert(after: 0, action: action)]])
    #expect(forks().map(\.script.rest) == [.nothing])
    // The user changes it meanwhile: both are kept.
    var changed = fork
    changed.script.edits = [.skip(step: 1)]
    try Sidecar(session: path).update { $0.branches = [changed] }
    try session.add(
      LiveSession.Entry(
        action: ["type": "@@retcon/resumed"],
        .patch([["op": "replace", "path": "/n", "value": 8]])))
    try session.add(jump(0))
    #expect(forks().map(\.name) == ["fork 1 in the app", "fork 1 in the app 2"])
    #expect(
      forks().last?.script.edits == [
        .insert(after: 0, action: action), .set(step: 0, pointer: [], value: ["n": 8]),
      ])
    try session.add(add(1))
    try session.finish()
    let reader = try SessionReader(path: path)
    #expect(
      try (1...3).map { try reader.step($0).label } == ["@@retcon/jump", "@@retcon/jump", "add"])
    #expect(try (0...3).map { try reader.state(after: $0)["n"] } == [0, 5, 0, 1])
  }

  @Test func theReasonOfTheEndIsTheLastNote() throws {
    let path = folder.path + "/live.retcon"
    let recorder = LiveRecorder(redaction: Redaction(), path: { _, _ in path })
    recorder.start("a", LiveSession.Start(name: "app", state: ["n": 0], format: "live page"))
    recorder.add(entry([]), to: "a")
    recorder.finish(because: "the page crashed")
    let reader = try SessionReader(path: path)
    #expect(
      try reader.isFinished && reader.signposts(in: 0...1).map(\.text) == ["the page crashed"])
  }

  @Test func aPlayedForkHasABound() throws {
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: ["n": 0], format: "live page")
    let session = try LiveSession(start, at: path, Redaction())
    let token = session.play(SavedBranch(name: "a", script: Script(leavesAt: 0)))
    try session.add(jump(1, play: token))
    for _ in 0...10_000 { try session.add(entry([])) }
    try session.finish()
    let reader = try SessionReader(path: path)
    #expect(try reader.stepCount == 0 && reader.signposts(in: 0...0).count == 1)
    #expect(Sidecar(session: path).contents.branches.first?.script.edits.count == 10_000)
  }

  @Test func namesOfFilesArePlain() {
    #expect(LiveName.file("Cart – page 1") == "Cart-page-1")
    #expect(LiveName.file("../../etc/passwd\n") == "etc-passwd")
    #expect(LiveName.file("\u{1B}[31m…") == "31m")
    #expect(LiveName.file("http://a.b:1/x?y") == "http-a.b-1-x-y")
    #expect(LiveName.file("") == "app" && LiveName.file("....") == "app")
    #expect(LiveName.file(String(repeating: "x", count: 999)).count == 60)
  }
}

import HostProtocol
import Platform
import RecordingSupport
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("A report")
struct ReportTests {
  @Test(":report writes a page that opens here, and -f replaces one")
  func command() {
    var debugger = TestDebugger()
    debugger.type(":report⏎")
    #expect(debugger.message == "Write :report FILE.html for people without a terminal")
    debugger.type(":report my page.html⏎")
    #expect(
      debugger.work.last
        == .report(debugger.state.here, path: "my page.html", replaces: false, RedactionWords()))
    var words = RedactionWords()
    words.keys = ["token"]
    debugger.send(.exported(Message("written")))
    debugger.type(":report -f page.html --redact-key token⏎")
    #expect(
      debugger.work.last == .report(debugger.state.here, path: "page.html", replaces: true, words))
  }

  @Test(
    "words and options are read as on the command line, also before the file and in quotes",
    arguments: [
      ":trim 8-12 --redact-key token \"my  file.retcon\"⏎",
      ":trim 8-12 my\\ \\ file.retcon --redact-key=token⏎",
      ":export 8-12 'my  file.retcon' --redact-key 'token'⏎",
    ])
  func words(typed: String) {
    var debugger = TestDebugger()
    var words = RedactionWords()
    words.keys = ["token"]
    debugger.type(typed)
    #expect(debugger.work.last == .trim(8...12, path: "my  file.retcon", words))
  }

  @Test(
    "what a command does not understand it refuses, and writes nothing",
    arguments: [
      (
        ":export-state a.json --redact-key token⏎",
        ":export-state redacts nothing: write a redacted copy with :export and open that."
      ),
      (
        ":test --redact-missing-ok ATests.swift⏎",
        ":test redacts nothing: write a redacted copy with :export and open that."
      ),
      (":export-state a.json --pretty⏎", "there is no option --pretty"),
      (":report a.html --redact-keys token⏎", "there is no option --redact-keys"),
      (":export a.retcon -f⏎", "there is no option -f"),
      (":trim 8-12 a.retcon --redact-key⏎", "--redact-key needs a word behind it"),
      (":trim 8-12 \"a.retcon⏎", "A quote is not closed."),
    ])
  func refused(typed: String, message: String) {
    var debugger = TestDebugger(host: .ready("host"))
    let before = debugger.work
    debugger.type(typed)
    #expect(debugger.message?.contains(message) == true, "\(debugger.message ?? "")")
    #expect(debugger.work == before)
  }

  @Test("a fork's edits are redacted whole, as the states and actions that they make")
  func edits() async throws {
    let folder = try TemporaryFolder()
    let writer = try SessionWriter(
      path: folder("shop.retcon"), header: SessionHeader(state: ["password": "SECRET"]))
    try writer.append(
      Step(number: 1, label: "login", action: ["password": "SECRET"]),
      state: ["password": "SECRET"])
    try writer.finish()
    let secret: Value = [
      "password": "SECRET", "text": #"{"password":"SECRET and far more than a preview shows"}"#,
    ]
    let question = Question("password", ["SECRET"])
    let edits: [Edit] = [
      .replace(step: 1, action: secret), .insert(after: 1, action: secret),
      .read(step: 1, key: "password", index: 0, outcome: .value("SECRET")),
      .read(step: 1, key: "user", index: 0, outcome: .failure(secret)),
      .set(step: 1, pointer: ["password"], value: "SECRET"),
      .set(step: 1, pointer: ["users", "0"], value: secret),
      .set(step: 1, pointer: ["place", "name"], value: "SECRET"),
      .reply(Reply(to: question, .value("SECRET"))),
      .answer(EffectAnswer(effect: 1, after: 1, outcome: .emit(action: secret))),
      .answer(EffectAnswer(effect: 1, after: 1, outcome: .fail(message: secret.text()))),
    ]
    let sidecar = Sidecar(session: folder("shop.retcon"))
    try sidecar.update {
      $0.branches = [SavedBranch(name: "one", script: Script(leavesAt: 0, edits: edits))]
    }
    let session = OpenSession(
      SessionRecording(try SessionReader(path: folder("shop.retcon"))), sidecar: sidecar)
    var report = SessionReport(session)
    report.redaction = Redaction(paths: ["/place"], keys: ["password"])
    let facts = try await report.facts(in: folder.path)
    let told = facts.branches.last?.edits ?? []
    #expect(told.count == edits.count && told.allSatisfy { !$0.contains("SECRET") }, "\(told)")
    #expect(told.contains("sets /password to \"<redacted>\" after 1 of main"), "\(told)")
  }

  @Test("a second file does not take the place of the first, and says so")
  func second() {
    var debugger = TestDebugger(host: .ready("host"))
    debugger.type(":report a.html⏎:report b.html⏎")
    #expect(debugger.message == "a.html is still being written; Ctrl-C stops it.")
    debugger.type(":test CartTests.swift⏎")
    #expect(debugger.message == "a.html is still being written; Ctrl-C stops it.")
    debugger.send(.exported(Message("a.html is written")))
    #expect(debugger.message == "a.html is written")
    #expect(debugger.work.count { $0.name == "report" } == 1)
    debugger.state.forks.running = "fork 1"
    debugger.type(":report b.html⏎")
    #expect(debugger.message == "“fork 1” is still running; Ctrl-C stops it.")
  }

  @Test("the fork that a report runs is shown in the status line, and stops with the report")
  func progress() {
    var debugger = TestDebugger(host: .ready("host"))
    var fork = Branch(
      "fork 1", script: Script(leavesAt: 5, edits: []), steps: 0...5, progress: .notRun)
    debugger.state.branches.append(fork)
    debugger.type(":report a.html⏎")
    (fork.steps, fork.progress) = (0...12, .running)
    debugger.send(.forkGrew(fork))
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        "writing a.html …  “fork 1” runs, step 12  Ctrl-C stops it"))
    var stopped = debugger
    stopped.press(.control("c"))
    #expect(stopped.message == "a.html was not written.")
    #expect(stopped.state.branches.last?.progress == .stopped)
    fork.progress = .complete
    debugger.send(.forkGrew(fork))
    #expect(debugger.message == nil && debugger.state.branches.last?.progress == .complete)
    #expect(debugger.state.forks.running == nil)
  }

  /// Runs one step more for each fork.
  private struct OneStep: BranchHost {
    var name: String { "OneStep" }

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport {
      let name = branch.branches.last?.id.text ?? ""
      onStep(
        BranchStep(
          step: Step(number: step, label: "by \(name)", action: .null),
          standing: Standing(.edited, .new), patch: []))
      return BranchReport(lastStep: step)
    }

    func state(of branch: BranchPath, after step: Int) async throws -> Value { .null }
  }

  @Test("a fork that has not run is run for the report, after its parent and once")
  func runsForks() async throws {
    let folder = try TemporaryFolder()
    let writer = try SessionWriter(path: folder("shop.retcon"), header: SessionHeader(state: 0))
    for n in 1...3 {
      try writer.append(Step(number: n, label: "added", action: .null), state: .number(Number(n)))
    }
    try writer.finish()
    let sidecar = Sidecar(session: folder("shop.retcon"))
    try sidecar.update {
      $0.branches = [
        SavedBranch(name: "one", script: Script(leavesAt: 2, edits: [.skip(step: 3)])),
        SavedBranch(
          name: "two",
          script: Script(parent: "one", leavesAt: 3, edits: [.insert(after: 3, action: .null)])),
      ]
    }
    let session = OpenSession(
      SessionRecording(try SessionReader(path: folder("shop.retcon"))), host: OneStep(),
      sidecar: sidecar)
    let heard = Locked<[String]>([])
    var report = SessionReport(session)
    report.onRun = { branch in
      heard.withLock { if $0.last != branch.runningWords { $0.append(branch.runningWords) } }
    }
    try await report.write(to: folder("a.html"))
    try await report.write(to: folder("b.html"))
    #expect(heard.withLock(\.self) == ["“one” runs, step 3", "“two” runs, step 4"])
    #expect(session.branches.map { $0.steps.upperBound } == [3, 3, 4])
  }

  @Test("a block begins with a whole state; rows say when they are there; the index has all steps")
  func blocks() throws {
    let long = Value.string(String(repeating: "x", count: ReportBlocks.size / 3))
    var written: [Value] = []
    let blocks = ReportBlocks {
      written.append(try Value(parsing: String(decoding: $0, as: UTF8.self)))
    }
    for n in 7...13 where n != 9 {
      var entry = ReportBlocks.Entry(number: n, label: "added", sender: "by Ann")
      (entry.time, entry.from) = (.milliseconds(10 * n), n - 2)
      (entry.state, entry.sections) = (["n": Value(n), "text": "a"], [long])
      if n == 8 { entry.action = ["by": .string(String(repeating: "y", count: 60))] }
      try blocks.add(entry)
    }
    try blocks.finish(effects: [[7, 8, ["save"]]])
    #expect(blocks.firsts == [7, 11] && written.count == 3)
    let first = written[0]["rows"]
    #expect(first?["depth"] == [0, 1, 1, 0, 1, 1, 1])
    #expect(first?["key"] == [.null, "n", "text", .null, "n", "n", "text"])
    #expect(first?["text"] == ["", "10", #""a""#, "", "7", "8", #""a""#])
    #expect(first?["from"] == [10, 0, 0, -3, 0, 1, -1])
    #expect(first?["until"] == [0, 0, 0, 9, 0, 9, 9])
    #expect(written[1]["rows"]?["text"] == ["", "10", "11", "12", "13", #""a""#])
    #expect(written[1]["rows"]?["from"] == [0, 0, 11, 1, 1, -13])
    #expect(written[1]["rows"]?["since"] == [-10, -10, 0, 0, 0, -10])
    #expect(written[1]["rows"]?["slot"] == [3, 1, 0, 0, 0, 1])
    let unknown: Value = "The session holds no state here."
    #expect(
      written[0]["changes"] == [
        "The session starts here.", [["~", "n", 1]], unknown,
        "The session holds no state before this step.",
      ])
    #expect(written[0]["action"]?[1]?.string?.hasPrefix("{\n  \"by\": \"yy") == true)
    #expect(written[0]["sections"] == ["7": [long], "8": [long], "10": [long]])
    #expect(written[2]["label"] == [0, 0, .null, 0, 0, 0, 0])
    #expect(written[2]["from"] == [2, 2, 0, 2, 2, 2, 2])
    #expect(written[2]["effects"] == [[7, 8, ["save"]]] && written[2]["names"]?[0] == "added")
  }

  @Test("rows show the state after each of 400 random steps, and who set its values")
  func outline() throws {
    var random = SeededGenerator(seed: 66)
    let outline = ReportOutline()
    var state: Value = [:]
    func next(_ depth: Int) -> Value {
      switch Int.random(in: 0..<(depth > 2 ? 3 : 6), using: &random) {
      case 0: Value(Int.random(in: 0..<3, using: &random))
      case 1: []
      case 2: "a"
      case 3: .list(0..<Int.random(in: 1..<4, using: &random)) { _ in next(depth + 1) }
      default: ["a": next(depth + 1), "b": next(depth + 1), "_0": 1]
      }
    }
    for step in 0..<400 {
      if step.isMultiple(of: 64) { outline.begin() }
      var records = ["c", "a", "b"].shuffled(using: &random).prefix(2).map {
        ["id": .string($0), "is": next(1)] as Value
      }
      if step.isMultiple(of: 3) { records.reverse() }
      let old = state
      state = ["list": .array(ValueArray(records)), "tree": next(0), "step": Value(step / 2)]
      if step == 200 { state = 7 }
      _ = outline.change(to: state, at: step)
      let rows = ReportColumn.object(outline.columns())
      let shown = Self.leaves(try Value(parsing: String(decoding: rows, as: UTF8.self)), step)
      #expect(shown.map(\.text) == Self.leaves(of: state), "step \(step)")
      let same = shown.filter { $0.text.hasPrefix("/step ") }.map(\.since)
      #expect(step < 2 || same.isEmpty || same == [old["step"] == state["step"] ? step - 1 : step])
    }
  }

  /// The leaves that a page shows: place, text, and the step that set it.
  private static func leaves(_ rows: Value, _ step: Int) -> [(text: String, since: Int)] {
    func number(_ name: String, _ row: Int) -> Int { Int(rows[name]?[row]?.text() ?? "") ?? -1 }
    guard case .array(let depths)? = rows["depth"] else { return [] }
    var starts = depths.indices.map { number("from", $0) }
    for row in depths.indices.dropFirst() { starts[row] += starts[row - 1] }
    let shown = depths.indices.filter { row in
      let isFollowed = row + 1 < depths.count && number("slot", row + 1) == 0
      let end = isFollowed && number("until", row) == 0 ? starts[row + 1] : number("until", row)
      return starts[row] <= step && (end == 0 || end > step)
    }
    var (path, counts): ([String], [Int]) = ([], [])
    var all: [(text: String, since: Int)] = []
    for (place, row) in shown.enumerated() {
      let depth = number("depth", row)
      counts = Array(counts.prefix(depth + 1)) + (counts.count > depth ? [] : [0])
      path = Array(path.prefix(max(depth - 1, 0)))
      if depth > 0 { path.append(rows["key"]?[row]?.string ?? String(counts[depth])) }
      counts[depth] += 1
      let isLeaf = place + 1 == shown.count || number("depth", shown[place + 1]) <= depth
      let text = rows["text"]?[row]?.string ?? ""
      let from = starts[row] - number("since", row)
      if isLeaf { all.append((path.map { "/\($0)" }.joined() + " " + text, from)) }
    }
    return all.sorted { $0.text < $1.text }
  }

  private static func leaves(of value: Value, at path: String = "") -> [String] {
    switch value {
    case .object(let object) where !object.isEmpty:
      object.flatMap { leaves(of: $0.value, at: "\(path)/\($0.key)") }.sorted()
    case .array(let array) where !array.isEmpty:
      array.enumerated().flatMap { leaves(of: $1, at: "\(path)/\($0)") }.sorted()
    default: ["\(path) \(value.text())"]
    }
  }

  @Test("hashes are those of the standard")
  func vectors() {
    func hex(_ text: String) -> String {
      SHA256.hash(text.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
    }
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }
}

import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct TestCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "test", usage: "FILE[@[BRANCH/]STEP] (--host COMMAND | --reducer FILE)",
    summary: "write a session as a test",
    discussion: """
      The test goes through the steps (all up to STEP, or those of --range) and expects the same
      states. Effects do not run in it: the test says what they send.

      KIND is testing (Swift Testing), xctest, or, with --reducer, node, jest or vitest. steps is a list
      of steps, where nothing is sent while an effect runs. replay is a copy of the session beside
      the test, which must run again as recorded. steps,xctest and replay,xctest write for XCTest.
      pytest, with --reducer agent.py#graph, is such a replay of a LangGraph agent.
      With --rule the test fails until the reducer keeps the rule. With --whole, it runs the store with
      its middleware: what the user did, with the recorded answers, on a clock of its own.
      """,
    options: [
      Asking.range("these steps"),
      Option(
        "as", value: "KIND",
        choices: ["testing", "xctest", "steps", "replay", "node", "jest", "vitest", "pytest"],
        help: "testing, xctest, steps, replay, node, jest, vitest or pytest"),
      Option(
        "rule", value: "CONDITION",
        help: "about the state: has to hold after the step that breaks it"),
      Option("whole", help: "run the app with its middleware, recorded with world: true"),
      Option("name", value: "NAME", help: "the name of the test's type"),
      Option(
        "dependencies", value: "CODE",
        help: "puts the app's own dependencies ($0) on `tape`, in Swift"),
      Option("output", letter: "o", value: "NEW", help: "the file to write (standard output)"),
    ] + Asking.placed)

  enum Form: String, CaseIterable {
    case store, steps, replay, node, pytest
  }

  let asking: Asking
  private(set) var form = Form.store
  private(set) var framework = SwiftTestWriter.Framework.testing
  private(set) var script = NodeTestWriter.Framework.node
  private(set) var rule: Condition?
  let typeName: String
  let dependencies: [String]
  let output: String?
  private var isWhole = false

  init(_ given: ParsedArguments) throws {
    try self.init(
      asking: try Asking(given, Self.declaration), kind: given.value("as"),
      rule: given.value("rule"), name: given.value("name"),
      dependencies: given.all("dependencies"), output: given.value("output"))
    isWhole = given.has("whole")
    guard isWhole else { return }
    if form != .node {
      throw UsageError(
        what: "--whole is for a store in JavaScript", next: "Add --reducer src/store.ts")
    } else if output == nil || output == "-" {
      throw UsageError(
        what: "a test of a whole app needs a file beside it", next: "Write -o NAME.test.mjs")
    }
  }

  init(
    asking: Asking, kind: String?, rule text: String?, name: String? = nil,
    dependencies: [String] = [], output: String? = nil
  ) throws {
    self.asking = asking
    self.dependencies = dependencies
    self.output = output
    rule = try text.map { try asking.question($0).condition }
    let named = SwiftTestWriter.typeName(
      of: output.flatMap { $0.hasSuffix(".swift") ? $0 : nil } ?? asking.position.file)
    typeName = name ?? (named.hasSuffix("Tests") ? named : named + "Tests")
    let isPython = asking.host.reducer?.isPython == true
    try readKinds(kind ?? (isPython ? "pytest" : asking.host.reducer == nil ? "testing" : "node"))
    if isPython != (form == .pytest) {
      throw UsageError(
        what: isPython
          ? "a test for a graph in Python is of the kind pytest"
          : "pytest needs the agent's graph",
        next: isPython ? "Write --as pytest" : "Add --reducer agent.py#graph")
    }
    if rule != nil, ![.store, .node].contains(form) {
      throw UsageError(
        what:
          "a test of the kind \(form) states all that happened, and one with --rule nothing but the rule",
        next: "Leave out --rule" + (isPython ? "" : ", or write --as \(framework)"))
    }
    if isBesideTape, output == nil || output == "-" {
      throw UsageError(
        what: "a test of the kind \(form) is several files, and stands in a folder",
        next: isPython
          ? "Write -o tests/test_agent.py" : "Write -o Tests/AppTests/\(typeName).swift")
    }
  }

  private var isBesideTape: Bool { form == .replay || form == .pytest }

  private mutating func readKinds(_ kind: String) throws(UsageError) {
    let words = kind.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for word in words {
      if let known = SwiftTestWriter.Framework(rawValue: word) {
        framework = known
      } else if let known = NodeTestWriter.Framework(rawValue: word), words.count == 1 {
        (form, script) = (.node, known)
      } else if let known = Form(rawValue: word), known != .store, known != .node {
        form = known
      } else {
        throw UsageError(
          what: "there is no kind of test named \(kind)",
          next:
            "Write --as testing, xctest, steps, replay, node, jest, vitest, pytest, or two: "
            + "steps,xctest")
      }
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    // The host writes it, as it runs a fork.
    try await asking.ask(in: context, for: .forking(isKept: false)) { session in
      var command = self
      var steps = try await steps(in: session)
      if let rule {
        try await session.warn(aboutPlacesIn: rule)
        let found = try await session.open.steps(
          breaking: rule, in: steps, on: session.branch.id)
        (steps, command.rule) = (found.steps, found.rule)
      }
      let (text, count) = try await command.text(of: steps, session)
      let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
      if lines > Self.manyLines {
        context.warn([
          "\(grouped(lines)) lines for \(counted(count, "step")). --range takes some of the "
            + "steps; retcon minimize finds the few that show a bug"
        ])
      }
      guard let output, output != "-" else {
        context.output.data(text)
        return .yes
      }
      do {
        try FileSystem.write(text, to: output)
      } catch {
        if isBesideTape { FileSystem.remove(Self.session(beside: output)) }
        throw error
      }
      let idle = steps.count - count
      context.tell(
        "\(output): \(counted(count, "step"))"
          + (idle > 0 ? ", without \(counted(idle, "step")) that did not run" : ""))
      return .yes
    }
  }

  private static let manyLines = 1000

  private func steps(in session: QueriedSession) async throws -> ClosedRange<Int> {
    let all = session.branch.steps
    guard all.count > 1 else {
      throw UsageError(what: "\(asking.position.file) has no step to test")
    }
    let known = asking.range == nil ? try await session.open.firstKnownStep() : all.lowerBound
    let last = session.step ?? all.upperBound
    if let remark = OpenSession.remark(from: known, in: all) {
      guard last > known else {
        throw UsageError(
          what: "no state before step \(known) is known, so no test can run up to step \(last)",
          next: "Name a step behind it")
      }
      session.context.tell("\(session.file): \(remark)")
    }
    return try asking.range?.clamped(to: all, in: asking.position.file)
      ?? known + 1...max(known + 1, last)
  }

  private func text(
    of steps: ClosedRange<Int>, _ session: QueriedSession
  ) async throws -> (text: String, count: Int) {
    if form == .pytest { return (try await agentTest(steps, session), steps.count) }
    if form == .replay { return (try await replayTest(steps, session), steps.count) }
    try session.open.checkActions(in: steps, of: session.branch.id)
    if form == .node { return try await nodeTest(steps, session) }
    let (plan, source) = try await session.open.testParts(of: steps, on: session.branch.id)
    if dependencies.isEmpty, !plan.ownKeys.isEmpty {
      session.context.warn([
        "the reducer reads \(plan.ownKeys.sorted().joined(separator: ", ")): "
          + "put it on reads.tape in the test, or add --dependencies"
      ])
    }
    let text = form == .steps ? writer.scriptText : writer.text
    return (try text(plan, source), steps.count)
  }

  private static func session(beside test: String) -> String {
    test.replacing(/\.(swift|py)$/, with: "") + ".retcon"
  }

  private var writer: SwiftTestWriter {
    var writer = SwiftTestWriter()
    writer.framework = framework
    writer.typeName = typeName
    writer.dependencies = dependencies
    writer.rule = rule
    return writer
  }

  private func replayTest(
    _ steps: ClosedRange<Int>, _ session: QueriedSession
  ) async throws -> String {
    let plan = try session.open.testPlan(of: steps, on: session.branch.id)
    let source = try await session.open.source(
      of: steps.lowerBound...steps.lowerBound, on: session.branch.id,
      unfinished: steps.count == 1 ? plan.unfinished?.action : nil)
    let file = try await tape(steps, session)
    return writer.replayText(
      of: file, "\(file) runs again as recorded", source, unfinished: plan.unfinished?.number)
  }

  /// Writes the steps as a session beside the test; returns its name.
  private func tape(_ steps: ClosedRange<Int>, _ session: QueriedSession) async throws -> String {
    let path = Self.session(beside: output ?? "")
    let workFolder = WorkFolder(session.context.environment)
    defer { withExtendedLifetime(workFolder) {} }
    try SessionTrimmer(await session.branchReader(in: workFolder)).trim(steps, to: path)
    session.context.tell("\(path): \(counted(steps.count, "step"))")
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The tape of an agent runs on what `--reducer` runs it on, beside the test.
  private func agentTest(
    _ steps: ClosedRange<Int>, _ session: QueriedSession
  ) async throws -> String {
    let start = Position(branch: session.branch.id, step: steps.lowerBound - 1)
    guard let reducer = asking.host.reducer, let output,
      try await session.open.state(at: start)?["__graph"] != nil
    else {
      throw UsageError(
        what: "a test in Python is for sessions of LangGraph",
        next: "Let retcon verify \(asking.position.file) be the test")
    }
    let folder = folderAbove(output)
    for helper in [ShippedHost.agent, .pythonRecorder] {
      let path = "\(folder)/\(helper.fileName)"
      if FileSystem.exists(path) { continue }
      try FileSystem.write(helper.text, to: path)
      session.context.tell("\(path) is written: the test runs the graph by it")
    }
    func quoted(_ text: String) -> String { Value.string(text).text() }
    let graph =
      ReducerScript.path(of: reducer.file, from: folder) + (reducer.export.map { "#\($0)" } ?? "")
    let file = try await tape(steps, session)
    return """
      \"\"\"Written by retcon test: fails when the agent asks, writes or goes elsewhere.\"\"\"

      import pathlib
      import subprocess
      import sys


      def test_steps_\(steps.lowerBound)_to_\(steps.upperBound)():
          words = ["retcon_agent.py", \(quoted(graph)), \(quoted(file))]
          ran = subprocess.run([sys.executable, *words], cwd=pathlib.Path(__file__).parent,
                               capture_output=True, text=True)
          assert ran.returncode == 0, ran.stderr

      """
  }

  private func checkRunsWhole(_ session: QueriedSession) async throws {
    let why = session.host?.report.last { $0.contains("does not run again") }
    guard session.reader.header.world == nil || why != nil else { return }
    throw UsageError(
      what: why ?? "\(session.file) does not hold what the outside answered",
      next: "Write a test of the reducer, without --whole")
  }

  private func nodeTest(
    _ steps: ClosedRange<Int>, _ session: QueriedSession
  ) async throws -> (text: String, count: Int) {
    let file = output == "-" ? nil : output
    if isWhole { try await checkRunsWhole(session) }
    let helpers = try file.map {
      try session.open.addHelpers(
        besideTestAt: $0, for: script, rule: rule, isWhole: isWhole)
    }
    for path in helpers ?? [] {
      session.context.tell("\(path) is written: the test runs the reducer by it")
    }
    return try await session.open.nodeTest(
      of: steps, on: session.branch.id, for: script, to: file, rule: rule, isWhole: isWhole)
  }
}

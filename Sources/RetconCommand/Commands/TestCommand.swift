import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct TestCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "test", usage: "FILE[@[BRANCH/]STEP] (--host COMMAND | --reducer FILE.js)",
    summary: "write a session as a test",
    discussion: """
      The test goes through the steps (all up to STEP, or those of --range) and expects the same
      states. Effects do not run in it: the test says what they send.

      KIND is testing (Swift Testing), xctest, or, with --reducer, node, jest or vitest. steps is a list
      of steps, where nothing is sent while an effect runs. replay is a copy of the session beside
      the test, which must run again as recorded. steps,xctest and replay,xctest write for XCTest.
      With --rule the test fails until the reducer keeps the rule.
      """,
    options: [
      Asking.range("these steps"),
      Option(
        "as", value: "KIND",
        choices: ["testing", "xctest", "steps", "replay", "node", "jest", "vitest"],
        help: "testing, xctest, steps, replay, node, jest or vitest"),
      Option(
        "rule", value: "CONDITION",
        help: "about the state: has to hold after the step that breaks it"),
      Option("name", value: "NAME", help: "the name of the test's type"),
      Option(
        "dependencies", value: "CODE",
        help: "puts the app's own dependencies ($0) on `tape`, in Swift"),
      Option("output", letter: "o", value: "NEW", help: "the file to write (standard output)"),
    ] + Asking.placed)

  enum Form: String, CaseIterable {
    case store, steps, replay, node
  }

  let asking: Asking
  private(set) var form = Form.store
  private(set) var framework = SwiftTestWriter.Framework.testing
  private(set) var script = NodeTestWriter.Framework.node
  private(set) var rule: Condition?
  let typeName: String
  let dependencies: [String]
  let output: String?

  init(_ given: ParsedArguments) throws {
    try self.init(
      asking: try Asking(given, Self.declaration), kind: given.value("as"),
      rule: given.value("rule"), name: given.value("name"),
      dependencies: given.all("dependencies"), output: given.value("output"))
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
    if let reducer = asking.host.reducer, reducer.isPython {
      throw UsageError(
        what: "no test is written for a reducer in Python",
        next: "Let retcon verify \(asking.position.file) --reducer \(reducer.words) be the test")
    }
    try readKinds(kind ?? (asking.host.reducer == nil ? "testing" : "node"))
    if rule != nil, form == .steps || form == .replay {
      throw UsageError(
        what:
          "a test of the kind \(form) states all that happened, and one with --rule nothing but the rule",
        next: "Leave out --rule, or write --as \(framework)")
    }
    if form == .replay, output == nil || output == "-" {
      throw UsageError(
        what: "a test of the kind replay is two files, and stands in a folder",
        next: "Write -o Tests/AppTests/\(typeName).swift")
    }
  }

  private mutating func readKinds(_ kind: String) throws(UsageError) {
    let words = kind.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for word in words {
      if let known = SwiftTestWriter.Framework(rawValue: word) {
        framework = known
      } else if let known = NodeTestWriter.Framework(rawValue: word), words.count == 1 {
        (form, script) = (.node, known)
      } else if let known = Form(rawValue: word), known == .steps || known == .replay {
        form = known
      } else {
        throw UsageError(
          what: "there is no kind of test named \(kind)",
          next:
            "Write --as testing, xctest, steps, replay, node, jest, vitest, or two: steps,xctest")
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
        if form == .replay { FileSystem.remove(Self.session(beside: output)) }
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
    test.replacing(/\.swift$/, with: "") + ".retcon"
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
    let path = Self.session(beside: output ?? "")
    let workFolder = WorkFolder(session.context.environment)
    defer { withExtendedLifetime(workFolder) {} }
    try SessionTrimmer(await session.branchReader(in: workFolder)).trim(steps, to: path)
    session.context.tell("\(path): \(counted(steps.count, "step"))")
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return writer.replayText(
      of: file, "\(file) runs again as recorded", source, unfinished: plan.unfinished?.number)
  }

  private func nodeTest(
    _ steps: ClosedRange<Int>, _ session: QueriedSession
  ) async throws -> (text: String, count: Int) {
    let file = output == "-" ? nil : output
    let helpers = try file.map {
      try session.open.addHelpers(besideTestAt: $0, for: script, rule: rule)
    }
    for path in helpers ?? [] {
      session.context.tell("\(path) is written: the test runs the reducer by it")
    }
    return try await session.open.nodeTest(
      of: steps, on: session.branch.id, for: script, to: file, rule: rule)
  }
}

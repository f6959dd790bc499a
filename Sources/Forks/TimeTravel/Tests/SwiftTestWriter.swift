import HostProtocol
import SessionWords
import ValueTree

/// Writes a Swift test that runs steps with a `TestStore`, or with a step script.
package struct SwiftTestWriter: Sendable {
  package enum Framework: String, Sendable, CaseIterable {
    case testing, xctest
  }

  package var framework = Framework.testing
  package var typeName = "SessionTests"
  /// Statements that put dependencies, called `$0`, on `tape`.
  package var dependencies: [String] = []
  /// The condition after the last step. Then the test states neither the changes nor the effects
  /// before it: a mended reducer has others.
  package var rule: Condition?

  package init() {}

  package func text(_ plan: TestPlan, _ source: StepSource) throws -> String {
    if let reducer = Self.hosted(source) { return try text(plan, source, of: reducer) }
    var lines = SourceText()
    begin(plan, modules: ["ReplayTesting", "StoreCore"], source, &lines)
    addStore(plan, source, to: &lines)
    lines.add()
    for (index, statement) in plan.statements.enumerated() {
      if plan.unfinished != nil, index == plan.statements.count - 1 {
        lines.add("// What follows is unknown.", indent: 4)
        lines.add("store.exhaustivity = .off", indent: 4)
      }
      add(statement, Self.byNumber(source), to: &lines)
    }
    if let rule {
      let label = rule.paths(in: "label") == nil ? nil : plan.lastLabel
      lines.add("await store.skipReceivedActions(strict: false)", indent: 4)
      lines.add(
        "try expectHolds(\(SwiftText.quoted(rule.text)), store.state"
          + (label.map { ", label: \(SwiftText.quoted($0))" } ?? "") + ")", indent: 4)
    }
    lines.add("await store.\(ending(plan))", indent: 4)
    return lines.closed
  }

  private func ending(_ plan: TestPlan) -> String {
    if plan.unfinished != nil || rule != nil { return "skipInFlightEffects(strict: false)" }
    guard plan.running != nil else { return "finish()" }
    let names = plan.inFlight.map(SwiftText.quoted).joined(separator: ", ")
    return "skipInFlightEffects([\(names)])"
  }

  /// A test as a list of steps, without anything in between.
  package func scriptText(_ plan: TestPlan, _ source: StepSource) throws -> String {
    let next = "Write --as \(framework), or another --range"
    guard Self.hosted(source) == nil else {
      throw Trouble(
        "a list of steps is for stores of StoreCore", next: "Write --as \(framework)")
    }
    if let step = plan.unfinished?.number {
      throw Trouble(
        "the reducer does not return from step \(step), which a list of steps cannot say",
        next: next)
    }
    if let (step, effect) = plan.overlap {
      throw Trouble(
        "step \(step) is sent while “\(effect)” runs, which a list of steps cannot say", next: next)
    }
    if let effect = plan.running {
      throw Trouble(
        "“\(effect)” still runs after step \(plan.steps.upperBound), which a list of steps cannot say",
        next: next)
    }
    var lines = SourceText()
    begin(plan, modules: ["ReplayTesting", "StoreCore"], source, &lines)
    lines.add(source.state, indent: 4)
    addReads(plan, to: &lines)
    for case .pin(let read) in plan.statements { lines.add(Self.pin(read), indent: 4) }
    lines.add("await assert(", indent: 4)
    lines.add("initialValue: state,", indent: 6)
    lines.add("reducer: \(source.reducer),", indent: 6)
    lines.add("withDependencies: {", indent: 6)
    addDependencies(plan, clock: "ImmediateClock()", indent: 8, to: &lines)
    lines.add("},", indent: 6)
    let written = Self.byNumber(source)
    let steps = plan.statements.compactMap { statement -> (call: String, changes: [String])? in
      if case .end(let source) = statement { return ("Step(end: \(Self.text(source)))", []) }
      return action(of: statement, written).map {
        ("Step(.\($0.verb), \($0.arguments))", $0.changes)
      }
    }
    for (index, step) in steps.enumerated() {
      let call = (index == 0 ? "steps: " : "") + step.call
      add(call, step.changes, index == steps.count - 1 ? "" : ",", indent: 6, to: &lines)
    }
    lines.add(")", indent: 4)
    return lines.closed
  }

  /// The sent or received action with its changes; nil for other statements.
  private func action(
    of statement: TestPlan.Statement, _ steps: [Int: StepSource.Step]
  ) -> (verb: String, step: Step, arguments: String, changes: [String])? {
    switch statement {
    case .pin, .advance, .end: return nil
    case .send(let step):
      return steps[step.number].map { ("send", step, $0.action, $0.changes) }
    case .receive(let step, let source):
      let rest = source.map { ", from: \(Self.text($0))" } ?? ""
      return steps[step.number].map { ("receive", step, $0.action + rest, $0.changes) }
    }
  }

  static func byNumber(_ source: StepSource) -> [Int: StepSource.Step] {
    Dictionary(source.steps.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func replayText(
    of file: String, _ title: String, _ source: StepSource, unfinished: Int? = nil
  ) -> String {
    var lines = SourceText()
    let hosted = Self.hosted(source)
    var modules = ["ReplayTesting"] + (dependencies.isEmpty ? [] : ["SessionLog"])
    if hosted != nil { modules.append("ComposableRecording") }
    if !source.modules.contains("Foundation") { modules.append("Foundation") }
    begin(title, modules: modules, source, unfinished: unfinished, &lines)
    lines.add("let folder = URL(filePath: #filePath).deletingLastPathComponent()", indent: 4)
    if !dependencies.isEmpty { lines.add("let tape = Tape()", indent: 4) }
    let call =
      "try await expectReplays(folder.appending(path: \(SwiftText.quoted(file))), \(source.reducer))"
    if dependencies.isEmpty {
      lines.add(call, indent: 4)
    } else {
      // The closure goes to the adapter, whose dependencies they are.
      lines.add((hosted == nil ? call : String(call.dropLast())) + " {", indent: 4)
      for line in dependencies { lines.add(line, indent: 6) }
      lines.add(hosted == nil ? "}" : "})", indent: 4)
    }
    return lines.closed
  }

  func begin(
    _ plan: TestPlan, modules: [String], _ source: StepSource, isOfStore: Bool = true,
    _ lines: inout SourceText
  ) {
    begin(
      "\(plan.name), \(named(plan.steps))", modules: modules, source,
      unfinished: plan.unfinished?.number, isOfStore: isOfStore, &lines)
  }

  private func begin(
    _ title: String, modules: [String], _ source: StepSource, unfinished: Int?,
    isOfStore: Bool = true, _ lines: inout SourceText
  ) {
    var modules = Set(modules + [framework == .testing ? "Testing" : "XCTest"])
    if isOfStore { modules.insert("StoreTesting") }
    if source.modules.contains("Foundation") { modules.insert("Foundation") }
    lines.add("// Written by retcon test.")
    lines.add("// swift-format-ignore-file")
    lines.add()
    for module in modules.sorted() { lines.add("import \(module)") }
    lines.add()
    for module in source.modules where !modules.contains(module) {
      lines.add("@testable import \(module)")
    }
    lines.add()
    if let rule {
      lines.add("// Fails until the reducer keeps the rule: \(Self.oneLine(rule.text))")
    }
    if let unfinished {
      lines.add(
        "// Fails until the reducer returns from step \(unfinished), where the app stopped.")
    }
    switch framework {
    case .testing:
      lines.add("\(isOfStore ? "@Suite(.checkedAtEnd)" : "@MainActor @Suite") struct \(typeName) {")
      lines.add("@Test(\(SwiftText.quoted(title))) func session() async throws {", indent: 2)
      guard unfinished != nil else { break }
      // A test in its own process can report a crash as a failure.
      lines.add("#if compiler(>=6.2) && (os(macOS) || os(Linux) || os(Windows))", indent: 4)
      lines.add(
        "await #expect(processExitsWith: .success) { try await \(typeName).run() }", indent: 6)
      lines.add("#else", indent: 4)
      lines.add("try await Self.run()", indent: 6)
      lines.add("#endif", indent: 4)
      lines.add("}", indent: 2)
      lines.add()
      lines.add("static func run() async throws {", indent: 2)
    case .xctest:
      lines.add("/// \(Self.oneLine(title))")
      lines.add(
        isOfStore
          ? "final class \(typeName): CheckedTestCase {"
          : "@MainActor final class \(typeName): XCTestCase {")
      lines.add("func testSession() async throws {", indent: 2)
    }
  }

  private func addStore(_ plan: TestPlan, _ source: StepSource, to lines: inout SourceText) {
    lines.add(source.state, indent: 4)
    addReads(plan, to: &lines)
    if plan.advances { lines.add("let clock = TestClock()", indent: 4) }
    lines.add("let store = TestStore(initialState: state) {", indent: 4)
    lines.add(source.reducer, indent: 6)
    lines.add("} withDependencies: {", indent: 4)
    addDependencies(plan, clock: "clock", indent: 6, to: &lines)
    lines.add("}", indent: 4)
    if rule != nil { lines.add("store.exhaustivity = .off", indent: 4) }
  }

  private func pins(_ plan: TestPlan) -> Bool { plan.pinsReads || !dependencies.isEmpty }

  private func addReads(_ plan: TestPlan, to lines: inout SourceText) {
    let leaves = rule == nil ? "" : "strict: false"
    if pins(plan) { lines.add("let reads = PinnedReads(\(leaves))", indent: 4) }
    if !dependencies.isEmpty { lines.add("let tape = reads.tape", indent: 4) }
  }

  private func addDependencies(
    _ plan: TestPlan, clock: String, indent: Int, to lines: inout SourceText
  ) {
    lines.add("$0.replay(\(pins(plan) ? "reads" : ""))", indent: indent)
    if plan.advances { lines.add("$0.continuousClock = \(clock)", indent: indent) }
    for line in dependencies { lines.add(line, indent: indent) }
    if dependencies.isEmpty, !plan.ownKeys.isEmpty {
      let keys = plan.ownKeys.sorted().map { "“\(Self.oneLine($0))”" }.joined(separator: ", ")
      lines.add("// Put \(keys) on reads.tape here, as the app does.", indent: indent)
    }
  }

  private func add(
    _ statement: TestPlan.Statement, _ steps: [Int: StepSource.Step], to lines: inout SourceText
  ) {
    switch statement {
    case .pin(let read): lines.add(Self.pin(read), indent: 4)
    case .advance(let duration):
      lines.add("await clock.advance(by: \(Self.text(duration)))", indent: 4)
    case .end(let source):
      lines.add(
        rule == nil
          ? "await store.endEffect(\(Self.text(source)))"
          : "await store.endEffect(ifInFlight: \(Self.text(source, inOrder: true)))", indent: 4)
    case .receive(_, from: nil) where rule != nil: break
    case .receive(let step, let source?) where rule != nil:
      guard let action = steps[step.number]?.action else { return addGap(at: step, to: &lines) }
      lines.add(
        "await store.send(\(action), ifInFlight: \(Self.text(source, inOrder: true)))", indent: 4)
    case .send, .receive:
      guard let (verb, step, arguments, changes) = action(of: statement, steps) else {
        if case .send(let step) = statement { addGap(at: step, to: &lines) }
        if case .receive(let step, _) = statement { addGap(at: step, to: &lines) }
        return
      }
      if verb == "send", !step.cause.isFromOutside {
        lines.add("// Sent by an effect that was started before the first step.", indent: 4)
      }
      add(
        "await store.\(verb)(\(arguments))", rule == nil ? changes : [], indent: 4, to: &lines)
    }
  }

  private func addGap(at step: Step, to lines: inout SourceText) {
    lines.add("// The host wrote no source for step \(step.number), so it is missing.", indent: 4)
  }

  func add(
    _ call: String, _ changes: [String], _ end: String = "", indent: Int,
    to lines: inout SourceText
  ) {
    if changes.isEmpty {
      lines.add(call + end, indent: indent)
    } else if changes.count == 1, call.count + changes[0].count < 94 - indent {
      lines.add("\(call) { \(changes[0]) }\(end)", indent: indent)
    } else {
      lines.add("\(call) {", indent: indent)
      for change in changes { lines.add(change, indent: indent + 2) }
      lines.add("}\(end)", indent: indent)
    }
  }

  static func pin(_ read: Read) -> String {
    var key = SwiftText.quoted(read.key)
    if let arguments = read.argumentsValue {
      key += ", asked: \(SwiftText.raw(arguments.text()))"
    }
    switch read.outcome {
    case .value(let value) where read.arguments != nil:
      return "try reads.pin(\(key), json: \(SwiftText.raw(value.text())))"
    case .value(.string(let text)): return "reads.pin(\(key), \(SwiftText.quoted(text)))"
    case .value(.bool(let value)): return "reads.pin(\(key), \(value))"
    case .value(.number(.integer(let number))): return "reads.pin(\(key), \(number))"
    case .value(.number(.unsigned(let number))): return "reads.pin(\(key), \(number) as UInt64)"
    case .value(let value): return "try reads.pin(\(key), json: \(SwiftText.raw(value.text())))"
    case .failure(let value):
      return "try reads.pin(\(key), errorJSON: \(SwiftText.raw(value.text())))"
    }
  }

  private static func text(_ source: TestPlan.Source, inOrder: Bool = false) -> String {
    let name = SwiftText.quoted(source.name)
    let number = inOrder ? source.order : source.index
    let index = number > 0 ? ", index: \(number)" : ""
    if source.ends { return ".last(\(name)\(index))" }
    return index.isEmpty ? name : "EffectSource(\(name)\(index))"
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    let nanoseconds = duration.attoseconds / 1_000_000_000
    return nanoseconds % 1_000_000 == 0
      ? ".milliseconds(\(nanoseconds / 1_000_000))" : ".nanoseconds(\(nanoseconds))"
  }

  static func oneLine(_ text: String) -> String {
    String(SwiftText.quoted(text).dropFirst().dropLast()).replacing("\\\"", with: "\"")
  }
}

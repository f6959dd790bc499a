import HostProtocol
import SessionWords
import ValueTree

/// Tests for apps of the Composable Architecture, on its own test store.
extension SwiftTestWriter {
  /// The adapter's reads that its test does without.
  private static let ownReads: Set = ["shared", "sharedLoaded", "surroundings"]

  /// The app's reducer, where an adapter hosts it.
  static func hosted(_ source: StepSource) -> String? {
    guard source.reducer.hasPrefix("Hosted(") else { return nil }
    return String(source.reducer.dropFirst(7).dropLast())
  }

  /// Effects do not run in the test: it sends their actions. Reducers send their actions by themselves.
  func text(_ plan: TestPlan, _ source: StepSource, of reducer: String) throws -> String {
    if let step = plan.unfinished?.number {
      throw Trouble(
        "the reducer does not return from step \(step)",
        next: "Name steps before it, or use retcon test --as replay")
    }
    var lines = SourceLines()
    begin(plan, source, of: reducer, &lines)
    for turn in turns(plan) {
      lines.add()
      for read in turn.pins { lines.add(Self.pin(read), indent: 4) }
      let steps = turn.steps.compactMap { Self.byNumber(source)[$0] }
      guard let first = steps.first else { continue }
      if let effect = turn.effect { lines.add("// Sent by \(Self.oneLine(effect)).", indent: 4) }
      lines.add("await store.send(\(first.action))", indent: 4)
      if steps.count > 1 { lines.add("await store.skipReceivedActions(strict: false)", indent: 4) }
      let changes = steps.flatMap(\.changes).filter { rule == nil && $0 != "#\"[]\"#" }
      let arguments = changes.isEmpty ? "" : ", after: " + changes.joined(separator: ", ")
      if rule == nil { lines.add("try recorded.expect(store.state\(arguments))", indent: 4) }
    }
    if let rule {
      lines.add("try expectHolds(\(SwiftText.quoted(rule.text)), store.state)", indent: 4)
    }
    lines.add("await store.skipInFlightEffects(strict: false)", indent: 4)
    return lines.closed
  }

  private struct SentTurn {
    var pins: [Read]
    var effect: String?
    var steps: [Int]
  }

  /// Actions sent to the store, with those that its reducers send in return.
  private func turns(_ plan: TestPlan) -> [SentTurn] {
    var (turns, pins) = ([SentTurn](), [Read]())
    for statement in plan.statements {
      switch statement {
      case .pin(let read): if !Self.ownReads.contains(read.key) { pins.append(read) }
      case .advance, .end: break
      case .send(let step), .receive(let step, _):
        if case .output(let sender) = step.cause, turns.last?.steps.contains(sender) == true {
          turns[turns.count - 1].steps.append(step.number)
          continue
        }
        var effect: String?
        if case .receive(_, let source?) = statement { effect = Self.place(of: source) }
        turns.append(SentTurn(pins: pins, effect: effect, steps: [step.number]))
        pins = []
      }
    }
    return turns
  }

  /// The effect's name and line. One without a name has that of its file.
  private static func place(of source: TestPlan.Source) -> String {
    source.place.hasPrefix("\(source.name):") ? source.place : "\(source.name) (\(source.place))"
  }

  private func begin(
    _ plan: TestPlan, _ source: StepSource, of reducer: String, _ lines: inout SourceLines
  ) {
    begin(
      plan,
      modules: ["ComposableArchitecture", "ComposableRecording", "ReplayTesting", "SessionLog"],
      source, isOfStore: false, &lines)
    lines.add((rule == nil ? source.state : source.state.replacing(/^var/, with: "let")), indent: 4)
    lines.add("let state = try recorded.decoded()", indent: 4)
    lines.add("let reads = PinnedReads()", indent: 4)
    lines.add("let tape = reads.tape", indent: 4)
    lines.add("let store = TestStore(initialState: state) {", indent: 4)
    lines.add("\(reducer).byHand(tape)", indent: 6)
    lines.add("} withDependencies: {", indent: 4)
    lines.add("$0.context = .live", indent: 6)
    for line in dependencies { lines.add(line, indent: 6) }
    lines.add("}", indent: 4)
    lines.add("store.exhaustivity = .off", indent: 4)
  }
}

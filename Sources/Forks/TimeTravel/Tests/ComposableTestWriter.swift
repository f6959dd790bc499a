import HostProtocol
import SessionWords
import ValueTree

/// Tests for apps of the Composable Architecture, on its own test store.
extension SwiftTestWriter {
  /// The adapter's reads that its test does without.
  private static let ownReads: Set = ["sendsMarked", "surroundings"]
  /// Reads that only a test with decoded states has.
  private static let sharedReads: Set = ["shared", "sharedLoaded"]

  /// The app's reducer, where an adapter hosts it.
  static func hosted(_ source: StepSource) -> String? {
    guard source.reducer.hasPrefix("Hosted(") else { return nil }
    return String(source.reducer.dropFirst(7).dropLast())
  }

  /// Effects do not run in the test: it sends their actions. Reducers send their actions by themselves.
  func text(_ plan: TestPlan, _ source: StepSource, of reducer: String) throws -> String {
    let library = source.library ?? StepSource.Library()
    if let step = plan.unfinished?.number {
      throw Trouble(
        "the reducer does not return from step \(step)",
        next: "Name steps before it, or use retcon test --as replay")
    }
    if !library.comparesStates {
      throw Trouble(
        "a TestStore compares states, and the app's State is not Equatable",
        next: "Declare it Equatable, or use retcon test --as replay")
    }
    let turns = try turns(plan, library)
    var lines = SourceText()
    begin(plan, source, library, of: reducer, &lines)
    for turn in turns { add(turn, source, library, to: &lines) }
    lines.add()
    if let rule {
      lines.add("await store.skipReceivedActions(strict: false)", indent: 4)
      lines.add("try expectHolds(\(SwiftText.quoted(rule.text)), store.state)", indent: 4)
    }
    lines.add("await store.skipInFlightEffects(strict: false)", indent: 4)
    return lines.closed
  }

  private func add(
    _ turn: SentTurn, _ source: StepSource, _ library: StepSource.Library,
    to lines: inout SourceText
  ) {
    lines.add()
    let steps = turn.steps.compactMap { Self.byNumber(source)[$0] }
    guard let first = steps.first else { return }
    for read in turn.pins { lines.add(Self.pin(read), indent: 4) }
    if !first.before.isEmpty {
      lines.add("// Changed by an effect or a view.", indent: 4)
      for statement in first.before { lines.add(statement, indent: 4) }
    }
    if let effect = turn.effect {
      lines.add("// Sent by \(Self.oneLine(Self.place(of: effect))).", indent: 4)
    }
    guard rule == nil else {
      var rest = ""
      if let effect = turn.effect {
        let index = effect.order > 0 ? ", index: \(effect.order)" : ""
        rest = ", ifInFlight: \(SwiftText.quoted(effect.name))\(index), of: effects"
      }
      return lines.add("await store.send(\(first.action)\(rest))", indent: 4)
    }
    guard library.isDecoded else {
      let changes = Self.shared(in: steps) + first.changes
      add("await store.send(\(first.action))", changes, indent: 4, to: &lines)
      for step in steps.dropFirst() {
        let action =
          library.comparesActions ? step.action : "{ areEncodedAlike($0, \(step.action)) }"
        add("await store.receive(\(action))", step.changes, indent: 4, to: &lines)
      }
      return
    }
    lines.add("await store.send(\(first.action))", indent: 4)
    if steps.count > 1 { lines.add("await store.skipReceivedActions(strict: false)", indent: 4) }
    let changes = steps.flatMap(\.changes).filter { $0 != "#\"[]\"#" }
    let arguments = changes.isEmpty ? "" : ", after: " + changes.joined(separator: ", ")
    lines.add("try recorded.expect(store.state\(arguments))", indent: 4)
  }

  /// Reducers' answers are reduced before the store looks at the sent action, so it finds their shared
  /// values.
  private static func shared(in steps: [StepSource.Step]) -> [String] {
    var values: [(path: String, value: String)] = []
    for change in steps.flatMap(\.shared) {
      values.removeAll { $0.path == change.path }
      values.append((change.path, change.value))
    }
    return values.map { path, value in "\(path).withLock { $0 = \(value) }" }
  }

  private struct SentTurn {
    var pins: [Read]
    var effect: TestPlan.Source?
    var steps: [Int]
  }

  /// Actions sent to the store, with those that its reducers send in return.
  private func turns(_ plan: TestPlan, _ library: StepSource.Library) throws -> [SentTurn] {
    var (turns, pins) = ([SentTurn](), [Read]())
    // The effect whose end lets a reducer's next action come, and whether it sent the last action itself.
    var ended: TestPlan.Source?
    var isOfTurn = false
    for statement in plan.statements {
      switch statement {
      case .pin(let read):
        let isShared = Self.sharedReads.contains(read.key)
        if !Self.ownReads.contains(read.key), !isShared || library.isDecoded { pins.append(read) }
      case .advance: break
      case .end(let source):
        // An effect of the adapter's own, which only marks an order.
        if source.place != ":0" { (ended, isOfTurn) = (source, false) }
      case .send(let step):
        turns.append(SentTurn(pins: exchange(&pins, with: []), steps: [step.number]))
        ended = nil
      case .receive(let step, let source?):
        turns.append(
          SentTurn(pins: exchange(&pins, with: []), effect: source, steps: [step.number]))
        (ended, isOfTurn) = (source.ends ? source : nil, true)
      case .receive(let step, nil):
        if case .output(let sender) = step.cause, turns.last?.steps.contains(sender) == true,
          ended == nil || isOfTurn
        {
          turns[turns.count - 1].steps.append(step.number)
        } else if let effect = ended {
          turns.append(
            SentTurn(pins: exchange(&pins, with: []), effect: effect, steps: [step.number]))
        } else {
          throw Trouble(
            "step \(step.number) is sent by a reducer beside a publisher, and a TestStore receives it "
              + "at another time",
            next: "Name steps before it, or use retcon test --as replay")
        }
      }
    }
    return turns
  }

  /// The effect's name and line. One without a name has that of its file.
  private static func place(of source: TestPlan.Source) -> String {
    if source.place == ":0" { return "a publisher" }
    return source.place.hasPrefix("\(source.name):")
      ? source.place : "\(source.name) (\(source.place))"
  }

  private func begin(
    _ plan: TestPlan, _ source: StepSource, _ library: StepSource.Library, of reducer: String,
    _ lines: inout SourceText
  ) {
    begin(
      plan,
      modules: ["ComposableArchitecture", "ComposableRecording", "ReplayTesting", "SessionLog"],
      source, isOfStore: false, &lines)
    for remark in library.remarks { lines.add("// \(Self.oneLine(remark))", indent: 4) }
    var state = source.state
    if library.isDecoded {
      lines.add((rule == nil ? state : state.replacing(/^var/, with: "let")), indent: 4)
      lines.add("let state = try recorded.decoded()", indent: 4)
      state = "state"
    } else if state.contains("try ") {
      lines.add("let state = \(state)", indent: 4)
      state = "state"
    }
    for statement in library.preamble { lines.add(statement, indent: 4) }
    lines.add("let reads = PinnedReads(\(rule == nil ? "" : "strict: false"))", indent: 4)
    lines.add("let tape = reads.tape", indent: 4)
    if rule != nil { lines.add("let effects = EffectsByHand()", indent: 4) }
    lines.add("let store = TestStore(initialState: \(state)) {", indent: 4)
    let effects = rule == nil ? "" : ", effects"
    lines.add(
      "\(reducer).byHand(tape\(effects)\(library.isDecoded ? ", isDecoded: true" : ""))", indent: 6)
    lines.add("} withDependencies: {", indent: 4)
    lines.add("$0.byHand()", indent: 6)
    for line in dependencies { lines.add(line, indent: 6) }
    lines.add("}", indent: 4)
    if library.isDecoded || rule != nil { lines.add("store.exhaustivity = .off", indent: 4) }
  }
}

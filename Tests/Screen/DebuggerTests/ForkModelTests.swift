import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Whatever tells a step of a fork tells the same step", .serialized)
struct ForkModelTests {
  @Test("random forks of the wishes", arguments: 1...3)
  func wishes(seed: UInt64) async throws { try await drive(WishesSample.self, seed: seed) }

  @Test("random forks of the counter", arguments: 1...2)
  func counter(seed: UInt64) async throws { try await drive(CounterSample.self, seed: seed) }

  @Test("a fork that meets its parent two steps later lists what its panes show")
  func meeting() async throws {
    let player = try await Player(WishesSample.self, seed: 0)
    try await player.type(":12⏎x")
    try await player.look(at: "fork 1")
    #expect(player.app.state.branches[1].report?.rejoining == Rejoining(step: 14, parentStep: 16))
    #expect(player.row(15)?.label == "destination.presented.submit.saveWishResponse")
    #expect(player.row(17)?.label == "path.element.result.shareTapped")
    #expect(player.app.state.branches[1].firstDifferent?.step == 12)
    try await player.type("B")
    let list = player.app.frame.text
    #expect(list.contains("leaves main at 11, 15 steps  first difference from main at 12"))
    #expect(list.contains("skips 12 destination.presented.submit.wishSelected of main"))
    #expect(
      list.contains(
        "leaves out 14 destination.presented.submit.saveWishResponse of main: "
          + "its effect was not started"))
  }

  @Test("a fork without its parent's last step ends where its parent goes on")
  func end() async throws {
    let player = try await Player(CounterSample.self, seed: 0)
    try await player.type(":\(player.app.state.branches[0].steps.upperBound)⏎x")
    try await player.look(at: "fork 1")
    #expect(
      player.app.state.branches[1].outcomeWords(in: player.app.state.branches).contains(
        "; it ends at step "))
    try await player.type("B")
    #expect(player.app.frame.text.contains("it ends at step "))
  }

  private func drive<Played: Sample>(_ sample: Played.Type, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let player = try await Player(sample, seed: seed)
    for round in 1...6 {
      let keys = try player.randomKeys(&random)
      try await player.type(keys)
      let branches = player.app.state.branches.dropFirst().filter { !$0.isNotRun }
      guard let branch = branches.randomElement(using: &random) else { continue }
      try await player.look(at: branch.name, "seed \(seed), round \(round), \(keys)")
    }
  }
}

/// Drives the debugger by keys, and compares what it shows with what the reducer does.
private final class Player<Played: Sample> {
  let folder: TemporaryFolder
  let session: OpenSession
  let host: EngineHost<Played>
  let app: DebuggerApp
  private var exports = 0

  init(_ sample: Played.Type, seed: UInt64) async throws {
    folder = try TemporaryFolder()
    await sample.recordDemo(to: folder("session.retcon"))
    let reader = try SessionReader(path: folder("session.retcon"))
    host = try EngineHost(reader)
    session = OpenSession(SessionRecording(reader), host: host)
    app = DebuggerApp(
      session: session, size: Size(width: 160, height: 40), output: { _ in }, onChange: {})
    await app.start().finish()
  }

  /// `⏎` is Enter, `⇥` Tab, and what stands between `«` and `»` takes the place of a line.
  func type(_ text: String) async throws {
    var pasted: String?
    for character in text {
      switch character {
      case "«":
        await app.handle(.key(.control("u"))).finish()
        pasted = ""
      case "»":
        await app.handle(.paste(pasted ?? "")).finish()
        pasted = nil
      case _ where pasted != nil: pasted?.append(character)
      case "⏎": await app.handle(.key(.enter)).finish()
      case "⇥": await app.handle(.key(.tab)).finish()
      default: await app.handle(.key(.character(character))).finish()
      }
    }
  }

  func randomKeys(_ random: inout SeededGenerator) throws -> String {
    let branches = app.state.branches.filter { !$0.isNotRun }
    let branch = branches.randomElement(using: &random) ?? app.state.branches[0]
    let step = Int.random(in: 1...branch.steps.upperBound, using: &random)
    let goto = ":goto \(branch.name)/\(step)⏎"
    let other = Int.random(in: 1...session.summary.steps.upperBound, using: &random)
    let action = try session.step(at: Position(step: other)).step.action.text()
    let count = Int.random(in: 1...4, using: &random)
    let changes = [
      "x", "x", "x", "\(count)>", "\(count)<", "fi«\(action)»⏎", "=«\(action)»⏎", "a⇥⏎", "z", "Z",
    ]
    return goto + (changes.randomElement(using: &random) ?? "x")
  }

  func row(_ step: Int) -> StepRow? { app.state.reading.pages[app.state.here.branch, step] }

  /// Goes through a branch step by step.
  func look(at name: String, _ context: String = "") async throws {
    await app.handle(.key(.escape)).finish()
    var scripts: [Script] = []
    var next = app.state.branches.first { $0.name == name }
    while let branch = next, let script = branch.script {
      scripts.insert(script, at: 0)
      next = app.state.branches.first { $0.id == script.parent }
    }
    let branch = try #require(app.state.branches.first { $0.name == name })
    let truth = try host.truth(of: scripts)
    try #require(branch.steps == 0...truth.steps.count - 1, "\(context)")
    try await type(":goto \(name)/0⏎")
    for step in branch.steps {
      let moment = try #require(app.state.moment)
      let row = row(step)
      let place = Comment(rawValue: "\(context): step \(step) of \(scripts)")
      #expect(app.state.here == Position(branch: branch.id, step: step), place)
      #expect(row == StepRow(moment.step, standing: moment.standing), place)
      #expect(same(moment.step, truth.steps[step]), place)
      #expect(moment.state == truth.states[step], place)
      #expect(spans(moment.effects) == spans(truth.effects.spans(in: step...step)), place)
      try await type("j")
    }
    try await compareSearches(name, truth, context)
    try await compareExport(name, truth, context)
  }

  private func same(_ told: Step, _ true: Step) -> Bool {
    told.number == `true`.number && told.label == `true`.label && told.action == `true`.action
      && told.cause == `true`.cause && told.time == `true`.time && told.reads == `true`.reads
  }

  /// The number, the start and the end of each.
  private func spans(_ effects: [EffectSpan]) -> Set<[Int]> {
    Set(effects.map { [$0.number.number, $0.origin.step, $0.end?.step ?? -1] })
  }

  private func compareSearches(_ name: String, _ truth: Truth, _ context: String) async throws {
    let place = Comment(rawValue: context)
    let label = truth.steps.last?.label ?? "init"
    try await type("/\(label)⏎")
    let search = try #require(app.state.searches.asked)
    for step in truth.steps {
      #expect(search.isHit(step.number) == StepText(label).matches(step), place)
    }
    try await type(";cause.output >= 0⏎")
    let outputs = try #require(app.state.searches.asked)
    for step in truth.steps {
      guard case .output(let sender) = step.cause else {
        #expect(!outputs.isHit(step.number), place)
        continue
      }
      #expect(outputs.isHit(step.number), place)
      try await type(";step == \(step.number) && cause.output == \(sender)⏎")
      #expect(app.state.searches.asked?.count == 1, place)
    }
  }

  private func compareExport(_ name: String, _ truth: Truth, _ context: String) async throws {
    exports += 1
    let path = folder("\(exports).retcon")
    try await type(":export \(path)⏎")
    let reader = try SessionReader(path: path)
    let place = Comment(rawValue: context)
    #expect(reader.steps == 0...truth.steps.count - 1, place)
    var told = EffectTable()
    for step in truth.steps {
      #expect(same(try reader.step(step.number), step), place)
      #expect(try reader.state(after: step.number) == truth.states[step.number], place)
      for event in try reader.effectEvents(in: step.number...step.number) { told.add(event) }
    }
    let all = 0...truth.steps.count
    #expect(spans(told.spans(in: all)) == spans(truth.effects.spans(in: all)), place)
  }
}

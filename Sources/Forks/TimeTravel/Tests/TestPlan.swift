import HostProtocol
import SessionWords
import ValueTree

/// The statements of a test that runs steps of a session.
///
/// Effects' bodies do not run in it: it states their actions and ends. Effects that only wait for a
/// clock do run, and the test advances the clock.
package struct TestPlan: Sendable {
  package enum Statement: Sendable, Hashable {
    /// The next value of a dependency that the reducer reads.
    case pin(Read)
    case advance(Duration)
    case send(Step)
    case receive(Step, from: Source?)
    case end(Source)
  }

  package struct Source: Sendable, Hashable {
    package var name: String
    /// The file and line that made it, such as `Feature.swift:52`.
    package var place: String
    package var index: Int
    /// The index among all effects of this name that the test started.
    package var order: Int
    package var ends = false
  }

  package let name: String
  package let steps: ClosedRange<Int>
  package private(set) var statements: [Statement] = []
  package var inFlight: [String] { works.map(\.name) }
  package private(set) var lastLabel = ""
  package fileprivate(set) var unfinished: Step?
  /// The first step sent while an effect runs, and the effect's name.
  package private(set) var overlap: (step: Int, effect: String)?
  /// What the adapter for the Composable Architecture puts on tape by itself.
  private static let ofAdapter: Set = ["sendsMarked", "shared", "sharedLoaded", "surroundings"]
  /// The app's own dependency keys that the reducer reads.
  package private(set) var ownKeys: Set<String> = []

  private var works: [(effect: EffectID, name: String, place: String, order: Int)] = []
  private var started: [String: Int] = [:]
  /// Waiting effects, with their times on the test's clock.
  private var pauses: [EffectID: Duration] = [:]
  private var clock = Duration.zero
  private var time: Duration?

  init(name: String, steps: ClosedRange<Int>) {
    self.name = name
    self.steps = steps
  }

  package var pinsReads: Bool {
    statements.contains { if case .pin = $0 { true } else { false } }
  }

  package var advances: Bool {
    statements.contains { if case .advance = $0 { true } else { false } }
  }

  mutating func add(_ step: Step) {
    lastLabel = step.label
    guard !step.isSkipped else { return }
    advance(step.time)
    for read in step.reads
    where !Read.builtIn.contains(read.key) && !Self.ofAdapter.contains(read.key) {
      ownKeys.insert(read.key)
    }
    // A reducer's sends are reduced at once, so their reads are pinned before their trigger.
    let pins = step.reads.map { Statement.pin($0) }
    if case .output(let sender) = step.cause, sender >= steps.lowerBound,
      let start = statements.lastIndex(where: \.startsTurn)
    {
      statements.insert(contentsOf: pins, at: start)
    } else {
      statements += pins
    }
    switch step.cause {
    case .effect(let number):
      let source = source(of: number)
      // Effects from before the first step cannot send.
      if let source { statements.append(.receive(step, from: source)) } else { send(step) }
    case .output(let sender) where sender >= steps.lowerBound:
      statements.append(.receive(step, from: nil))
    case .output, .user, .outside, .unknown: send(step)
    }
  }

  private mutating func send(_ step: Step) {
    if overlap == nil, let running = running { overlap = (step.number, running) }
    statements.append(.send(step))
  }

  package var running: String? { works.first?.name ?? (pauses.isEmpty ? nil : "a pause") }

  mutating func add(_ event: EffectEvent, after step: Step) {
    switch event.kind {
    case .started(let origin):
      guard origin.step >= steps.lowerBound else { return }
      if let pause = origin.pause {
        pauses[event.effect] = clock + pause
        time = event.time ?? step.time
      } else {
        let file = origin.file.split(separator: "/").last.map(String.init) ?? origin.file
        let name = origin.name ?? file
        works.append((event.effect, name, "\(file):\(origin.line)", started[name, default: 0]))
        started[name, default: 0] += 1
      }
    case .finished, .failed: end(event, after: step)
    case .cancelled where event.isFromOutside: end(event, after: step)
    case .cancelled:
      works.removeAll { $0.effect == event.effect }
      pauses[event.effect] = nil
    }
  }

  private mutating func end(_ event: EffectEvent, after step: Step) {
    if let deadline = pauses.removeValue(forKey: event.effect) {
      advance(to: deadline)
      time = event.time ?? time
      return
    }
    guard let source = source(of: event.effect) else { return }
    works.removeAll { $0.effect == event.effect }
    if case .receive(let last, var sender?)? = statements.last, last.number == step.number,
      step.cause == .effect(event.effect)
    {
      sender.ends = true
      statements[statements.count - 1] = .receive(last, from: sender)
    } else {
      statements.append(.end(source))
    }
  }

  private func source(of effect: EffectID) -> Source? {
    guard let own = works.first(where: { $0.effect == effect }) else { return nil }
    let alike = works.filter { $0.name == own.name }
    return Source(
      name: own.name, place: own.place,
      index: alike.firstIndex { $0.effect == effect } ?? 0, order: own.order)
  }

  /// While something waits, recorded time passes, but ends nothing early.
  private mutating func advance(_ now: Duration?) {
    guard let now, let earliest = pauses.values.min(), let before = time else { return }
    time = now
    advance(to: min(clock + (now - before), earliest - .milliseconds(1)))
  }

  private mutating func advance(to target: Duration) {
    guard target > clock else { return }
    statements.append(.advance(target - clock))
    clock = target
  }
}

extension TestPlan.Statement {
  /// Whether it reduces an action, and with it the reducer's sends.
  fileprivate var startsTurn: Bool {
    switch self {
    case .pin, .receive(_, from: nil): false
    case .send, .receive, .advance, .end: true
    }
  }
}

extension OpenSession {
  package func testPlan(of steps: ClosedRange<Int>, on branch: BranchID) throws -> TestPlan {
    var plan = TestPlan(name: title(of: branch), steps: steps)
    for number in steps {
      let position = Position(branch: branch, step: number)
      let told = try step(at: position)
      let isUnfinished =
        told.step.isUnfinished || [.crashed, .timedOut].contains(told.standing.outcome)
      if isUnfinished, number == steps.upperBound, told.step.action != .null {
        plan.unfinished = told.step
      } else if isUnfinished || told.step.damage != nil {
        throw Trouble(
          "step \(number) is incomplete, so no test can go beyond it", place: summary.name,
          next: "Name a range that ends \(isUnfinished ? "with" : "before") it")
      }
      plan.add(told.step)
      for event in try events(after: position) { plan.add(event, after: told.step) }
    }
    return plan
  }

  func events(after position: Position) throws -> [EffectEvent] {
    let owner = table.withLock { $0.owner(of: position) }
    return owner.branch == .main
      ? try recording.events(after: owner.step) : try step(at: position).effects
  }

  package func source(
    of steps: ClosedRange<Int>, on branch: BranchID, unfinished: Value? = nil
  ) async throws -> StepSource {
    try await host(or: "only the app's reducer can write its types")
      .source(of: path(to: branch), steps, unfinished: unfinished)
  }
}

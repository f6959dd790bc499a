import HostProtocol
import SessionWords
import ValueTree

/// What a test does, one statement after the other, to go through steps of a session.
///
/// The bodies of effects do not run in such a test: it says what they send, and when they end. What only
/// waits for a clock does so, and the clock is advanced as far as it went.
package struct TestPlan: Sendable {
  package enum Statement: Sendable, Hashable {
    /// The next value of a dependency that the reducer asks.
    case pin(Read)
    case advance(Duration)
    case send(Step)
    /// Sent by the reducer itself, or by an effect.
    case receive(Step, from: Source?)
    case end(Source)
  }

  /// An effect in flight: the `index`-th of those with its name.
  package struct Source: Sendable, Hashable {
    package var name: String
    package var index: Int
    /// The effect ends with what it sends.
    package var ends = false
  }

  package let name: String
  package let steps: ClosedRange<Int>
  package private(set) var statements: [Statement] = []
  /// What still works at the end.
  package var inFlight: [String] { works.map(\.name) }
  package private(set) var lastLabel = ""
  /// The last step, where the reducer does not return from it.
  package fileprivate(set) var unfinished: Step?
  /// The first step that is sent while an effect runs, and what that one is called.
  package private(set) var overlap: (step: Int, effect: String)?
  /// Keys of dependencies of the app's own that the reducer asks.
  package private(set) var ownKeys: Set<String> = []

  private var works: [(effect: Int, name: String)] = []
  /// Effects that wait, and when they go on by the clock of the test.
  private var pauses: [Int: Duration] = [:]
  private var clock = Duration.zero
  /// The time of the recording up to which the clock was advanced.
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
    follow(step.time)
    for read in step.reads where !Read.builtIn.contains(read.key) { ownKeys.insert(read.key) }
    // What a reducer sends is reduced at once: its reads are pinned before what set it off.
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
      // What was started before the first step is not there to send anything.
      if let source { statements.append(.receive(step, from: source)) } else { send(step) }
    case .output(let sender) where sender >= steps.lowerBound:
      statements.append(.receive(step, from: nil))
    case .output, .user: send(step)
    }
  }

  private mutating func send(_ step: Step) {
    if overlap == nil, let running = running { overlap = (step.number, running) }
    statements.append(.send(step))
  }

  /// What an effect is called that is in flight.
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
        works.append((event.effect, origin.name ?? file))
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

  private func source(of effect: Int) -> Source? {
    guard let own = works.first(where: { $0.effect == effect }) else { return nil }
    let alike = works.filter { $0.name == own.name }
    return Source(
      name: own.name, index: alike.firstIndex { $0.effect == effect } ?? 0)
  }

  /// As long as something waits, time goes on as it did, but nothing ends that did not.
  private mutating func follow(_ now: Duration?) {
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
  /// Whether something is reduced by it, and with it what the reducer sends.
  fileprivate var startsTurn: Bool {
    switch self {
    case .pin, .receive(_, from: nil): false
    case .send, .receive, .advance, .end: true
    }
  }
}

extension OpenSession {
  /// What a test has to do to go through these steps of a branch.
  package func testPlan(of steps: ClosedRange<Int>, on branch: String) throws -> TestPlan {
    var plan = TestPlan(name: summary.name, steps: steps)
    for number in steps {
      let position = Position(branch: branch, step: number)
      let told = try step(at: position)
      let isUnfinished =
        told.step.isUnfinished || [.crashed, .timedOut].contains(told.standing.outcome)
      if isUnfinished, number == steps.upperBound, told.step.action != .null {
        plan.unfinished = told.step
      } else if isUnfinished || told.step.damage != nil {
        throw Trouble(
          "step \(number) is not whole, and no test can go beyond it", place: summary.name,
          next: "Name a range that ends \(isUnfinished ? "with" : "before") it")
      }
      plan.add(told.step)
      for event in try events(after: position, told) { plan.add(event, after: told.step) }
    }
    return plan
  }

  private func events(after position: Position, _ told: BranchStep) throws -> [EffectEvent] {
    let owner = table.withLock { $0.owner(of: position) }
    return owner.branch == Branch.main ? try recording.events(after: owner.step) : told.effects
  }

  /// These steps as the host writes them.
  package func source(
    of steps: ClosedRange<Int>, on branch: String, unfinished: Value? = nil
  ) async throws -> StepSource {
    try await host(or: "only the app's reducer knows how its types are written")
      .source(SourceRequest(branch: path(to: branch), steps: steps, unfinished: unfinished))
  }
}

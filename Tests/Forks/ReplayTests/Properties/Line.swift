import SessionFile
import SessionWords
import StoreCore
import ValueTree

@testable import Replay

/// One way that an app went live, with everything that can be edited in it: a recording, or a
/// branch whose steps equal a live run.
struct Line<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  let app: RandomApp<State, Action>
  let seed: UInt64
  var happenings: [Happening<Action>]
  var detour = Detour<Action>()
  var end: Duration
  /// Before the first step, and after each.
  var states: [State]
  /// From step 1 on.
  var steps: [Step]
  var places: [Place]
  /// When the steps were live. The user says when an answer by hand comes.
  var times: [Duration]
  var events: [EffectEvent]
  /// The origins of effects, as far as they are known.
  var origins: [EffectID: Origin]
  /// Up to here it is known how it went.
  var lastStep: Int

  func step(_ number: Int) -> Step { steps[number - 1] }

  /// The same app live, with other happenings.
  func live(
    _ happenings: [Happening<Action>], _ detour: Detour<Action>
  ) async -> LiveApp<State, Action> {
    let run = await LiveApp(
      app, World(seed: seed, app.mix, otherReads: detour.reads), detour)
    for happening in happenings { await run.perform(happening) }
    await run.finish(at: end)
    return run
  }

  /// The effects in flight after a step.
  func inFlight(after step: Int) -> [EffectID] {
    var effects: Set<EffectID> = []
    for event in events where event.step <= step {
      if event.origin != nil { effects.insert(event.effect) } else { effects.remove(event.effect) }
    }
    return effects.sorted()
  }

  /// A moment right after a step, when nothing else happens.
  struct Slot {
    var step: Int
    var time: Duration
    /// The last move before it; 0 at the start.
    var move: Int
  }

  /// The slot after a step; nil where the turn goes on, or something happens at the same time.
  func slot(after step: Int) -> Slot? {
    var time = step > 0 ? self.step(step).time ?? .zero : .zero
    for event in events where event.step == step { time = max(time, event.time ?? time) }
    if step > 0, self.step(step).time != times[step - 1] { return nil }
    if step < steps.count {
      let next = self.step(step + 1)
      guard next.cause == .user || next.time ?? .zero > time else { return nil }
      if case .output = next.cause { return nil }
    }
    // An event at the very end is recorded when the app is let go.
    guard time < end else { return nil }
    let before = (1...max(1, step)).last { step > 0 && self.step($0).cause == .user }
    return Slot(step: step, time: time, move: before.map { places[$0 - 1].origin.move } ?? 0)
  }

  /// Tells how to run a failure again.
  var words: String {
    """
    app \(app.name), seed \(seed): run it alone with RETCON_SEED=\(seed)
    \(happenings.map { "  \($0)" }.joined(separator: "\n"))
      ends at \(end.inSeconds) s
    """
  }
}

extension Line {
  /// A branch of a line, as far as its report equals the live run.
  init(
    _ edit: RandomEdit<State, Action>, of line: Line, _ told: Told<State>,
    _ live: LiveApp<State, Action>
  ) {
    self = line
    happenings = edit.happenings.compactMap { happening in
      if case .nothing = happening.what { return nil }
      var happening = happening
      happening.recorded = happening.move
      return happening
    }
    detour = edit.detour
    states = live.states
    places = live.places
    times = live.times
    steps = told.steps
    events = told.events
    lastStep = min(told.knownCount, live.places.count)
  }
}

/// The reported steps of a branch.
struct Told<State: Codable & Equatable & Sendable> {
  /// Before the first step, and after each.
  var states: [State]
  /// From step 1 on.
  var steps: [Step] = []
  var values: [Standing.Values] = []
  /// The first unknown fact of each step.
  var reasons: [DoubtReason?] = []
  var lines: [String] = []
  var events: [EffectEvent] = []
  var report = BranchReport(lastStep: 0)
  /// The parent's steps behind the place of rejoining are complete as well.
  private var isRestComplete = true

  /// How many steps from the start on are known.
  var knownCount: Int { values.firstIndex { !$0.areKnown } ?? values.count }

  /// Nothing is said to be missing behind the last step.
  var isComplete: Bool {
    isRestComplete && report.ending == nil && !report.pending.contains(where: \.isUnanswered)
      && report.assumptions.allSatisfy(\.kind.values.areKnown)
  }

  /// A recording.
  init(_ session: SessionReader, _ states: [State]) throws {
    self.states = states
    for number in session.steps.dropFirst() { steps.append(try session.step(number)) }
    values = steps.map { _ in .recorded }
    reasons = steps.map { _ in nil }
    lines = steps.map { "\($0.number) \($0.label)" }
    events = try session.effectEvents(in: session.steps)
  }

  /// A branch of this one.
  init(
    _ scripts: [Script], in replay: SessionReplay, of parent: Told
  ) throws {
    let leavesAt = scripts.last?.leavesAt ?? 0
    var told = parent
    told.cut(after: leavesAt)
    var state = try replay.state(of: Array(scripts.dropLast()), after: leavesAt)
    var failure: (any Error)?
    var reason: DoubtReason?
    let report = try replay.run(scripts) { step in
      do {
        state = try Patch(step.patch ?? []).applied(to: state)
        told.states.append(try ValueDecoder().decode(State.self, from: state))
      } catch let error {
        failure = error
      }
      told.steps.append(step.step)
      told.values.append(step.standing.values)
      reason =
        reason
        ?? step.standing.assumptions.first { !$0.kind.values.areKnown }.map {
          DoubtReason($0, at: step.step.number)
        }
      told.reasons.append(step.standing.values.areKnown ? nil : reason)
      let doubts = step.standing.assumptions.map(\.sentence) + step.remarks
      let time = step.step.time?.inSeconds ?? 0
      told.lines.append("\(step.line) at \(time) s \(doubts.joined(separator: "; "))")
      told.events += step.effects
    }
    if let failure { throw failure }
    told.events += report.effects
    told.report = report
    told.isRestComplete = true
    if let rejoining = report.rejoining {
      told.append(parent, after: rejoining)
      told.isRestComplete = parent.isComplete
    }
    self = told
  }

  private mutating func cut(after step: Int) {
    states.removeLast(states.count - step - 1)
    steps.removeLast(steps.count - step)
    values.removeLast(values.count - step)
    reasons.removeLast(reasons.count - step)
    lines.removeLast(lines.count - step)
    events.removeAll { $0.step > step }
  }

  private mutating func append(_ parent: Told, after rejoining: Rejoining) {
    let shift = rejoining.step - rejoining.parentStep
    for index in parent.steps.indices.dropFirst(rejoining.parentStep) {
      var step = parent.steps[index]
      step.number += shift
      steps.append(step)
      states.append(parent.states[index + 1])
      values.append(parent.values[index])
      reasons.append(parent.reasons[index])
      lines.append(parent.lines[index] + " (the parent's)")
    }
    for var event in parent.events where event.step > rejoining.parentStep {
      event.step += shift
      events.append(event)
    }
  }
}

extension Told {
  /// A step is one thing with that of a live run: its state is, and its action.
  func step<Action>(
    at index: Int, isThatOf live: LiveApp<State, Action>, _ app: RandomApp<State, Action>
  ) throws -> Bool {
    guard live.states.indices.contains(index + 1),
      try app.areSame(states[index + 1], live.states[index + 1])
    else { return false }
    guard let action = live.actions[index] else { return true }
    return try ValueEncoder().encode(action).isExactlyEqual(to: steps[index].action)
  }
}

/// The first unknown fact of a doubtful step.
struct DoubtReason {
  /// Its sentence without names and numbers.
  var cause: String
  /// The name of the effect, or the key of the read.
  var subject: String
  /// The first step that rests on it.
  var step: Int

  init(_ assumption: Assumption, at step: Int) {
    var words = ""
    var depth = 0
    for character in assumption.sentence {
      if "”)".contains(character) { depth -= 1 }
      if depth == 0, !character.isNumber { words.append(character) }
      if "“(".contains(character) { depth += 1 }
    }
    cause = "\(assumption.kind.rawValue): \(words)"
    let name = assumption.sentence.split(separator: "“").dropFirst().first?.prefix { $0 != "”" }
    subject = if case .read(let key, _) = assumption.subject { key } else { String(name ?? "") }
    self.step = step
  }
}

import SessionLog
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// A change of a session, as a script and as another live run.
struct RandomEdit<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  typealias Session = RandomSession<State, Action>
  typealias Random = SeededRandomNumberGenerator

  enum Kind: String, CaseIterable {
    case skip, replace, insert, move, read, set, answer, stop
  }

  private let session: Session
  private(set) var edits: [Edit] = []
  private(set) var kinds: [Kind] = []
  private(set) var leavesAt = Int.max
  private(set) var happenings: [Happening<Action>]
  private(set) var detour = Detour<Action>()
  /// Where something else is changed, too, a reducer may send something else, and an effect may have
  /// answered before it is answered by hand: then there is no one way that the app goes live.
  private let isAlone: Bool
  /// Two edits are not about the same thing.
  private var touchedMoves: Set<Int> = []
  private var touchedSlots: Set<Int> = []

  init(_ session: Session, _ random: inout Random) throws {
    self.session = session
    happenings = session.happenings
    isAlone = Int.random(in: 0..<6, using: &random) > 0
    for _ in 0..<200 where kinds.count < (isAlone ? 1 : 2) {
      guard let kind = Kind.allCases.randomElement(using: &random) else { continue }
      if try add(kind, &random) { kinds.append(kind) }
    }
    try #require(!kinds.isEmpty, "nothing can be edited in \(session.words)")
  }

  var script: Script { Script(leavesAt: leavesAt, edits: edits) }
  var name: String { kinds.count > 1 ? "two edits" : kinds.map(\.rawValue).joined() }

  private var steps: [Int] { session.lastStep == 0 ? [] : Array(1...session.lastStep) }

  private mutating func add(_ kind: Kind, _ random: inout Random) throws -> Bool {
    switch kind {
    case .skip: skip(&random)
    case .replace: try replace(&random)
    case .insert: try insert(&random)
    case .move: try move(&random)
    case .read: try read(&random)
    case .set: try set(&random)
    case .answer: try answer(&random)
    case .stop: try stop(&random)
    }
  }

  private mutating func take(
    _ random: inout Random, _ isMeant: (Step) throws -> Bool
  ) rethrows -> Int? {
    let steps = try steps.filter {
      try !touchedMoves.contains(move(of: $0)) && isMeant(session.step($0))
    }
    guard !steps.isEmpty else { return nil }
    let step = steps[later(in: steps.indices, &random)]
    touchedMoves.insert(move(of: step))
    return step
  }

  /// Rather late than early: the more comes after an edit, the less of it is known.
  private func later(in range: Range<Int>, _ random: inout Random) -> Int {
    (0..<4).reduce(range.lowerBound) { step, _ in
      max(step, Int.random(in: range, using: &random))
    }
  }

  /// The move that a step descends from.
  private func move(of step: Int) -> Int { session.run.places[step - 1].origin.move }

  /// A place right after a recorded step.
  private func slot(_ random: inout Random) throws -> Session.Slot? {
    let step = later(in: 0..<(session.lastStep + 1), &random)
    return touchedSlots.contains(step) ? nil : try session.slot(after: step)
  }

  private mutating func add(_ edit: Edit, leavesAt step: Int) {
    edits.append(edit)
    leavesAt = min(leavesAt, step)
  }

  private static func isOneWay(_ step: Step, _ isAlone: Bool) -> Bool {
    if case .output = step.cause { isAlone } else { true }
  }

  private mutating func skip(_ random: inout Random) -> Bool {
    let isAlone = isAlone
    guard let step = take(&random, { Self.isOneWay($0, isAlone) }) else { return false }
    add(.skip(step: step), leavesAt: step - 1)
    detour.changes[session.run.places[step - 1]] = .skip
    return true
  }

  /// Another action of the user, or something else that a reducer sent.
  private mutating func replace(_ random: inout Random) throws -> Bool {
    let isAlone = isAlone
    guard
      let step = take(
        &random,
        {
          if case .effect = $0.cause { return false }
          return Self.isOneWay($0, isAlone)
        })
    else { return false }
    let action = session.app.action(session.run.states[step - 1], &random)
    add(.replace(step: step, action: try .encoding(action)), leavesAt: step - 1)
    detour.changes[session.run.places[step - 1]] = .replace(action)
    return true
  }

  private mutating func insert(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random) else { return false }
    let action = session.app.action(session.run.states[slot.step], &random)
    add(.insert(after: slot.step, action: try .encoding(action)), leavesAt: slot.step)
    place(.send(action), at: slot)
    return true
  }

  private mutating func move(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random),
      let step = take(
        &random, { $0.cause == .user && $0.number != slot.step && $0.number != slot.step + 1 }),
      let index = happenings.firstIndex(where: { $0.recorded == move(of: step) })
    else { return false }
    add(.move(step: step, after: slot.step), leavesAt: min(step - 1, slot.step))
    let what = happenings[index].what
    happenings[index].what = .nothing
    place(what, at: slot, as: move(of: step))
    return true
  }

  private mutating func read(_ random: inout Random) throws -> Bool {
    guard let step = take(&random, { $0.reads.contains(where: Self.isOfWorld) }) else {
      return false
    }
    let reads = session.step(step).reads.filter(Self.isOfWorld)
    let index = Int.random(in: reads.indices, using: &random)
    let key = reads[index].key
    let number = reads[..<index].count { $0.key == key }
    let value = UInt64.random(in: 0..<1_000_000, using: &random)
    add(
      .read(step: step, key: key, index: number, outcome: .value(try .encoding(value))),
      leavesAt: step - 1)
    detour.reads[ReadPlace(place: session.run.places[step - 1], key: key, number: number)] = value
    return true
  }

  private static func isOfWorld(_ read: Read) -> Bool { ["random", "rate"].contains(read.key) }

  private mutating func set(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random) else { return false }
    let (pointer, value) = session.app.setting(session.run.states[slot.step], &random)
    add(.set(step: slot.step, pointer: pointer, value: value), leavesAt: slot.step)
    place(.set(pointer: pointer, value), at: slot)
    return true
  }

  /// What a service answered, by another action in its place or by the user's answer for the effect.
  private mutating func answer(_ random: inout Random) throws -> Bool {
    var generator = random
    let session = session
    func other(_ step: Step, _ random: inout Random) throws -> Action? {
      guard case .effect = step.cause else { return nil }
      let action = try ValueDecoder().decode(Action.self, from: step.action)
      return session.app.otherAnswer(action, &random)
    }
    guard let found = try take(&random, { try other($0, &generator) != nil }),
      case .effect(let effect) = session.step(found).cause,
      let action = try other(session.step(found), &random)
    else { return false }
    let isOnlyOne = steps.count { session.step($0).cause == .effect(effect) } == 1
    if isAlone, isOnlyOne, Bool.random(using: &random) {
      for outcome in [EffectAnswer.Outcome.emit(action: try .encoding(action)), .finish] {
        add(
          .answer(EffectAnswer(effect: effect, after: found - 1, outcome: outcome)),
          leavesAt: found - 1)
      }
    } else {
      add(.replace(step: found, action: try .encoding(action)), leavesAt: found - 1)
    }
    detour.changes[session.run.places[found - 1]] = .replace(action)
    return true
  }

  /// An effect in flight finishes, fails or is cancelled.
  private mutating func stop(_ random: inout Random) throws -> Bool {
    guard isAlone, let slot = try slot(&random) else { return false }
    let inFlight = try session.reader.effectsInFlight(after: slot.step).map(\.effect)
    guard let effect = inFlight.randomElement(using: &random),
      let origin = session.run.origins[effect], touchedMoves.insert(origin.move).inserted
    else { return false }
    let outcome = [EffectAnswer.Outcome.finish, .fail(message: "no"), .cancel]
      .randomElement(using: &random)
    add(
      .answer(EffectAnswer(effect: effect, after: slot.step, outcome: outcome ?? .cancel)),
      leavesAt: slot.step)
    place(.stop(origin), at: slot)
    return true
  }

  private mutating func place(
    _ what: Happening<Action>.What, at slot: Session.Slot, as move: Int? = nil
  ) {
    touchedSlots.insert(slot.step)
    var index = 0
    if slot.move > 0 { index = (happenings.firstIndex { $0.recorded == slot.move } ?? 0) + 1 }
    // What is no step comes first, and what was put here before.
    while index < happenings.count, happenings[index].time <= slot.time {
      var isCancellation = false
      if case .cancel = happenings[index].what { isCancellation = true }
      guard isCancellation || happenings[index].recorded == nil else { break }
      index += 1
    }
    happenings.insert(
      Happening(move: move ?? 1_000 + happenings.count, time: slot.time, what: what), at: index)
  }
}

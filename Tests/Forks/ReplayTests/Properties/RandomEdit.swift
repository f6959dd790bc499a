import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// A change of a session, as a script and as another live run.
struct RandomEdit<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  typealias Line = ReplayTests.Line<State, Action>
  typealias Random = SeededRandomNumberGenerator

  enum Kind: String, CaseIterable {
    case skip, replace, insert, move, read, set, answer, stop
  }

  private let line: Line
  private let parent: BranchID
  private(set) var edits: [Edit] = []
  private(set) var kinds: [Kind] = []
  private(set) var leavesAt = Int.max
  private(set) var happenings: [Happening<Action>]
  private(set) var detour: Detour<Action>
  /// If something else is changed, too, a reducer may send something else, and an effect may have
  /// answered before the answer by hand. Then the app has more than one way to go live.
  private let isAlone: Bool
  /// Two edits are not about the same thing.
  private var touchedMoves: Set<Int> = []
  private var touchedSlots: Set<Int> = []

  /// One edit, or two or three; nil where nothing can be edited.
  init?(_ line: Line, _ random: inout Random, parent: BranchID = .main) throws {
    self.line = line
    self.parent = parent
    happenings = line.happenings
    detour = line.detour
    // A reducer sends something else where what it was sent is replaced: then nothing is left to change.
    touchedMoves = Set(line.detour.changes.keys.filter { $0.number > 0 }.map(\.origin.move))
    let count = max(1, Int.random(in: -2...3, using: &random))
    isAlone = count == 1
    for _ in 0..<200 where kinds.count < count {
      guard let kind = Kind.allCases.randomElement(using: &random) else { continue }
      if try add(kind, &random) { kinds.append(kind) }
    }
    guard !kinds.isEmpty else { return nil }
  }

  var script: Script { Script(parent: parent, leavesAt: leavesAt, edits: edits) }
  var name: String { kinds.count > 1 ? "several" : kinds.map(\.rawValue).joined() }

  private var steps: [Int] { line.lastStep == 0 ? [] : Array(1...line.lastStep) }

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
      try !touchedMoves.contains(move(of: $0)) && isMeant(line.step($0))
    }
    guard !steps.isEmpty else { return nil }
    let step = steps[place(in: steps.indices, &random)]
    touchedMoves.insert(move(of: step))
    return step
  }

  private func place(in range: Range<Int>, _ random: inout Random) -> Int {
    (0..<(line.app.mix == .hard ? 4 : 1)).reduce(range.lowerBound) { step, _ in
      max(step, Int.random(in: range, using: &random))
    }
  }

  /// The move that a step descends from.
  private func move(of step: Int) -> Int { line.places[step - 1].origin.move }

  /// A place right after a recorded step.
  private func slot(_ random: inout Random) throws -> Line.Slot? {
    let step = place(in: 0..<(line.lastStep + 1), &random)
    return touchedSlots.contains(step) ? nil : line.slot(after: step)
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
    detour.changes[line.places[step - 1]] = .skip
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
    let action = line.app.action(line.states[step - 1], &random)
    add(.replace(step: step, action: try .encoding(action)), leavesAt: step - 1)
    detour.changes[line.places[step - 1]] = .replace(action)
    return true
  }

  private mutating func insert(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random) else { return false }
    let action = line.app.action(line.states[slot.step], &random)
    add(.insert(after: slot.step, action: try .encoding(action)), leavesAt: slot.step)
    place(.send(action), at: slot)
    return true
  }

  private mutating func move(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random),
      let step = take(
        &random, { $0.cause == .user && $0.number != slot.step && $0.number != slot.step + 1 }),
      let index = happenings.firstIndex(where: { $0.isMove(move(of: step)) })
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
    let reads = line.step(step).reads.filter(Self.isOfWorld)
    let index = Int.random(in: reads.indices, using: &random)
    let key = reads[index].key
    let number = reads[..<index].count { $0.key == key }
    let value = UInt64.random(in: 0..<1_000_000, using: &random)
    add(
      .read(step: step, key: key, index: number, outcome: .value(try .encoding(value))),
      leavesAt: step - 1)
    detour.reads[ReadPlace(place: line.places[step - 1], key: key, number: number)] = value
    return true
  }

  private static func isOfWorld(_ read: Read) -> Bool { ["random", "rate"].contains(read.key) }

  private mutating func set(_ random: inout Random) throws -> Bool {
    guard let slot = try slot(&random) else { return false }
    let (pointer, value) = line.app.setting(line.states[slot.step], &random)
    add(.set(step: slot.step, pointer: pointer, value: value), leavesAt: slot.step)
    place(.set(pointer: pointer, value), at: slot)
    return true
  }

  /// Replaces a service's answer by another action, or by the user's answer for the effect.
  private mutating func answer(_ random: inout Random) throws -> Bool {
    var generator = random
    let line = line
    func other(_ step: Step, _ random: inout Random) throws -> Action? {
      guard case .effect = step.cause else { return nil }
      let action = try ValueDecoder().decode(Action.self, from: step.action)
      return line.app.otherAnswer(action, &random)
    }
    guard let found = try take(&random, { try other($0, &generator) != nil }),
      case .effect(let effect) = line.step(found).cause,
      let action = try other(line.step(found), &random)
    else { return false }
    let isOnlyOne = steps.count { line.step($0).cause == .effect(effect) } == 1
    if isAlone, isOnlyOne, Bool.random(using: &random), let slot = line.slot(after: found - 1) {
      for outcome in [EffectAnswer.Outcome.emit(action: try .encoding(action)), .finish] {
        add(
          .answer(EffectAnswer(effect: effect, after: found - 1, outcome: outcome)),
          leavesAt: found - 1)
      }
      // Where the fork has it: behind all that happens at that time.
      detour.answers[line.places[found - 1].origin] = slot.time + .nanoseconds(1)
    } else {
      add(.replace(step: found, action: try .encoding(action)), leavesAt: found - 1)
    }
    detour.changes[line.places[found - 1]] = .replace(action)
    return true
  }

  /// An effect in flight finishes, fails or is cancelled.
  private mutating func stop(_ random: inout Random) throws -> Bool {
    guard isAlone, let slot = try slot(&random) else { return false }
    let inFlight = line.inFlight(after: slot.step)
    guard let effect = inFlight.randomElement(using: &random),
      let origin = line.origins[effect],
      // An effect that answers at once has done so before the user can act.
      !line.events.contains(where: {
        $0.effect == effect && $0.origin != nil && $0.time == slot.time
      }), touchedMoves.insert(origin.move).inserted
    else { return false }
    // An effect without an answer up to there counts as silent, whatever it asks in a fork of the
    // fork.
    let hasSpoken = (1...max(1, slot.step)).contains {
      slot.step > 0 && line.step($0).cause == .effect(effect)
    }
    if !hasSpoken { detour.answers[origin] = .seconds(1_000_000) }
    let outcome = [EffectAnswer.Outcome.finish, .fail(message: "no"), .cancel]
      .randomElement(using: &random)
    add(
      .answer(EffectAnswer(effect: effect, after: slot.step, outcome: outcome ?? .cancel)),
      leavesAt: slot.step)
    place(.stop(origin), at: slot)
    return true
  }

  private mutating func place(
    _ what: Happening<Action>.What, at slot: Line.Slot, as move: Int? = nil
  ) {
    touchedSlots.insert(slot.step)
    var index = 0
    if slot.move > 0 { index = (happenings.firstIndex { $0.recorded == slot.move } ?? 0) + 1 }
    // Events without a step come first, and the edits that were put here before.
    while index < happenings.count, happenings[index].time <= slot.time {
      var isStep = true
      if case .cancel = happenings[index].what { isStep = false }
      if case .stop = happenings[index].what { isStep = false }
      guard !isStep || happenings[index].recorded == nil else { break }
      index += 1
    }
    let last = happenings.map(\.move).max() ?? 0
    happenings.insert(
      Happening(move: move ?? last + 1_000, time: slot.time, what: what), at: index)
  }
}

import Platform
import SessionFile
import SessionWords
import ValueTree

/// A step of a source with what happened to effects until the next one.
struct SourceSlot: Sendable {
  var step: Step
  /// The recorded change of the state, from the state after the step `patchLeadsFrom`.
  var patch: Value?
  var patchLeadsFrom: Int?
  /// Whether the source tells the state after it.
  var tellsState: Bool
  /// Whether the whole state stands beside the patch.
  var holdsState: Bool
  /// What the reducer's effect set going and cancelled in this step.
  var begun: [EffectEvent] = []
  /// What came from outside afterwards: effects that ended, or were cancelled by no step.
  var ends: [End] = []

  struct End: Sendable {
    var event: EffectEvent
    /// What was chained to it.
    var begun: [EffectEvent] = []
  }

  /// The ends that were one turn of the store each: a task that is cancelled takes several effects
  /// with it, one right after the other, and what follows belongs to all of them.
  var turnsOfEnds: [[End]] {
    var turns: [[End]] = []
    for end in ends {
      if end.event.kind == .cancelled, !end.event.isAlone, let last = turns.last?.last,
        last.event.kind == .cancelled, !last.event.isAlone,
        (end.event.time ?? .zero) - (last.event.time ?? .zero) < .milliseconds(1)
      {
        turns[turns.count - 1].append(end)
      } else {
        turns.append([end])
      }
    }
    return turns
  }

  mutating func add(_ event: EffectEvent) {
    if event.isEnd {
      ends.append(End(event: event))
    } else if ends.isEmpty {
      begun.append(event)
    } else {
      ends[ends.count - 1].begun.append(event)
    }
  }

  /// A reducer sent it, in a step that is part of the source. Where a source starts in the middle, what
  /// earlier steps sent comes from outside.
  let isOutput: Bool

  init(_ recorded: StoredStep, first: Int) {
    step = recorded.step
    patch = recorded.patch
    tellsState = recorded.tellsState
    holdsState = recorded.holdsState
    if case .output(let sender) = step.cause { isOutput = sender > first } else { isOutput = false }
  }
}

extension EffectEvent {
  /// It is no reducer's doing, so replaying repeats it.
  fileprivate var isEnd: Bool {
    switch kind {
    case .finished, .failed: true
    case .cancelled: isFromOutside
    case .started: false
    }
  }

  var origin: EffectOrigin? {
    if case .started(let origin) = kind { origin } else { nil }
  }
}

/// Reads a source in blocks, from front to back.
struct SourceCursor: Sendable {
  let source: any ReplaySource
  /// Nil where nobody goes beside it, and nobody goes far.
  var shared: ReadBlocks?
  private var block: [SourceSlot] = []
  private var first = 0
  /// The last step whose state is told, of those up to the end of the block.
  private var told: Int?

  /// They end at the multiples of this number.
  private static var blockSize: Int { 128 }
  /// So many steps before a block stay: who looks ahead comes back to its own step.
  private static var keptCount: Int { 128 }

  init(_ source: any ReplaySource) { self.source = source }

  var steps: ClosedRange<Int> { source.steps }

  mutating func slot(_ number: Int) throws -> SourceSlot { block[try place(of: number)] }

  /// What ``SourceSlot/isOutput`` says, without a copy of the step.
  mutating func isOutput(_ number: Int) throws -> Bool { block[try place(of: number)].isOutput }

  /// Where a run that is to come by the step behind this one can start: what reducers send at once is
  /// computed anew.
  mutating func beginning(ofTurnAfter step: Int) throws -> Int {
    guard step < steps.upperBound, try isOutput(step + 1) else { return step }
    var place = step
    while place > steps.lowerBound, try isOutput(place) { place -= 1 }
    return max(place - 1, steps.lowerBound)
  }

  /// Whether something from outside happened between this step and the next.
  mutating func hasEnds(_ number: Int) throws -> Bool {
    !block[try place(of: number)].ends.isEmpty
  }

  /// What the source tells of the state after a step: the change that leads to it from the state
  /// after an earlier step, where it has one.
  mutating func told(at number: Int) throws -> (isState: Bool, change: (from: Int, patch: Value)?) {
    let place = try place(of: number)
    guard let from = block[place].patchLeadsFrom, let patch = block[place].patch else {
      return (block[place].tellsState, nil)
    }
    return (block[place].tellsState, (from, patch))
  }

  /// Whether these steps were read just now, and nothing but patches leads through them.
  func leadsThrough(_ numbers: ClosedRange<Int>) -> Bool {
    numbers.lowerBound >= first && numbers.upperBound < first + block.count
      && numbers.allSatisfy { !block[$0 - first].holdsState }
  }

  /// Lets go of what was read: a cursor that only waits should cost nothing.
  mutating func rest() { block = [] }

  private mutating func place(of number: Int) throws -> Int {
    if block.indices.contains(number - first) { return number - first }
    try load(from: number)
    return number - first
  }

  private mutating func load(from number: Int) throws {
    let next = first + block.count
    let follows = !block.isEmpty && number >= next && number <= next | (Self.blockSize - 1)
    // The step before tells where the first patch leads from.
    let start = follows ? next : max(number - 1, min(number, steps.lowerBound))
    if !follows { told = nil }
    let end = self.end(ofBlockWith: number)
    let slots: [SourceSlot]
    if let shared {
      slots = try shared.slots(of: source, start...end, &told)
      if follows, end < steps.upperBound {
        shared.readAhead(in: source, end + 1...self.end(ofBlockWith: end + 1), told)
      }
    } else {
      slots = try source.slots(start...end, &told)
    }
    if follows {
      block.removeFirst(max(0, block.count - Self.keptCount))
      first = start - block.count
      block += slots
    } else {
      block = slots
      first = start
    }
  }

  private func end(ofBlockWith number: Int) -> Int {
    max(number, min(number | (Self.blockSize - 1), steps.upperBound))
  }
}

extension ReplaySource {
  /// Steps with all that is told between them. `told` is the last step so far whose state is told.
  func slots(
    _ numbers: ClosedRange<Int>, _ told: inout Int?
  ) throws -> [SourceSlot] {
    let ownPatches = firstOwnPatch
    var slots = try storedSteps(numbers).map { stored in
      var slot = SourceSlot(stored, first: steps.lowerBound)
      let number = slot.step.number
      slot.patchLeadsFrom = number >= ownPatches ? number - 1 : told
      // Behind a line that is lost nobody knows what the next patch leads from.
      told = stored.tellsState ? number : slot.step.damage == nil ? told : nil
      return slot
    }
    for event in try effectEvents(in: numbers) {
      let index = event.step - numbers.lowerBound
      if slots.indices.contains(index) { slots[index].add(event) }
    }
    return slots
  }
}

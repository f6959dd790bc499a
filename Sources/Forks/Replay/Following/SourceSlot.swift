import Platform
import SessionFile
import SessionWords
import ValueTree

/// A step of a source with the effect events until the next one.
struct SourceSlot: Sendable {
  var step: Step
  var patch: Value?
  var patchLeadsFrom: Int?
  var tellsState: Bool
  var holdsState: Bool
  var begun: [EffectEvent] = []
  /// Later events from outside: effects that ended, or that no step cancelled.
  var ends: [End] = []

  struct End: Sendable {
    var event: EffectEvent
    var begun: [EffectEvent] = []
  }

  /// Ends grouped by turn of the store: a cancelled task ends several effects at once, and what
  /// follows belongs to them all.
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

  /// Whether a reducer sent it in a step of the source. If a source starts in the middle, what
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
  var isEnd: Bool {
    switch kind {
    case .finished, .failed: true
    case .cancelled: isFromOutside
    case .started: false
    }
  }

  /// Whether the step started it, and it was not called from outside behind that step.
  func isStarted(by step: Int) -> Bool {
    origin.map { $0.step == step && !$0.isFromOutside } ?? false
  }

  var origin: EffectOrigin? {
    if case .started(let origin) = kind { origin } else { nil }
  }
}

struct SourceCursor: Sendable {
  let source: any ReplaySource
  var shared: ReadBlocks?
  private var block: [SourceSlot] = []
  private var first = 0
  private var told: Int?

  private static var blockSize: Int { 128 }
  private static var keptCount: Int { 128 }

  init(_ source: any ReplaySource) { self.source = source }

  var steps: ClosedRange<Int> { source.steps }

  mutating func slot(_ number: Int) throws -> SourceSlot { block[try place(of: number)] }

  mutating func isOutput(_ number: Int) throws -> Bool { block[try place(of: number)].isOutput }

  /// The latest start for a run that passes the next step: directly sent actions are recomputed.
  mutating func beginning(ofTurnAfter step: Int) throws -> Int {
    guard step < steps.upperBound, try isOutput(step + 1) else { return step }
    var place = step
    while place > steps.lowerBound, try isOutput(place) { place -= 1 }
    return max(place - 1, steps.lowerBound)
  }

  mutating func hasEnds(_ number: Int) throws -> Bool {
    !block[try place(of: number)].ends.isEmpty
  }

  mutating func told(at number: Int) throws -> (isState: Bool, change: (from: Int, patch: Value)?) {
    let place = try place(of: number)
    guard let from = block[place].patchLeadsFrom, let patch = block[place].patch else {
      return (block[place].tellsState, nil)
    }
    return (block[place].tellsState, (from, patch))
  }

  func leadsThrough(_ numbers: ClosedRange<Int>) -> Bool {
    numbers.lowerBound >= first && numbers.upperBound < first + block.count
      && numbers.allSatisfy { !block[$0 - first].holdsState }
  }

  /// Frees the block; a waiting cursor should cost nothing.
  mutating func rest() { block = [] }

  private mutating func place(of number: Int) throws -> Int {
    if block.indices.contains(number - first) { return number - first }
    try load(from: number)
    return number - first
  }

  private mutating func load(from number: Int) throws {
    let next = first + block.count
    let follows = !block.isEmpty && number >= next && number <= next | (Self.blockSize - 1)
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
  func slots(
    _ numbers: ClosedRange<Int>, _ told: inout Int?
  ) throws -> [SourceSlot] {
    let ownPatches = firstOwnPatch
    var slots = try storedSteps(numbers).map { stored in
      var slot = SourceSlot(stored, first: firstSender)
      let number = slot.step.number
      slot.patchLeadsFrom = number >= ownPatches ? number - 1 : told
      // After a lost line, the next patch's start is unknown.
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

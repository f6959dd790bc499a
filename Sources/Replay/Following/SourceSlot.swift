import SessionLog

/// A step of a source with what happened to effects until the next one.
struct SourceSlot: Sendable {
  var step: Step
  /// What the reducer's effect set going and cancelled in this step.
  var begun: [EffectEvent] = []
  /// What came from outside afterwards: effects that ended, or were cancelled by no step.
  var ends: [End] = []

  struct End: Sendable {
    var event: EffectEvent
    /// What was chained to it.
    var begun: [EffectEvent] = []
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

  init(step: Step, first: Int) {
    self.step = step
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
  private var block: [SourceSlot] = []
  private var first = 0

  init(_ source: any ReplaySource) { self.source = source }

  var steps: ClosedRange<Int> { source.steps }

  mutating func slot(_ number: Int) throws -> SourceSlot {
    let index = number - first
    if block.indices.contains(index) { return block[index] }
    try load(from: number)
    return block[0]
  }

  private mutating func load(from number: Int) throws {
    let last = min(number + 127, steps.upperBound)
    block = []
    for step in number...max(last, number) {
      block.append(SourceSlot(step: try source.step(step), first: source.steps.lowerBound))
    }
    first = number
    for event in try source.effectEvents(in: number...max(last, number)) {
      let index = event.step - number
      if block.indices.contains(index) { block[index].add(event) }
    }
  }
}

import SessionWords

/// The losses since a write failed. Retries come after 1, 2, 4 … 1,024 steps.
struct WritingLoss {
  private(set) var first: Int
  private(set) var last: Int
  let reason: String
  /// The number of lost reads, signposts and complete effects.
  private(set) var lostLines = 0
  private(set) var needsNewFile = false
  /// Events that can be written later: each effect's start or end.
  private var effects: [EffectID: EffectEvent] = [:]
  private var tapes: [String] = []
  private var pause = 0
  private var untilNextTry = 0

  init(first: Int, last: Int, reason: String, lines: [LogLine]) {
    self.first = first
    self.last = last
    self.reason = reason
    for line in lines { add(line) }
  }

  /// The unreported lost steps; nil if only lines between steps are lost.
  var steps: ClosedRange<Int>? { first <= last ? first...last : nil }

  var missingLines: Int { lostLines + effects.count + tapes.count }

  mutating func add(step: Int) {
    if steps == nil { first = step }
    last = step
  }

  mutating func add(_ gone: WrittenTally.Gone) {
    needsNewFile = true
    lostLines += gone.lines
    first = min(first, gone.firstStep)
  }

  mutating func add(_ line: LogLine) {
    switch line {
    case .effect(let event): add(event)
    case .tape(let key): tapes.append(key)
    // The step's own line has these facts.
    case .begin, .readBegun: break
    default: lostLines += 1
    }
  }

  private mutating func add(_ event: EffectEvent) {
    if case .started = event.kind {
      effects[event.effect] = event
    } else if case .started = effects[event.effect]?.kind {
      effects[event.effect] = nil
      lostLines += 2
    } else {
      effects[event.effect] = event
    }
  }

  var lines: [LogLine] {
    var lines = missing.map { [$0] } ?? []
    lines += tapes.map { .tape(key: $0) }
    lines += effects.values
      .sorted { ($0.step, $0.effect) < ($1.step, $1.effect) }
      .map { .effect($0) }
    return lines
  }

  /// The loss report; nil if already written.
  var missing: LogLine? { report(lines: lostLines) }

  /// The same if nothing more will be written: pending events are lost, too.
  var missingForGood: LogLine? { report(lines: missingLines) }

  private func report(lines: Int) -> LogLine? {
    steps != nil || lines > 0 ? .lost(steps: steps, lines: lines, because: reason) : nil
  }

  mutating func wasSaid() {
    first = last + 1
    lostLines = 0
  }

  mutating func isTimeToTry() -> Bool {
    guard untilNextTry == 0 else {
      untilNextTry -= 1
      return false
    }
    pause = min(1024, max(1, pause * 2))
    untilNextTry = pause
    return true
  }
}

/// The contents of a session's file, to report losses when it is damaged.
struct WrittenTally {
  private var marks: [Mark]
  /// The least distance of marks; each thinning doubles it.
  private var distance = 0
  private var last: Mark

  private struct Mark {
    var end: Int
    var steps = 0
    var lines = 0
    var lastStep: Int
  }

  private static let mostMarks = 1_024

  init(header size: Int, firstStep: Int) {
    last = Mark(end: size, lastStep: firstStep)
    marks = [last]
  }

  mutating func add(steps: Int, lines: Int, lastStep: Int, end: Int) {
    last = Mark(
      end: end, steps: last.steps + steps, lines: last.lines + lines, lastStep: lastStep)
    guard end - (marks.last?.end ?? 0) >= distance else { return }
    marks.append(last)
    guard marks.count > Self.mostMarks else { return }
    distance = max(1, distance, (end - marks[0].end) / Self.mostMarks) * 2
    marks = marks.indices.filter { $0.isMultiple(of: 2) }.map { marks[$0] }
  }

  /// The loss if only this many bytes are left: never too little, and too much by at most one
  /// mark's distance.
  func gone(behind size: Int) -> Gone {
    let left = marks.last { $0.end <= size }
    return Gone(
      steps: last.steps - (left?.steps ?? 0), lines: last.lines - (left?.lines ?? 0),
      firstStep: (left ?? marks[0]).lastStep + 1)
  }

  mutating func cut(to size: Int) -> Gone {
    defer {
      marks = [marks[0]] + marks.dropFirst().filter { $0.end <= size }
      last = marks[marks.count - 1]
    }
    return gone(behind: size)
  }

  struct Gone {
    var steps: Int
    var lines: Int
    var firstStep: Int
  }
}

struct FinishedPart {
  var path: String
  var identity: PartFile.Identity?
  var size: Int
  var steps: Int
}

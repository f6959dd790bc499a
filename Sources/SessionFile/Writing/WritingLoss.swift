import SessionWords

/// What is missing in a file since a write failed. It is tried again after 1, 2, 4 … 1,024 steps.
struct WritingLoss {
  private(set) var first: Int
  private(set) var last: Int
  let reason: String
  /// How many reads, signposts and whole lives of effects are gone.
  private(set) var lostLines = 0
  /// Somebody took the file away or cut it: the rest goes into another.
  private(set) var needsNewFile = false
  /// What can be told later: for each effect its start or its end.
  private var effects: [Int: EffectEvent] = [:]
  private var tapes: [String] = []
  private var pause = 0
  private var untilNextTry = 0

  init(first: Int, last: Int, reason: String, lines: [LogLine]) {
    self.first = first
    self.last = last
    self.reason = reason
    for line in lines { add(line) }
  }

  /// The steps that the file does not say to be missing yet. Nil when only lines between steps are.
  var steps: ClosedRange<Int>? { first <= last ? first...last : nil }

  /// Whether the file does not say all of it yet.
  var hasNews: Bool { steps != nil || lostLines > 0 }

  /// How many lines between steps would be missing if this were the end.
  var missingLines: Int { lostLines + effects.count + tapes.count }

  mutating func add(step: Int) {
    if steps == nil { first = step }
    last = step
  }

  /// Takes in what was in the file, and is gone with it.
  mutating func add(_ gone: WrittenTally.Gone) {
    needsNewFile = true
    lostLines += gone.lines
    first = min(first, gone.firstStep)
  }

  /// Takes in a line between steps that could not be written.
  mutating func add(_ line: LogLine) {
    switch line {
    case .effect(let event): add(event)
    case .tape(let key): tapes.append(key)
    // The line of the step tells all of it.
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

  /// What is written as soon as there is room: what is missing, and what can still be told.
  var lines: [LogLine] {
    var lines = missing.map { [$0] } ?? []
    lines += tapes.map { .tape(key: $0) }
    lines += effects.values
      .sorted { ($0.step, $0.effect) < ($1.step, $1.effect) }
      .map { .effect($0) }
    return lines
  }

  /// The line that says what is missing; nil when the file says it already.
  var missing: LogLine? {
    hasNews ? .lost(steps: steps, lines: lostLines, because: reason) : nil
  }

  /// The same when nothing more will be written: what could still be told is missing, too.
  var missingForGood: LogLine? {
    steps != nil || missingLines > 0
      ? .lost(steps: steps, lines: missingLines, because: reason) : nil
  }

  /// The file says it now.
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

/// What a file of a session holds by now, so that it can be said what is gone when the file is not as
/// it was written.
struct WrittenTally {
  private var marks: [Mark]
  /// Marks are set at least so far apart; each thinning doubles it.
  private var distance = 0
  private var last: Mark

  private struct Mark {
    /// Up to here the file has them.
    var end: Int
    var steps = 0
    var lines = 0
    var lastStep: Int
  }

  private static let mostMarks = 1_024

  /// Of a file that holds a header only.
  init(header size: Int, firstStep: Int) {
    last = Mark(end: size, lastStep: firstStep)
    marks = [last]
  }

  /// Counts what was just written.
  mutating func add(steps: Int, lines: Int, lastStep: Int, end: Int) {
    last = Mark(
      end: end, steps: last.steps + steps, lines: last.lines + lines, lastStep: lastStep)
    guard end - (marks.last?.end ?? 0) >= distance else { return }
    marks.append(last)
    guard marks.count > Self.mostMarks else { return }
    distance = max(1, distance, (end - marks[0].end) / Self.mostMarks) * 2
    marks = marks.indices.filter { $0.isMultiple(of: 2) }.map { marks[$0] }
  }

  /// What is gone of a file of which only so many bytes are left: at least that, and no more than
  /// was written between two marks besides.
  func gone(behind size: Int) -> Gone {
    let left = marks.last { $0.end <= size }
    return Gone(
      steps: last.steps - (left?.steps ?? 0), lines: last.lines - (left?.lines ?? 0),
      firstStep: (left ?? marks[0]).lastStep + 1)
  }

  /// The same, and from now on only the rest counts.
  mutating func cut(to size: Int) -> Gone {
    defer {
      marks = [marks[0]] + marks.dropFirst().filter { $0.end <= size }
      last = marks[marks.count - 1]
    }
    return gone(behind: size)
  }

  struct Gone {
    var steps: Int
    /// Lines between steps.
    var lines: Int
    /// The first of the steps, where there are any.
    var firstStep: Int
  }
}

/// A part that is written to its end.
struct FinishedPart {
  var path: String
  var identity: PartFile.Identity?
  var size: Int
  var steps: Int
}

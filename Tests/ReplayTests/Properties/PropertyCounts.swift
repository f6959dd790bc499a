import SessionLog

/// What random sessions consisted of, so that a generator that makes nothing of a kind is noticed.
struct PropertyCounts: CustomStringConvertible {
  var sessions = 0
  var steps = 0
  var emissions = 0
  var outputs = 0
  var reads = 0
  var started = 0
  var finished = 0
  var failed = 0
  var cancelled = 0
  /// From outside: a task was cancelled, or the app let go.
  var stopped = 0
  /// A service threw.
  var failures = 0
  /// Edits by kind, and how many of them were known in full.
  var edits: [String: (count: Int, known: Int)] = [:]

  var editCount: Int { edits.values.reduce(0) { $0 + $1.count } }
  var knownCount: Int { edits.values.reduce(0) { $0 + $1.known } }

  mutating func add(_ reader: SessionReader, failures count: Int) throws {
    sessions += 1
    steps += reader.stepCount
    failures += count
    for number in reader.steps.dropFirst() {
      let step = try reader.step(number)
      reads += step.reads.count
      switch step.cause {
      case .user: break
      case .effect: emissions += 1
      case .output: outputs += 1
      }
    }
    for event in try reader.effectEvents(in: reader.steps) {
      switch event.kind {
      case .started: started += 1
      case .finished: finished += 1
      case .failed: failed += 1
      case .cancelled: if event.isFromOutside { stopped += 1 } else { cancelled += 1 }
      }
    }
  }

  mutating func add(_ edit: String, isKnown: Bool) {
    edits[edit, default: (0, 0)].count += 1
    if isKnown { edits[edit, default: (0, 0)].known += 1 }
  }

  var description: String {
    """
    \(sessions) sessions, \(steps) steps: \(emissions) emissions, \(outputs) sent at once, \
    \(reads) reads
      \(started) effects: \(finished) finished, \(failed) failed, \(cancelled) cancelled, \
    \(stopped) stopped from outside; \(failures) services threw
      \(knownCount) of \(editCount) edits known in full: \
    \(edits.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.known)/\($0.value.count)" }
      .joined(separator: ", "))
    """
  }
}

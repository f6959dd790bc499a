import SessionLog

@testable import Replay

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
  /// Steps of branches: known, and in doubt, which of them the live run had all the same.
  var knownSteps = 0
  var doubtful: [Standing.Values: (count: Int, agreeing: Int)] = [:]

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

  mutating func add<State, Action>(
    _ edit: String, _ told: Told<State>, _ live: LiveApp<State, Action>, from first: Int
  ) {
    edits[edit, default: (0, 0)].count += 1
    if told.knownCount == told.steps.count, told.isComplete {
      edits[edit, default: (0, 0)].known += 1
    }
    for index in told.steps.indices.dropFirst(first) {
      let values = told.values[index]
      guard !values.areKnown else {
        knownSteps += 1
        continue
      }
      doubtful[values, default: (0, 0)].count += 1
      if live.states.indices.contains(index + 1), live.states[index + 1] == told.states[index + 1] {
        doubtful[values, default: (0, 0)].agreeing += 1
      }
    }
  }

  /// The share of the steps in doubt that the live run had all the same.
  var needlessDoubt: Double {
    let count = doubtful.values.reduce(0) { $0 + $1.count }
    return Double(doubtful.values.reduce(0) { $0 + $1.agreeing }) / Double(max(1, count))
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
      \(knownSteps) steps of branches known, \(doubtful.values.reduce(0) { $0 + $1.count }) in doubt, \
    of which \(Int((needlessDoubt * 100).rounded())) % agree with the live run: \
    \(doubtful.sorted { $0.key < $1.key }.map {
      "\($0.key.rawValue) \($0.value.agreeing)/\($0.value.count)"
    }.joined(separator: ", "))
    """
  }
}

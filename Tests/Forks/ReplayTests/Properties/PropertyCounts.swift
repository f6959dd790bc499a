import SessionFile
import Testing

@testable import Replay

/// The contents of random sessions, so that a test notices a generator that never makes some kind.
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
  /// Steps of branches.
  var doubt: [Mix: Doubt] = [:]

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
      case .user, .outside, .unknown: break
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
    _ edit: String, _ told: Told<State>, _ live: LiveApp<State, Action>,
    _ app: RandomApp<State, Action>, from first: Int
  ) throws {
    edits[edit, default: (0, 0)].count += 1
    if told.knownCount == told.steps.count, told.isComplete {
      edits[edit, default: (0, 0)].known += 1
    }
    for index in told.steps.indices.dropFirst(first) {
      guard !told.values[index].areKnown else {
        doubt[app.mix, default: Doubt()].knownSteps += 1
        continue
      }
      let agrees = try told.step(at: index, isThatOf: live, app)
      guard let reason = told.reasons[index] else { continue }
      let distance = index + 1 - reason.step
      let steps = distance < 2 ? "\(distance)" : distance < 4 ? "2 or 3" : "4 and more"
      doubt[app.mix, default: Doubt()].add(
        agrees, ["\(app.name), \(reason.subject)", reason.cause, edit, "\(steps) steps behind it"])
    }
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
    \(doubt.map { "  \($0):\n\($1)" }.joined(separator: "\n"))
    """
  }
}

/// Steps of branches that are marked as doubtful, and those of them that the live app does all the
/// same.
struct Doubt: CustomStringConvertible {
  struct Share {
    var count = 0
    var needless = 0

    mutating func add(_ agrees: Bool) {
      count += 1
      if agrees { needless += 1 }
    }

    static func + (one: Share, other: Share) -> Share {
      Share(count: one.count + other.count, needless: one.needless + other.needless)
    }
  }

  /// The parts of a row. The first is the app with the effect or the read that was unknown first.
  /// Then the unknown fact about it, the kind of the edit, and the distance from the first doubt.
  private static let kinds = ["of", "because", "after", "it is"]

  var knownSteps = 0
  var all = Share()
  /// By the kinds.
  private var tables = kinds.map { _ in [String: Share]() }

  mutating func add(_ agrees: Bool, _ words: [String]) {
    all.add(agrees)
    for (index, word) in words.enumerated() {
      tables[index][word, default: Share()].add(agrees)
    }
  }

  mutating func add(_ other: Doubt) {
    knownSteps += other.knownSteps
    all = all + other.all
    for index in tables.indices { tables[index].merge(other.tables[index], uniquingKeysWith: +) }
  }

  /// Of a hundred doubtful steps.
  var needlessShare: Int { all.needless * 100 / max(1, all.count) }

  var description: String {
    """
      \(knownSteps) steps of branches known, \(all.count) in doubt, \(all.needless) of them \
    needlessly: \(needlessShare) % of those in doubt, \
    \(all.needless * 100 / max(1, knownSteps + all.count)) % of all
    \(zip(Self.kinds, tables).map(table).joined(separator: "\n"))
    """
  }

  private func table(_ kind: String, _ shares: [String: Share]) -> String {
    shares.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
      "    \($0.value.needless) of \($0.value.count): \(kind) \($0.key)"
    }.joined(separator: "\n")
  }
}

/// The needless doubt of all apps together: how it is measured by.
enum DoubtTotals {
  private struct Way: Hashable, CustomStringConvertible {
    var mix: Mix
    var effectsOnTape: Bool

    var description: String { "\(mix)\(effectsOnTape ? ", effects on the tape" : "")" }

    /// How many of a hundred doubtful steps may be needlessly so; of few the share is hardly known.
    /// docs/trust.md says why it is higher in hard sessions.
    func most(of count: Int) -> Int {
      let most = effectsOnTape ? 20 : mix == .usual ? 30 : 38
      return count > 8_000 || effectsOnTape && count > 1_000 ? most : most + 12
    }
  }

  private static let totals = ReplayTestLock<[Way: (apps: Set<String>, doubt: Doubt)]>([:])
  private static let appCount = 6

  static func add(_ counts: PropertyCounts, of app: String, effectsOnTape: Bool) {
    for (mix, doubt) in counts.doubt {
      let way = Way(mix: mix, effectsOnTape: effectsOnTape)
      let total = totals.withLock { totals in
        totals[way, default: ([], Doubt())].apps.insert(app)
        totals[way, default: ([], Doubt())].doubt.add(doubt)
        return totals[way]
      }
      guard let total, total.apps.count == appCount else { continue }
      print("all apps, \(way):\n\(total.doubt)")
      guard total.doubt.all.count > 100 else { continue }
      #expect(total.doubt.needlessShare <= way.most(of: total.doubt.all.count))
    }
  }
}

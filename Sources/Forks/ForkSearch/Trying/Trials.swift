import Platform
import SessionWords

/// Tries each script once, within a budget. `tries` runs one script on a lane.
package actor Trials {
  package typealias Tries = @Sendable (_ script: Script, _ lane: Int) async throws -> Verdict

  package struct Budget: Sendable {
    package var runs: Int
    package var time: Duration
    /// The memory for results; a forgotten script is tried again if needed.
    package var bytes: Int
    package var clock: @Sendable () -> Duration

    package init(
      runs: Int = 10_000, time: Duration = .seconds(600), bytes: Int = 32 << 20,
      clock: (@Sendable () -> Duration)? = nil
    ) {
      self.runs = runs
      self.time = time
      self.bytes = bytes
      let start = ContinuousClock.now
      self.clock = clock ?? { ContinuousClock.now - start }
    }
  }

  /// The reason a search stopped early; its findings remain.
  package enum Stopped: Error, Sendable {
    case runs, time, cancelled
  }

  /// Works until the end, or until the search stops.
  static func stopping(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Void
  ) async throws -> Stopped? {
    do { try await work() } catch let error as Stopped { return error } catch is CancellationError {
      return .cancelled
    }
    return nil
  }

  package let lanes: Int
  private let tries: Tries
  private let triesWhole: Tries?
  private let budget: Budget
  private let isKnownOnly: Bool
  private let told: @Sendable (_ runs: Int) async -> Void
  private let memory: TrialMemory?
  private let began: Duration
  private var known = Generation()
  private var wholes: [ScriptKey: Verdict] = [:]
  /// The older results, dropped once `known` is as large.
  private var older = Generation()
  package private(set) var runs = 0
  package private(set) var otherFailures: [String] = []
  package private(set) var assumed = 0

  /// With `isKnownOnly`, accepts no verdict with an assumption. `told` gets the growing number of
  /// scripts run. With a `memory`, what an earlier search about the same tried counts.
  package init(
    lanes: Int = 1, budget: Budget = Budget(), isKnownOnly: Bool = false,
    told: @escaping @Sendable (_ runs: Int) async -> Void = { _ in }, triesWhole: Tries? = nil,
    memory: TrialMemory? = nil, known: TrialMemory.Verdicts = TrialMemory.Verdicts(),
    _ tries: @escaping Tries
  ) {
    self.told = told
    self.memory = memory
    (self.known.verdicts, wholes) = (known.ofSearch, known.ofWhole)
    self.lanes = max(1, lanes)
    self.budget = budget
    self.isKnownOnly = isKnownOnly
    self.tries = tries
    self.triesWhole = triesWhole
    began = budget.clock()
  }

  package var time: Duration { budget.clock() - began }
  package var bytes: Int { known.bytes + older.bytes }

  package func verdict(on script: Script) async throws -> Verdict {
    try await verdicts(on: [script])[0]
  }

  /// The verdict that also counts what happens behind the steps of the search.
  func wholeVerdict(on script: Script) async throws -> Verdict {
    guard let triesWhole else { return try await verdict(on: script) }
    let key = ScriptKey(script)
    if let known = known.verdicts[key] ?? older.verdicts[key], known.answer != .doesNot {
      return known
    }
    if let known = wholes[key] { return known }
    let found = try await run([(key, script)], with: triesWhole)[0]
    wholes[key] = found
    memory?.keep(found, key, ofWhole: true)
    return found
  }

  /// Tries scripts, one a lane. Only a script's first verdict has its state.
  package func verdicts(on scripts: [Script]) async throws -> [Verdict] {
    let keys = scripts.map(ScriptKey.init)
    var verdicts: [ScriptKey: Verdict] = [:]
    var open: [(key: ScriptKey, script: Script)] = []
    for (key, script) in zip(keys, scripts) where verdicts[key] == nil {
      verdicts[key] = known.verdicts[key] ?? older.verdicts[key]
      if verdicts[key] == nil, !open.contains(where: { $0.key == key }) {
        open.append((key, script))
      }
    }
    for start in stride(from: 0, to: open.count, by: lanes) {
      let window = Array(open[start..<min(start + lanes, open.count)])
      for (entry, verdict) in zip(window, try await run(window)) { verdicts[entry.key] = verdict }
    }
    return keys.map { verdicts[$0] ?? Verdict(.doesNot) }
  }

  /// The index of the first script that reaches the goal. Scripts long after it are not tried.
  package func first(of scripts: [Script]) async throws -> Int? {
    for start in stride(from: 0, to: scripts.count, by: lanes) {
      let verdicts = try await verdicts(
        on: Array(scripts[start..<min(start + lanes, scripts.count)]))
      if let index = verdicts.firstIndex(where: { $0.happens && accepts($0) }) {
        return start + index
      }
    }
    return nil
  }

  package func happens(_ script: Script) async throws -> Bool {
    try await attempt(script) == .works
  }

  /// `fewer` works too, but then some of the actions are not needed: it may be another failure.
  enum Attempt: Sendable { case works, guess, fewer, fails }

  /// A guess is one that happens, but not for certain, where only what is certain counts.
  func attempt(_ script: Script) async throws -> Attempt {
    let verdict = try await verdict(on: script)
    return !verdict.happens ? .fails : accepts(verdict) ? .works : .guess
  }

  nonisolated func accepts(_ verdict: Verdict) -> Bool { verdict.isKnown || !isKnownOnly }

  private func run(
    _ window: [(key: ScriptKey, script: Script)], with whole: Tries? = nil
  ) async throws -> [Verdict] {
    let tries = whole ?? tries
    let found = try await counting(window.count) {
      try await withThrowingTaskGroup(of: (Int, Verdict).self) { group in
        for (lane, entry) in window.enumerated() {
          group.addTask { (lane, try await tries(entry.script, lane)) }
        }
        var verdicts: [Int: Verdict] = [:]
        for try await (lane, verdict) in group { verdicts[lane] = verdict }
        return verdicts
      }
    }
    let verdicts = window.indices.map { found[$0] ?? Verdict(.doesNot) }
    guard whole == nil else { return verdicts }
    for (entry, verdict) in zip(window, verdicts) {
      keep(verdict, entry.key)
      memory?.keep(verdict, entry.key, ofWhole: false)
      if isKnownOnly, verdict.happens, !verdict.isKnown { assumed += 1 }
      if case .otherFailure(let words) = verdict.answer, !otherFailures.contains(words) {
        otherFailures.append(words)
      }
    }
    return verdicts
  }

  /// Does the work of some runs within the budget. When the time is over, it stops them.
  func counting<Result: Sendable>(
    _ count: Int = 1, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    if Task.isCancelled { throw Stopped.cancelled }
    if runs + count > budget.runs { throw Stopped.runs }
    if time >= budget.time { throw Stopped.time }
    runs += count
    let result = try await inTime(work)
    await told(runs)
    return result
  }

  /// The clock of the budget decides, not that of the machine.
  func inTime<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let (clock, end) = (budget.clock, began + budget.time)
    if clock() >= end { throw Stopped.time }
    do {
      return try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await work() }
        group.addTask {
          repeat { try await Task.sleep(for: .milliseconds(50)) } while clock() < end
          throw Stopped.time
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      }
    } catch {
      throw Task.isCancelled ? Stopped.cancelled : error
    }
  }

  private struct Generation {
    var verdicts: [ScriptKey: Verdict] = [:]
    var bytes = 0
  }

  private func keep(_ verdict: Verdict, _ key: ScriptKey) {
    var verdict = verdict
    verdict.state = nil
    let bytes = verdict.bytes + MemoryLayout<ScriptKey>.stride
    guard bytes <= budget.bytes / 2 else { return }
    if known.bytes + bytes > budget.bytes / 2 { (older, known) = (known, Generation()) }
    known.verdicts[key] = verdict
    known.bytes += bytes
  }
}

/// A short key for a script, which may have thousands of edits. Payloads count by their text: the
/// hashes of two large numbers can be equal, and the scripts are not compared.
struct ScriptKey: Hashable {
  private let first: Int
  private let second: Int

  init(_ script: Script) {
    var payloads = script.edits.map { edit in
      switch edit {
      case .skip, .move: ""
      default: edit.value.text()
      }
    }.joined(separator: "\n")
    func hash(_ part: some Hashable) -> Int {
      var hasher = Hasher()
      hasher.combine(part)
      payloads.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      return hasher.finalize()
    }
    first = hash(script)
    second = hash([script.edits.count, script.leavesAt] + script.edits.reversed().map(\.hashValue))
  }
}

import Platform
import SessionLog
import StoreCore
import ValueTree

/// What a step read in a re-run, beside what was recorded for it.
struct StepReads: Sendable {
  var used: [Read] = []
  /// Keys without a recorded value, in the order in which they were read.
  var missing: [String] = []
  /// Recorded, and not read this time.
  var unused: [Read] = []
  /// Recorded outcomes that the reader could not take, with the reason.
  var refused: [String] = []
  /// Some were changed by hand.
  var isEdited = false
  /// How many came from the recording.
  var recordedCount = 0

  /// It read what was recorded, and nothing else.
  var isAsRecorded: Bool {
    missing.isEmpty && unused.isEmpty && refused.isEmpty && !isEdited
  }
}

/// A value that was changed by hand: the n-th that a key gives at a step.
struct EditedRead: Sendable, Hashable {
  var key: String
  var index: Int
  var outcome: Read.Outcome
}

/// Behind the tapes while a reducer runs in a replay: gives each key its recorded values in order.
///
/// `@unchecked Sendable`: everything is touched only while the lock is held.
final class ReplayReads: TapeSource, @unchecked Sendable {
  private let lock = Lock()
  private var recorded: [Read] = []
  private var isTaken: [Bool] = []
  private var edits: [EditedRead] = []
  private var counts: [String: Int] = [:]
  private var reads = StepReads()
  private var assumed = AssumedValues(seed: 0)
  private var seconds: Double = 0
  private var ids = StackIDs.certain

  func begin(
    _ recorded: [Read], edits: [EditedRead], assumed: AssumedValues, ids: StackIDs = .certain,
    seconds: Double
  ) {
    lock.withLock {
      self.recorded = recorded
      self.edits = edits
      self.assumed = assumed
      self.seconds = seconds
      self.ids = ids
      isTaken = Array(repeating: false, count: recorded.count)
      counts = [:]
      reads = StepReads()
    }
  }

  func end() -> (StepReads, AssumedValues) {
    lock.withLock {
      for (read, isTaken) in zip(recorded, isTaken) where !isTaken { reads.unused.append(read) }
      return (reads, assumed)
    }
  }

  func answer(to key: String) -> TapeAnswer {
    lock.withLock {
      let index = counts[key, default: 0]
      counts[key] = index + 1
      let place = recorded.indices.first { !isTaken[$0] && recorded[$0].key == key }
      if let place { isTaken[place] = true }
      if let edit = edits.last(where: { $0.key == key && $0.index == index }) {
        reads.isEdited = true
        reads.used.append(Read(key: key, outcome: edit.outcome))
        return .recorded(edit.outcome)
      }
      guard let place else {
        reads.missing.append(key)
        return .assumed(substitutes)
      }
      reads.recordedCount += 1
      reads.used.append(recorded[place])
      return .recorded(recorded[place].outcome)
    }
  }

  func keep(_ key: String, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    lock.withLock { reads.used.append(Read(key: key, outcome: outcome())) }
  }

  func refuse(
    _ outcome: Read.Outcome, for key: String, because reason: String
  ) -> TapeAnswer {
    lock.withLock {
      if let place = reads.used.lastIndex(where: { $0.key == key && $0.outcome == outcome }) {
        reads.used.remove(at: place)
      }
      reads.refused.append("\(key): \(reason)")
      return .assumed(substitutes)
    }
  }

  /// The number of an element that a stack makes, which would be `counted` by its own count; nil for
  /// one of the range that no recording uses (rule 8).
  func stackID(counted: Int) -> Int? {
    let isKnown = lock.withLock {
      ids == .certain && edits.isEmpty && !recorded.contains { $0.key == StackIDs.key }
    }
    if isKnown { return counted }
    switch answer(to: StackIDs.key) {
    case .recorded(.value(.number(.integer(let number)))): return Int(exactly: number)
    case .recorded: return nil
    case .live, .assumed:
      let number = lock.withLock { ids == .doubtful ? counted : nil }
      keep(StackIDs.key) { .value(number.map { .number(Number($0)) } ?? .null) }
      return number
    }
  }

  private var substitutes: TapeSubstitutes {
    let seconds = seconds
    return TapeSubstitutes(
      random: { self.lock.withLock { self.assumed.nextRandom() } },
      secondsSince1970: { seconds },
      count: { self.lock.withLock { self.assumed.nextCount() } })
  }
}

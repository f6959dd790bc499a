import Platform
import Recorder
import SessionWords
import StoreCore
import ValueTree

/// What a step read in a re-run, beside what was recorded for it.
struct StepReads: Sendable {
  var used: [Read] = []
  /// What was asked that the recording has no certain answer to, in order.
  var doubts: [Doubt] = []
  /// Recorded, and not read this time.
  var unused: [Read] = []
  /// Keys whose live dependency was asked.
  var live: [String] = []
  /// Some were changed by hand.
  var isEdited = false

  /// It read what was recorded, and nothing else; whether what is unclear was, hangs on the step.
  var isAsRecorded: Bool {
    unused.isEmpty && !isEdited && doubts.allSatisfy { $0.reason == .unclear }
  }

  /// Nothing was asked, and nothing recorded was left over.
  var isNothing: Bool {
    used.isEmpty && doubts.isEmpty && unused.isEmpty && live.isEmpty && !isEdited
  }

  /// Questions without a recorded answer.
  var missing: [Question] {
    doubts.compactMap { [.notRecorded, .otherTime].contains($0.reason) ? $0.asked : nil }
  }

  /// Asked otherwise than it was recorded: the answer is to another question.
  var otherwise: [(recorded: Question, asked: Question)] {
    doubts.compactMap {
      if case .otherwise(let recorded) = $0.reason { (recorded, $0.asked) } else { nil }
    }
  }

  /// Recorded outcomes that the reader could not take, with the reason.
  var refused: [String] {
    doubts.compactMap {
      if case .refused(let reason) = $0.reason { "\($0.asked.key): \(reason)" } else { nil }
    }
  }

  /// A question about which the recording says nothing certain.
  struct Doubt: Sendable, Hashable {
    var asked: Question
    /// Which of the reads of its key it is.
    var index: Int
    var reason: Reason
    /// Nothing could stand in for the answer, so the dependency was asked for real.
    var isLive = false
  }

  enum Reason: Sendable, Hashable {
    /// No value was recorded: a substitute was given.
    case notRecorded
    /// What was recorded belongs to another time: a substitute was given.
    case otherTime
    /// The answer to another question was given.
    case otherwise(recorded: Question)
    /// The reader could not take what was recorded: a substitute was given.
    case refused(String)
    /// What was recorded was given, and whether it was asked the same cannot be told.
    case unclear
  }
}

/// A value that was changed by hand: the n-th that a key gives at a step.
struct EditedRead: Sendable, Hashable {
  var key: String
  var index: Int
  var outcome: Read.Outcome
}

/// Behind the tapes while a reducer runs in a replay: gives each question its recorded answer, and
/// answers to one question in order.
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
  /// The times of the step here and in the recording, where they are not one.
  private var time: Duration?
  private var recordedTime: Duration?
  private let allowsLiveCalls: Bool

  init(allowsLiveCalls: Bool = true) { self.allowsLiveCalls = allowsLiveCalls }

  /// A step that is as it was recorded.
  func begin(_ recorded: [Read], seconds: Double) {
    lock.withLock {
      self.recorded = recorded
      self.seconds = seconds
      edits = []
      assumed = AssumedValues(seed: 0)
      (ids, time, recordedTime) = (.certain, nil, nil)
      isTaken = Array(repeating: false, count: recorded.count)
      counts = [:]
      reads = StepReads()
    }
  }

  // On the way of every step: no closures.
  func begin(_ recorded: [Read], in place: ReducerSurroundings) {
    lock.lock()
    defer { lock.unlock() }
    self.recorded = recorded
    edits = place.edits
    assumed = place.assumed
    seconds = place.seconds
    ids = place.ids
    time = place.time
    recordedTime = place.recordedTime
    if !recorded.isEmpty || !isTaken.isEmpty {
      isTaken = Array(repeating: false, count: recorded.count)
    }
    if !counts.isEmpty { counts = [:] }
    reads = StepReads()
  }

  func end() -> (StepReads, AssumedValues) {
    lock.lock()
    defer { lock.unlock() }
    for (read, isTaken) in zip(recorded, isTaken) where !isTaken { reads.unused.append(read) }
    return (reads, assumed)
  }

  func answer(to question: TapeQuestion) -> TapeAnswer {
    return lock.withLock {
      let asked = Question(question.key, question.arguments, at: time)
      let index = counts[asked.key, default: 0]
      counts[asked.key] = index + 1
      let match = match(for: asked)
      if let match { isTaken[match.place] = true }
      if let edit = edits.last(where: { $0.key == asked.key && $0.index == index }) {
        reads.isEdited = true
        use(edit.outcome, for: asked)
        return .recorded(edit.outcome)
      }
      guard let match else {
        doubt(asked, index, .notRecorded)
        return .assumed(substitutes)
      }
      let read = recorded[match.place]
      switch match.isSame {
      case true?: break
      case false? where asked.time != nil:
        doubt(asked, index, .otherTime)
        return .assumed(substitutes)
      case false?: doubt(asked, index, .otherwise(recorded: Question(read)))
      case nil: doubt(asked, index, .unclear)
      }
      use(read.outcome, for: asked)
      return .recorded(read.outcome)
    }
  }

  /// The recorded read that answers a question: one that asked the same, else one that may have, else
  /// the next one of its key.
  private func match(for asked: Question) -> (place: Int, isSame: Bool?)? {
    var best: (place: Int, isSame: Bool?)?
    for place in recorded.indices where !isTaken[place] && recorded[place].key == asked.key {
      let isSame = Question(recorded[place], at: recordedTime).isSame(as: asked)
      if isSame == true { return (place, true) }
      if best == nil || best?.isSame == false && isSame == nil { best = (place, isSame) }
    }
    return best
  }

  private func use(_ outcome: Read.Outcome, for asked: Question) {
    reads.used.append(Read(key: asked.key, arguments: asked.arguments, outcome: outcome))
  }

  private func doubt(_ asked: Question, _ index: Int, _ reason: StepReads.Reason) {
    reads.doubts.append(StepReads.Doubt(asked: asked, index: index, reason: reason))
  }

  func keep(_ read: @escaping PendingRead, askedAt: Duration?) {
    let read = read()
    lock.withLock { reads.used.append(read) }
  }

  func asksLive(_ question: TapeQuestion) {
    guard allowsLiveCalls else { Self.stop(before: Question(question.key, question.arguments)) }
    lock.withLock {
      reads.live.append(question.key)
      let doubt = reads.doubts.lastIndex { $0.asked.key == question.key }
      if let doubt { reads.doubts[doubt].isLive = true }
    }
  }

  /// Nobody may be asked, and there is nothing to go on with.
  private static func stop(before question: Question) -> Never {
    let words =
      "\(question.text) would run for real: nothing was recorded for it, and it is forbidden\n"
    var text = words
    text.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: 2) }
    exit(70)
  }

  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer {
    lock.withLock {
      let place = reads.used.lastIndex { $0.key == question.key && $0.outcome == outcome }
      if let place { reads.used.remove(at: place) }
      doubt(
        Question(question.key, question.arguments), max(0, counts[question.key, default: 1] - 1),
        .refused(reason))
      return .assumed(substitutes)
    }
  }

  /// The number of an element that a stack makes, which would be `counted` by its own count; nil for
  /// one of the range that no recording uses (`answers/stack-ids`).
  func stackID(counted: Int) -> Int? {
    let isKnown = lock.withLock {
      ids == .certain && edits.isEmpty && !recorded.contains { $0.key == StackIDs.key }
    }
    if isKnown { return counted }
    switch answer(to: TapeQuestion(StackIDs.key)) {
    case .recorded(.value(.number(.integer(let number)))): return Int(exactly: number)
    case .recorded: return nil
    case .live, .assumed:
      let number = lock.withLock { ids == .doubtful ? counted : nil }
      let value = number.map { Value.number(Number($0)) } ?? .null
      keep({ Read(key: StackIDs.key, value: value) }, askedAt: nil)
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

/// Where a step's stacks get ids from when none are recorded for it (`answers/stack-ids`).
enum StackIDs: Sendable {
  /// From their own counts, which are as they were recorded.
  case certain
  /// From their own counts, which may be others than the recorded ones.
  case doubtful
  /// From a range that no recording uses, so that no recorded action means them.
  case apart

  /// The key that they have on tape.
  static let key = "stackID"

  /// A recording without them on tape is of an older version, or no stack made any.
  init(areOnTape: Bool, isInserted: Bool, isEdited: Bool) {
    if areOnTape || isInserted {
      self = .apart
    } else {
      self = isEdited ? .doubtful : .certain
    }
  }

  /// The state before is another than the recorded one.
  mutating func doubt() { if self == .certain { self = .doubtful } }
}

/// Values for reads that were not recorded: from deterministic sources only.
struct AssumedValues: Sendable, Hashable {
  private var random: UInt64
  /// Ids that stores and generators count come from a range that no recording uses.
  private var count: UInt64 = 1 << 40
  /// How many values were taken.
  private(set) var position = 0

  init(seed: UInt64) { random = seed }

  mutating func nextRandom() -> UInt64 {
    position += 1
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func nextCount() -> UInt64 {
    position += 1
    defer { count += 1 }
    return count
  }
}

import Platform
import Recorder
import SessionWords
import StoreCore
import ValueTree

/// A step's reads in a re-run, compared with the recorded ones.
struct ComparedReads: Sendable {
  var used: [Read] = []
  var doubts: [Doubt] = []
  var unused: [Read] = []
  var live: [String] = []
  var isEdited = false

  var isAsRecorded: Bool {
    unused.isEmpty && !isEdited && doubts.allSatisfy { $0.reason == .unclear }
  }

  var isNothing: Bool {
    used.isEmpty && doubts.isEmpty && unused.isEmpty && live.isEmpty && !isEdited
  }

  struct Doubt: Sendable, Hashable {
    var asked: Question
    var index: Int
    var reason: Reason
    /// Whether the live dependency answered, because no substitute was possible.
    var isLive = false
  }

  enum Reason: Sendable, Hashable {
    /// No value was recorded; a substitute was given.
    case notRecorded
    /// The recorded value belongs to another time; a substitute was given.
    case otherTime
    case otherwise(recorded: Question)
    /// The recorded or edited value does not decode.
    case refused(String, isEdited: Bool)
    /// The recorded value was given, but the question may differ.
    case unclear
  }
}

struct EditedRead: Sendable, Hashable {
  var key: String
  var index: Int
  var outcome: Read.Outcome
}

/// A step's reads meet these beside their recorded answers.
struct ReadConditions {
  var edits: [EditedRead] = []
  var ids = StackIDs.certain
  var seconds: Double = 0
  /// The times at which a date or clock is asked and was asked; nil if they need not be compared.
  var time: Duration?
  var recordedTime: Duration?
}

/// Answers a reducer's reads in a replay with the recorded answers; equal questions get theirs in
/// order.
///
/// `@unchecked Sendable`: the lock guards everything.
final class ReplayReads: TapeSource, @unchecked Sendable {
  private let lock = Lock()
  private var recorded: [Read] = []
  private var isTaken: [Bool] = []
  private var place = ReadConditions()
  private var assumed = AssumedValues()
  private var counts: [String: Int] = [:]
  private var reads = ComparedReads()
  private let allowsLiveCalls: Bool
  /// Of the newest step; only the thread that reduces touches it.
  var foreignStep: (any ForeignStep)?
  var foreignRuns: [any ForeignRun] = []

  init(allowsLiveCalls: Bool = true) { self.allowsLiveCalls = allowsLiveCalls }

  // Runs at every step, so it avoids closures.
  func begin(_ recorded: [Read], in place: ReadConditions, assuming assumed: AssumedValues) {
    lock.lock()
    defer { lock.unlock() }
    self.recorded = recorded
    self.place = place
    self.assumed = assumed
    if !recorded.isEmpty || !isTaken.isEmpty {
      isTaken = Array(repeating: false, count: recorded.count)
    }
    if !counts.isEmpty { counts = [:] }
    reads = ComparedReads()
  }

  func end() -> (reads: ComparedReads, assumed: AssumedValues) {
    lock.lock()
    defer { lock.unlock() }
    for (read, isTaken) in zip(recorded, isTaken) where !isTaken { reads.unused.append(read) }
    return (reads, assumed)
  }

  func hasAnswer(to key: String) -> Bool {
    lock.withLock {
      place.edits.contains { $0.key == key }
        || zip(recorded, isTaken).contains { $0.key == key && !$1 }
    }
  }

  func answer(to question: TapeQuestion) -> TapeAnswer {
    return lock.withLock {
      let asked = Question(question.key, question.arguments, at: place.time)
      let index = counts[asked.key, default: 0]
      counts[asked.key] = index + 1
      let match = match(for: asked)
      if let match { isTaken[match.place] = true }
      if let edit = place.edits.last(where: { $0.key == asked.key && $0.index == index }) {
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

  /// The recorded read for a question: the same question, else a possible match, else the next of
  /// its key.
  private func match(for asked: Question) -> (place: Int, isSame: Bool?)? {
    var best: (place: Int, isSame: Bool?)?
    for place in recorded.indices where !isTaken[place] && recorded[place].key == asked.key {
      let isSame = Question(recorded[place], at: self.place.recordedTime).isSame(as: asked)
      if isSame == true { return (place, true) }
      if best == nil || best?.isSame == false && isSame == nil { best = (place, isSame) }
    }
    return best
  }

  private func use(_ outcome: Read.Outcome, for asked: Question) {
    reads.used.append(Read(key: asked.key, arguments: asked.arguments, outcome: outcome))
  }

  private func doubt(_ asked: Question, _ index: Int, _ reason: ComparedReads.Reason) {
    reads.doubts.append(ComparedReads.Doubt(asked: asked, index: index, reason: reason))
  }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {
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

  /// Ends the process: a real request is not allowed, and no substitute exists.
  private static func stop(before question: Question) -> Never {
    let words =
      "\(question.text) would run for real: nothing was recorded for it, and that is forbidden\n"
    var text = words
    text.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: 2) }
    exit(70)
  }

  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer {
    lock.withLock {
      let used = reads.used.lastIndex { $0.key == question.key && $0.outcome == outcome }
      if let used { reads.used.remove(at: used) }
      let index = max(0, counts[question.key, default: 1] - 1)
      let isEdited = place.edits.contains { $0.key == question.key && $0.index == index }
      doubt(
        Question(question.key, question.arguments), index, .refused(reason, isEdited: isEdited))
      return .assumed(substitutes)
    }
  }

  /// A stack's new element number, which would be `counted` by its own count; nil for one from the
  /// range that no recording uses (`answers/stack-ids`).
  func stackID(counted: Int) -> Int? {
    let isKnown = lock.withLock {
      place.ids == .certain && place.edits.isEmpty
        && !recorded.contains { $0.key == StackIDs.key }
    }
    if isKnown { return counted }
    switch answer(to: TapeQuestion(StackIDs.key)) {
    case .recorded(.value(.number(.integer(let number)))): return Int(exactly: number)
    case .recorded: return nil
    case .live, .assumed:
      let number = lock.withLock { place.ids == .doubtful ? counted : nil }
      let value = number.map { Value.number(Number($0)) } ?? .null
      record({ Read(key: StackIDs.key, value: value) }, askedAt: nil)
      return number
    }
  }

  private var substitutes: TapeSubstitutes {
    let seconds = place.seconds
    return TapeSubstitutes(
      random: { self.lock.withLock { self.assumed.nextRandom() } },
      secondsSince1970: { seconds },
      count: { self.lock.withLock { self.assumed.nextCount() } })
  }
}

enum StackIDs: Sendable {
  case certain
  /// The stacks' own counts, which may differ from the recorded ones.
  case doubtful
  /// A range that no recording uses, so no recorded action refers to them.
  case apart

  static let key = "stackID"

  mutating func doubt() { if self == .certain { self = .doubtful } }
}

struct AssumedValues: Sendable, Hashable {
  private var random: UInt64 = 0
  /// Counted ids come from a range that no recording uses.
  private var count: UInt64 = 1 << 40
  private(set) var position = 0

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

import Platform
import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// The world of an effect's body on the tape: a clock that advances when no work is left, the
/// recorded answers, and nothing live.
///
/// `@unchecked Sendable`: the lock guards everything that changes.
final class TapeExecution: TapeSource, @unchecked Sendable {
  private struct Waiting {
    var due: Duration
    var begun: Duration
    var number: Int
    var resume: (Bool) -> Void
  }

  private let lock = Lock()
  private let answers: TapeAnswers
  private let present: Duration
  private var time: Duration
  private var begun: Duration
  private var waiting: [Waiting] = []
  private var numbers = 0
  private var asked: [String: Int] = [:]
  private var assumed = AssumedValues()
  private var isOver = false
  private var obstacle: Obstacle?
  private var live: [String] = []
  private let livelyAsked: Question?
  private var isAsking = false
  private var heard: Read.Outcome?
  private var made: [OutsideRead] = []
  private var unanswered: [TapeAnswers.Silence] = []
  let stage: StageExecutor

  struct Obstacle: Error {
    var words: String
    var question: Question?
  }

  /// `present` is the branch's time: nothing unrecorded happens earlier.
  init(
    _ answers: TapeAnswers, at time: Duration, now present: Duration, on stage: StageExecutor,
    asking question: Question? = nil
  ) {
    self.answers = answers
    self.stage = stage
    livelyAsked = question
    self.time = time
    self.present = present
    begun = time
  }

  var now: Duration { lock.withLock { time } }
  var since: Duration { lock.withLock { begun } }
  var known: Obstacle? { lock.withLock { obstacle } }
  var liveCalls: [String] { lock.withLock { live } }

  func stop(_ words: String, at question: Question? = nil) {
    lock.withLock {
      if obstacle == nil, !isOver { obstacle = Obstacle(words: words, question: question) }
    }
  }

  // MARK: - The clock

  var nextDue: Duration? { lock.withLock { waiting.first?.due } }

  func wakeNext() {
    let next = lock.withLock { () -> Waiting? in
      guard !waiting.isEmpty else { return nil }
      let next = waiting.removeFirst()
      time = max(time, next.due)
      begun = next.begun
      return next
    }
    next?.resume(true)
  }

  func close() {
    let left = lock.withLock { () -> [Waiting] in
      isOver = true
      defer { waiting = [] }
      return waiting
    }
    for waiter in left { waiter.resume(false) }
  }

  func sleep(until deadline: Duration) async throws {
    guard await wait(until: deadline) else { throw CancellationError() }
  }

  private func wait(until deadline: Duration) async -> Bool {
    let number = lock.withLock { () -> Int in
      numbers += 1
      return numbers
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
        let isRefused = lock.withLock { () -> Bool in
          if isOver || Task.isCancelled { return true }
          let due = max(deadline, time)
          let index = waiting.firstIndex { due < $0.due } ?? waiting.endIndex
          waiting.insert(
            Waiting(due: due, begun: time, number: number) { continuation.resume(returning: $0) },
            at: index)
          return false
        }
        if isRefused { continuation.resume(returning: false) }
      }
    } onCancel: {
      let waiter = lock.withLock { () -> Waiting? in
        waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
      }
      waiter?.resume(false)
    }
  }

  // MARK: - The tape

  var answersLater: Bool { true }

  private typealias Found = (question: Question, known: TapeAnswers.Known, index: Int?)

  private func find(_ question: TapeQuestion) -> Found {
    let asking = Question(question.key, question.arguments)
    guard !Question.isDrawn(asking.key) else { return (asking, .nothing, nil) }
    let index = lock.withLock { () -> Int in
      defer { asked[asking.text, default: 0] += 1 }
      return asked[asking.text, default: 0]
    }
    return (asking, answers.answer(to: asking, index), index)
  }

  private func isLively(_ question: Question) -> Bool {
    guard question == livelyAsked else { return false }
    return lock.withLock {
      defer { isAsking = true }
      return !isAsking
    }
  }

  var question: (isAsking: Bool, heard: Read.Outcome?) { lock.withLock { (isAsking, heard) } }

  /// A question that is answered at once cannot wait: the body continues with a substitute, and its
  /// later events are not used.
  func answer(to question: TapeQuestion) -> TapeAnswer {
    let (asking, known, _) = find(question)
    if isLively(asking) { return .live }
    if case .answer(let answer) = known { return give(answer, to: asking, took: nil) }
    stop(Self.words(asking, known), at: asking)
    return .assumed(substitutes)
  }

  func answerLater(to question: TapeQuestion) async -> TapeAnswer {
    let (asking, known, index) = find(question)
    if isLively(asking) { return .live }
    if case .answer(let answer) = known, let took = answer.took {
      if answer.notBefore == nil, case .failure(let error) = answer.outcome,
        !question.takesAnyError, !TapedError.isWhole(error)
      {
        stop("waits for \(asking.text): the file does not have all of its error", at: asking)
      } else {
        let due = max(now + took, answer.notBefore.map { max($0, present) } ?? .zero)
        let asked = now
        if due == asked { return give(answer, to: asking, took: .zero) }
        if await wait(until: due) { return give(answer, to: asking, took: due - asked) }
        stop("was cancelled while it waited for \(asking.text)", at: asking)
      }
    } else if case .nothing = known, let index, let time = answers.silence(of: asking, index) {
      await waitInVain(for: asking, index, time)
    } else {
      stop(Self.words(asking, known), at: asking)
    }
    return await withUnsafeContinuation { (_: UnsafeContinuation<TapeAnswer, Never>) in }
  }

  /// A service that gave no answer in the recording gives none here, as long as that is known.
  private func waitInVain(for question: Question, _ index: Int, _ time: Duration) async {
    let asked = now
    lock.withLock {
      unanswered.append(TapeAnswers.Silence(question: question, index: index, time: asked))
    }
    if await wait(until: asked + time) {
      let seconds = time.decimalSeconds
      stop("waits for \(question.text), without an answer for \(seconds) s", at: question)
    } else {
      lock.withLock { unanswered.removeAll { $0.question == question && $0.index == index } }
      stop("was cancelled while it waited for \(question.text)", at: question)
    }
  }

  /// The questions that wait at this time.
  func silences(until time: Duration) -> [TapeAnswers.Silence] {
    lock.withLock { unanswered }.map {
      TapeAnswers.Silence(question: $0.question, index: $0.index, time: time - $0.time)
    }
  }

  private func give(
    _ answer: TapeAnswers.Answer, to question: Question, took: Duration?
  ) -> TapeAnswer {
    let read = Read(key: question.key, arguments: question.arguments, outcome: answer.outcome)
    lock.withLock { made.append(OutsideRead(read, effect: nil, step: 0, time: time, took: took)) }
    return .recorded(answer.outcome)
  }

  /// The reads since the last time, by the branch's clock.
  func takeReads() -> [OutsideRead] { lock.withLock { exchange(&made, with: []) } }

  private static func words(_ question: Question, _ known: TapeAnswers.Known) -> String {
    switch known {
    case .nothing: "waits for \(question.text)"
    case .contradictory: "waits for \(question.text), which was answered in several ways"
    case .answer: "waits for \(question.text): how long it takes was not recorded"
    }
  }

  /// Never repeats a number: code that draws until a number fits would not return.
  private var substitutes: TapeSubstitutes {
    TapeSubstitutes(
      random: { self.lock.withLock { self.assumed.nextRandom() } }, secondsSince1970: { 0 },
      count: { self.lock.withLock { self.assumed.nextCount() } })
  }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {
    let read = read()
    guard Question(read) == livelyAsked else { return }
    lock.withLock { if isAsking, heard == nil { heard = read.outcome } }
  }

  func asksLive(_ question: TapeQuestion) { lock.withLock { live.append(question.key) } }

  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer {
    let asking = Question(question.key, question.arguments)
    stop("cannot use what was recorded for \(asking.text): \(reason)", at: asking)
    return .assumed(substitutes)
  }
}

extension ShiftedClock {
  /// The branch's clock for the bodies of its effects; elsewhere the app's own.
  init(onStageElse clock: any Clock<Duration>) {
    self.init(
      clock, time: { (TapeContext.source as? TapeExecution)?.now ?? $0() },
      sleep: { deadline, elsewhere in
        guard let execution = TapeContext.source as? TapeExecution else {
          return try await elsewhere()
        }
        try await execution.sleep(until: deadline)
      })
  }
}

/// Runs jobs on request, on the calling thread.
///
/// `@unchecked Sendable`: the lock guards everything that changes.
final class StageExecutor: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private let thread = ThreadID.current
  private var jobs: [UnownedJob] = []
  private var isElsewhere = false
  /// By thread: the hops to the main actor that come back from there next.
  private var hops: [UInt: Int] = [:]
  private let came = ThreadSignal()
  private let waitsForMainActor: Bool
  private var fences = (sent: 0, passed: 0)

  /// A main actor that does nothing else answers much faster.
  private static var patience: Duration { .seconds(1) }
  /// Whether it did not answer the last time. Then nobody waits for it as long again.
  private static let isMainActorBusy = Locked(false)

  /// `waitsForMainActor`: what a body does there belongs to it, as sending an action in another
  /// architecture.
  init(waitsForMainActor: Bool = false) { self.waitsForMainActor = waitsForMainActor }

  /// Whether a job came from a thread where no body may be.
  var isLeft: Bool { lock.withLock { isElsewhere } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let here = ThreadID.current
    lock.withLock {
      jobs.append(job)
      if here != thread {
        if let count = hops[here], count > 0 { hops[here] = count - 1 } else { isElsewhere = true }
      }
      came.wakeOne()
    }
  }

  /// A known body sends on the main actor, and comes back from this thread.
  func countHop() {
    let here = ThreadID.current
    lock.withLock { if here != thread { hops[here, default: 0] += 1 } }
  }

  func wait(_ time: Duration) {
    lock.withLock { if jobs.isEmpty { _ = came.wait(in: lock, until: ThreadDeadline(in: time)) } }
  }

  func run(limit: inout Int) -> Bool {
    while limit > 0 {
      let next = lock.withLock { exchange(&jobs, with: []) }
      if next.isEmpty {
        if waitsForMainActor, passMainActor(), lock.withLock({ !jobs.isEmpty }) { continue }
        return true
      }
      limit -= next.count
      for job in next { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    return false
  }

  /// Waits until the main actor has done what it had to do before now; false if it is busy.
  private func passMainActor() -> Bool {
    let patience = Self.isMainActorBusy.withLock { $0 } ? .milliseconds(20) : Self.patience
    let deadline = ThreadDeadline(in: patience)
    let fence = lock.withLock { () -> Int in
      fences.sent += 1
      return fences.sent
    }
    Task { @MainActor in
      lock.withLock {
        fences.passed = max(fences.passed, fence)
        came.wakeOne()
      }
    }
    let hasPassed = lock.withLock {
      while fences.passed < fence {
        guard came.wait(in: lock, until: deadline) else { break }
      }
      return fences.passed >= fence
    }
    Self.isMainActorBusy.withLock { $0 = !hasPassed }
    return hasPassed
  }
}

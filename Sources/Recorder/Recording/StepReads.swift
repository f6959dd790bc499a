import Platform
import SessionWords

/// Collects what the reducer reads in one step.
///
/// `@unchecked Sendable`: what changes is touched only while the recorder's lock for reads is held.
final class StepReads: TapeSource, @unchecked Sendable {
  private let recorder: any ReadKeeper
  private let lock: Lock
  private let step: Int
  private let isWriteAhead: Bool
  private var reads: [PendingRead] = []
  private var isOver = false

  init(recorder: any ReadKeeper, lock: Lock, step: Int, isWriteAhead: Bool) {
    self.recorder = recorder
    self.lock = lock
    self.step = step
    self.isWriteAhead = isWriteAhead
  }

  func answer(to question: TapeQuestion) -> TapeAnswer { .live }

  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    let read = PendingRead(question: question, outcome: outcome)
    guard append(read) else { return recorder.keep(read, effect: nil) }
    if isWriteAhead { recorder.keepBegun(read, step: step) }
  }

  // On the way of every read: no closures. False when the step is over.
  private func append(_ read: PendingRead) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isOver { reads.append(read) }
    return !isOver
  }

  /// Ends the step and gives what was read in it: a task that the reducer left behind reads for
  /// nobody.
  func close() -> [PendingRead] {
    lock.lock()
    defer { lock.unlock() }
    isOver = true
    return reads
  }
}

/// Hands on what the body of an effect reads.
final class EffectReads: TapeSource {
  private let recorder: any ReadKeeper
  private let effect: Int

  init(recorder: any ReadKeeper, effect: Int) {
    self.recorder = recorder
    self.effect = effect
  }

  var recordingTime: Duration? { recorder.now }

  func answer(to question: TapeQuestion) -> TapeAnswer { .live }

  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    recorder.keep(PendingRead(question: question, outcome: outcome), effect: effect)
  }
}

/// What a recorder of any state and action does with reads.
protocol ReadKeeper: AnyObject, Sendable {
  var now: Duration { get }
  func keep(_ read: PendingRead, effect: Int?)
  func keepBegun(_ read: PendingRead, step: Int)
}

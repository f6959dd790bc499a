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
  // On the way of every step: nobody looks whether somebody else has access.
  @exclusivity(unchecked) private var reads = PendingReads()
  @exclusivity(unchecked) private var isOver = false

  init(recorder: any ReadKeeper, lock: Lock, step: Int, isWriteAhead: Bool) {
    self.recorder = recorder
    self.lock = lock
    self.step = step
    self.isWriteAhead = isWriteAhead
  }

  var answers: Bool { false }

  func keep(_ read: @escaping PendingRead, askedAt: Duration?) {
    guard append(read) else { return recorder.keep(read, askedAt: askedAt, effect: nil) }
    if isWriteAhead { recorder.keepBegun(read, step: step) }
  }

  // On the way of every read: no closures. False when the step is over.
  private func append(_ read: @escaping PendingRead) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isOver { reads.append(read) }
    return !isOver
  }

  /// Ends the step and gives what was read in it: a task that the reducer left behind reads for
  /// nobody.
  func close() -> PendingReads {
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

  var answers: Bool { false }

  func keep(_ read: @escaping PendingRead, askedAt: Duration?) {
    recorder.keep(read, askedAt: askedAt, effect: effect)
  }
}

/// The reads of a step. Most steps that ask do so once: the first read needs no array.
struct PendingReads: Sendable {
  private var first: PendingRead?
  private var others: [PendingRead] = []

  mutating func append(_ read: @escaping PendingRead) {
    if first == nil { first = read } else { others.append(read) }
  }

  /// Encoded now.
  var all: [Read] {
    guard let first else { return [] }
    return [first()] + others.map { $0() }
  }
}

/// What a recorder of any state and action does with reads.
protocol ReadKeeper: AnyObject, Sendable {
  var now: Duration { get }
  func keep(_ read: @escaping PendingRead, askedAt: Duration?, effect: Int?)
  func keepBegun(_ read: PendingRead, step: Int)
}

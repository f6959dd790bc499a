import Platform
import SessionWords

/// Collects the reducer's reads in one step.
///
/// `@unchecked Sendable`: all mutable state is behind the recorder's lock for reads.
final class StepReads: TapeSource, @unchecked Sendable {
  private let recorder: any ReadStorage
  private let lock: Lock
  private let step: Int
  private let isWriteAhead: Bool
  // Every step passes here, so without exclusivity checks.
  @exclusivity(unchecked) private var reads = PendingReads()
  @exclusivity(unchecked) private var isOver = false

  init(recorder: any ReadStorage, lock: Lock, step: Int, isWriteAhead: Bool) {
    self.recorder = recorder
    self.lock = lock
    self.step = step
    self.isWriteAhead = isWriteAhead
  }

  var answers: Bool { false }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {
    guard append(read) else { return recorder.record(read, askedAt: askedAt, effect: nil) }
    if isWriteAhead { recorder.recordBegun(read, step: step) }
  }

  // Every read passes here, so without closures. False after the step.
  private func append(_ read: @escaping PendingRead) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isOver { reads.append(read) }
    return !isOver
  }

  /// Ends the step and returns its reads: later ones, from a task left behind, have no owner.
  func close() -> PendingReads {
    lock.lock()
    defer { lock.unlock() }
    isOver = true
    return reads
  }
}

final class EffectReads: TapeSource {
  private let recorder: any ReadStorage
  private let effect: EffectID

  init(recorder: any ReadStorage, effect: EffectID) {
    self.recorder = recorder
    self.effect = effect
  }

  var recordingTime: Duration? { recorder.now }

  var answers: Bool { false }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {
    recorder.record(read, askedAt: askedAt, effect: effect)
  }
}

/// The reads of a step. Most have at most one, so the first needs no array.
struct PendingReads: Sendable {
  private var first: PendingRead?
  private var others: [PendingRead] = []

  mutating func append(_ read: @escaping PendingRead) {
    if first == nil { first = read } else { others.append(read) }
  }

  var all: [Read] {
    guard let first else { return [] }
    return [first()] + others.map { $0() }
  }
}

protocol ReadStorage: AnyObject, Sendable {
  var now: Duration { get }
  func record(_ read: @escaping PendingRead, askedAt: Duration?, effect: EffectID?)
  func recordBegun(_ read: PendingRead, step: Int)
}

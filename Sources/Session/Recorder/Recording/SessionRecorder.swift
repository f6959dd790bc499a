import Platform
import SessionWords
import Synchronization
import ValueTree

/// Records the steps of an app with any store into a session file.
///
/// ```swift
/// let recorder = SessionRecorder<Cart, CartAction>(to: "cart.retcon", knowsCauses: true)
/// recorder.start(with: cart)
///
/// // Around the reducer:
/// recorder.step(action, cause: .user) {
///   cart = reduce(cart, action)
///   return cart
/// }
///
/// let statistics = recorder.finish()
/// ```
///
/// `step` copies the state to a queue; the recorder's thread encodes, compares and writes. It never
/// throws into the app: problems go to ``RecordingOptions/report``.
public final class SessionRecorder<State: Sendable, Action: Sendable>: Sendable {
  private let path: String
  private let options: RecordingOptions
  private let encoding: RecordingEncoding<State, Action>
  private let clock: RecordingClock
  private let queue: EntryQueue
  private let pipeline: Locked<RecordingPipeline<State, Action>>
  private let registered = Locked<Set<String>>([])
  private let readsLock = Lock()
  private let run = Locked(Run())
  private let hasStarted = Atomic(false)
  private let hasWorker = Atomic(false)
  private let encodesInStep = Atomic(false)
  private let references = ReferenceSearch()
  /// Cached, because a generic type lookup takes time at each step.
  private let stepType = RecordedStepWithState<Action, State>.self
  private let actionsMayChange: Bool
  private let process = ProcessMark()
  private let stepsInFork = Atomic(0)
  private let stepEncoder = Locked<((State) throws -> Value)?>(nil)
  private let stream: SessionStream?

  private struct Run {
    var worker: SystemThread?
    var statistics: RecordingStatistics?
  }

  /// Creates a recorder. `knowsCauses` says that ``step(number:_:cause:reduce:)`` gets each
  /// action's cause. Without causes the header says so, and every step after an edit is assumed.
  public convenience init(
    to path: String, knowsCauses: Bool = false, options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic
  ) {
    self.init(to: .file(path), knowsCauses: knowsCauses, options: options, encoding: encoding)
  }

  /// The same, for a file or `retcon listen`.
  public init(
    to destination: RecordingDestination, knowsCauses: Bool = false,
    options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic
  ) {
    // The file is created later, and checked repeatedly.
    let path = absolutePath(destination.path)
    self.path = path
    var options = options
    if destination.listener != nil { options.writing.partSize = nil }
    stream = destination.listener.map { SessionStream(path, to: $0, report: options.report) }
    self.options = options
    self.encoding = encoding
    clock = RecordingClock(options.clock)
    queue = EntryQueue(napLimit: options.napLimit)
    actionsMayChange = references.mayBe(in: Action.self)
    var header = SessionHeader(
      app: options.app, capability: encoding.capability, states: options.states)
    header.seed = options.seed
    header.started = options.started ?? UTCText.now
    header.session = SessionID.random()
    // Its findings come later.
    header.redacted = options.redaction.descriptions().map { "\($0) (asked for)" }
    header.knowsCauses = knowsCauses
    pipeline = Locked(
      RecordingPipeline(
        path: path, header: header, clock: clock, options: options, encoding: encoding))
  }

  deinit { finish() }

  /// The tape that gives reads outside of steps and effects to this recorder.
  public var tape: Tape { Tape(self, references) }

  /// Sets the session's first state. Call it before the first step; only the first call counts.
  public func start(with state: State) {
    guard
      hasStarted.compareExchange(
        expected: false, desired: true, ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    process.set()
    stream?.start()
    var encoded: Result<Value, any Error>?
    if statesNeedEncoding {
      let encode = encoding.makeStateEncoder()
      encoded = Result { try encode(state) }
      stepEncoder.withLock { $0 = encode }
      encodesInStep.store(!options.isWriteAhead, ordering: .releasing)
    }
    pipeline.withLock { pipeline in
      pipeline.start(state, encoded: encoded)
      if options.isWriteAhead { self.loop.drain(into: pipeline) }
    }
    guard !options.isWriteAhead else { return }
    let loop = loop
    let worker = try? SystemThread.start { loop.run() }
    run.withLock { $0.worker = worker }
    hasWorker.store(worker != nil, ordering: .releasing)
  }

  /// Records one step: call it around the reducer, in your store's order.
  ///
  /// Reads by `reduce` through a ``Tape`` belong to the step. Entries of other threads follow it.
  /// Steps count from 1 by default.
  public func step(
    number: Int? = nil, _ action: Action, cause: Cause = .user, reduce: () -> State
  ) {
    guard !process.isInherited else { return stepInFork(reduce) }
    if case .keepUp(let limit) = options.backPressure, hasWorker.load(ordering: .acquiring) {
      queue.waitBriefly(beyond: limit)
    }
    let (number, waiting) = queue.open(number)
    let moment = StepMoment(
      number: number, time: clock.now, cause: cause, encodedAction: encodedNow(action))
    if options.isWriteAhead {
      pipeline.withLock { $0.begin(RecordedStepWithAction(moment, action, .unwanted)) }
    }
    let reads = StepReads(
      recorder: self, lock: readsLock, step: moment.number, isWriteAhead: options.isWriteAhead)
    // The result is not generic: that would need a lookup at each step.
    let step = TapeContext.with(reads) {
      let state = reduce()
      return recorded(moment, action, reads.close(), state, waiting)
    }
    put(step)
  }

  /// Runs an effect's body, so that its reads belong to it.
  public func effect<Result>(
    isolation: isolated (any Actor)? = #isolation, _ id: EffectID, body: () async throws -> Result
  ) async rethrows -> Result {
    try await TapeContext.with(EffectReads(recorder: self, effect: id), body)
  }

  /// Records that an effect started, finished, failed or was cancelled.
  ///
  /// A cancellation without a step is from outside.
  public func effectChanged(
    _ id: EffectID, _ kind: EffectEvent.Kind, fromOutside isFromOutside: Bool = false
  ) {
    effectChanged(id, fromOutside: isFromOutside) { kind }
  }

  /// The same, with `kind` computed when written: a cancel id's text is the most expensive part.
  package func effectChanged(
    _ id: EffectID, fromOutside isFromOutside: Bool = false,
    _ kind: @escaping @Sendable () -> EffectEvent.Kind
  ) {
    let time = clock.now
    put { step in
      .effect {
        EffectEvent(
          effect: id, step: step, time: time, kind: kind(), isFromOutside: isFromOutside)
      }
    }
  }

  /// Writes the app's note into the log.
  public func signpost(_ text: String) {
    let time = clock.now
    put { .signpost(text, value: nil, step: $0, time: time) }
  }

  /// Writes the app's note with a value into the log.
  public func signpost(_ text: String, _ value: some Encodable & Sendable) {
    let time = clock.now
    let encode: PendingValue
    if references.mayBe(inValue: value) {
      let encoded = Result { try ValueEncoder().encode(value) }
      encode = { try encoded.get() }
    } else {
      encode = { try ValueEncoder().encode(value) }
    }
    put { .signpost(text, value: encode, step: $0, time: time) }
  }

  /// Returns when everything so far is handed to the system.
  public func flush() {
    guard !process.isInherited else { return }
    if options.isWriteAhead {
      pipeline.withLock { $0.flush() }
    } else if hasWorker.load(ordering: .acquiring) {
      queue.flush()
    } else {
      loop.drain()
    }
  }

  /// Ends the recording: returns when everything is on disk, and reports losses. Later calls return
  /// the same; later events are only counted.
  @discardableResult
  public func finish() -> RecordingStatistics {
    guard !process.isInherited else { return statisticsOfFork }
    queue.close()
    return run.withLock { run in
      if run.statistics == nil {
        if let worker = run.worker { worker.join() } else { loop.drain() }
        let time = clock.now
        run.statistics = pipeline.withLock { $0.finish(time: time) }
        run.statistics?.longestQueue = queue.longestQueue
        if let trouble = stream?.finish() { run.statistics?.troubles.append(trouble) }
      }
      var statistics = run.statistics ?? RecordingStatistics()
      statistics.afterEnd = queue.refused
      return statistics
    }
  }
}

extension SessionRecorder {
  private var loop: WorkerLoop<State, Action> {
    // Intervals use the system's clock, whatever clock the session has.
    WorkerLoop(
      queue: queue, pipeline: pipeline, policy: options.flush, clock: RecordingClock(nil))
  }
}

/// In a forked child the recorder's thread is missing, and its locks may be held for ever: it
/// touches nothing, so that the app continues.
extension SessionRecorder {
  private func stepInFork(_ reduce: () -> State) {
    if stepsInFork.wrappingAdd(1, ordering: .relaxed).oldValue == 0 {
      options.report(troubleInFork)
    }
    _ = reduce()
  }

  private var troubleInFork: RecordingTrouble { RecordingTrouble(problem: .forked, path: path) }

  private var statisticsOfFork: RecordingStatistics {
    var statistics = RecordingStatistics()
    statistics.steps = stepsInFork.load(ordering: .relaxed)
    statistics.lostSteps = statistics.steps
    if statistics.steps > 0 { statistics.troubles = [troubleInFork] }
    return statistics
  }
}

extension SessionRecorder {
  private func encodedNow(_ action: Action) -> EncodedAction? {
    guard actionsMayChange, references.mayBe(inValue: action) else { return nil }
    return EncodedAction(action, encoding)
  }

  private var statesNeedEncoding: Bool {
    switch options.snapshots {
    case .copied: options.isWriteAhead
    case .encoded: true
    case .automatic: options.isWriteAhead || references.mayBe(in: State.self)
    }
  }

  private func recorded(
    _ moment: StepMoment, _ action: Action, _ reads: PendingReads, _ state: State, _ waiting: Int
  ) -> RecordedStep {
    switch options.states {
    case .everyStep: break
    case .every(let interval) where moment.number.isMultiple(of: interval): break
    case .first, .every: return RecordedStepWithAction(moment, action, reads: reads, .unwanted)
    }
    if encodesInStep.load(ordering: .acquiring) {
      let standing = encoded(state)
      return RecordedStepWithAction(moment, action, reads: reads, standing)
    }
    if let limit = options.backPressure.dropLimit, waiting >= limit {
      return RecordedStepWithAction(moment, action, reads: reads, .dropped)
    }
    return stepType.init(moment, action, reads: reads, state: state)
  }

  private func encoded(_ state: State) -> RecordedStep.StateStatus {
    stepEncoder.withLock { encode in
      do {
        return try encode.map { .encoded(try $0(state)) } ?? .unwanted
      } catch {
        return .failed("\(error)")
      }
    }
  }

  private func put(_ step: RecordedStep) {
    guard !options.isWriteAhead else {
      return pipeline.withLock { pipeline in
        for entry in [.step(step)] + queue.close(step.number) { pipeline.write(entry) }
        pipeline.flush()
      }
    }
    if case .wait(let limit) = options.backPressure {
      queue.push(step, limit: max(1, limit))
    } else {
      queue.push(step, limit: .max)
    }
  }

  private func put(_ make: @escaping EntryQueue.Making) {
    guard !process.isInherited else { return }
    guard options.isWriteAhead else { return queue.push(make) }
    pipeline.withLock { pipeline in
      // The first line has the first state.
      guard pipeline.canWrite else { return queue.push(make) }
      guard let entry = queue.entry(make) else { return }
      pipeline.write(entry)
      pipeline.flush()
    }
  }
}

extension SessionRecorder: TapeStorage, ReadStorage {
  var now: Duration { clock.now }

  @usableFromInline package var answers: Bool { false }

  @usableFromInline package func record(_ read: @escaping PendingRead, askedAt: Duration?) {
    record(read, askedAt: askedAt, effect: nil)
  }

  func record(_ read: @escaping PendingRead, askedAt: Duration?, effect: EffectID?) {
    let time = clock.now
    put { .read(read, askedAt: askedAt, effect: effect, step: $0, time: time) }
  }

  func recordBegun(_ read: PendingRead, step: Int) {
    guard !process.isInherited else { return }
    let read = read()
    pipeline.withLock { $0.begin(read, step: step) }
  }

  @usableFromInline package func register(_ key: String) {
    guard !process.isInherited else { return }
    guard registered.withLock({ $0.insert(key).inserted }) else { return }
    if hasStarted.load(ordering: .acquiring) {
      put { _ in .tape(key: key) }
    } else {
      pipeline.withLock { $0.write(.tape(key: key)) }
    }
  }
}

import ValueTree

/// Records the steps of an app into a session file, whatever store it uses.
///
/// ```swift
/// let recorder = SessionRecorder<Cart, CartAction>(to: "cart.retcon")
/// recorder.start(with: cart)
///
/// // Around the reducer:
/// recorder.step(action) {
///   cart = reduce(cart, action)
///   return cart
/// }
///
/// let statistics = recorder.finish()
/// ```
///
/// `step` copies the state and appends it to a queue; a thread of the recorder encodes, compares and
/// writes. Nothing is thrown into the app: trouble goes to ``RecordingOptions/report``.
public final class SessionRecorder<State: Sendable, Action: Sendable>: Sendable {
  let options: RecordingOptions
  private let encoding: RecordingEncoding<State, Action>
  private let queue = EntryQueue<RecordedEntry<State, Action>>()
  private let pipeline: Locked<RecordingPipeline<State, Action>>
  private let clock: @Sendable () -> Duration
  private let front: Locked<Front>

  /// What the threads of the app share.
  private struct Front {
    var worker: WorkerThread?
    var hasStarted = false
    var encodesInStep = false
    var encodeState: ((State) throws -> Value)?
    var statistics: RecordingStatistics?
    var afterEnd = 0
  }

  public init(
    to path: String, options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic
  ) {
    self.options = options
    self.encoding = encoding
    let start = ContinuousClock.now
    clock = options.clock ?? { .microseconds((ContinuousClock.now - start).microseconds) }
    var header = SessionHeader(
      app: options.app, capability: encoding.capability, states: options.states)
    header.seed = options.seed
    header.started = options.started ?? WallClock.now
    header.session = SessionID.random()
    header.redacted = options.redaction.descriptions
    pipeline = Locked(
      RecordingPipeline(path: path, header: header, options: options, encoding: encoding))
    front = Locked(Front())
  }

  deinit { finish() }

  /// The tape that hands reads outside of all steps and effects to this recorder.
  public var tape: Tape { Tape(self) }

  /// Tells the state that the session starts with, and makes the file.
  public func start(with state: State) {
    front.withLock { front in
      guard !front.hasStarted else { return }
      front.hasStarted = true
      front.encodesInStep = encodesInStep(state)
      var snapshot = RecordedStep<State, Action>.Snapshot.copied(state)
      if front.encodesInStep, !options.isWriteAhead {
        let encode = encoding.makeStateEncoder()
        front.encodeState = encode
        snapshot = Self.encoded(state, encode)
      }
      pipeline.withLock { $0.start(snapshot, snapshots: front.encodesInStep ? .encoded : .copied) }
      guard !options.isWriteAhead else { return }
      let loop = WorkerLoop(
        queue: queue, pipeline: pipeline, policy: options.flush, clock: clock)
      front.worker = WorkerThread { loop.run() }
    }
  }

  /// Records one step: call it in the order in which your store reduces, around the reducer.
  ///
  /// Reads that `reduce` makes through a ``Tape`` belong to the step. Without a number the steps are
  /// counted from 1.
  public func step(
    number: Int? = nil, _ action: Action, cause: Cause = .user, before: State? = nil,
    reduce: () -> State
  ) {
    if let before { start(with: before) }
    let number = number ?? queue.newestStep + 1
    let time = clock()
    var step = RecordedStep<State, Action>(
      number: number, time: time, action: action, cause: cause, reads: [], state: .unwanted)
    if options.isWriteAhead { pipeline.withLock { [step] in $0.begin(step) } }
    let reads = StepReads(recorder: self, step: number, isWriteAhead: options.isWriteAhead)
    let state = TapeContext.with(reads, reduce)
    step.reads = reads.close()
    step.state = snapshot(of: state, after: number)
    put(step)
  }

  /// Runs the body of an effect, so that its reads belong to it.
  public func effect<Result>(
    isolation: isolated (any Actor)? = #isolation, _ number: Int, body: () async throws -> Result
  ) async rethrows -> Result {
    try await TapeContext.with(EffectReads(recorder: self, effect: number), body)
  }

  /// Records that an effect started, finished, failed or was cancelled.
  ///
  /// A cancellation is from outside when no step did it.
  public func effectChanged(
    _ number: Int, _ kind: EffectEvent.Kind, fromOutside isFromOutside: Bool = false
  ) {
    let time = clock()
    put {
      .effect(
        EffectEvent(
          effect: number, step: $0, time: time, kind: kind, isFromOutside: isFromOutside))
    }
  }

  /// Writes a note of the app into the log.
  public func signpost(_ text: String) {
    let time = clock()
    put { .signpost(text, value: nil, step: $0, time: time) }
  }

  /// Writes a note of the app with a value into the log.
  public func signpost(_ text: String, _ value: some Encodable & Sendable) {
    let time = clock()
    put { .signpost(text, value: { try ValueEncoder().encode(value) }, step: $0, time: time) }
  }

  /// Returns when everything recorded so far is handed to the system.
  public func flush() {
    if options.isWriteAhead { pipeline.withLock { $0.flush() } } else { queue.flush() }
  }

  /// Ends the recording: returns when all is on disk, and says what was lost. Later calls give the
  /// same; what is recorded later is counted and not written.
  @discardableResult
  public func finish() -> RecordingStatistics {
    queue.close()
    return front.withLock { front in
      if front.statistics == nil {
        front.worker?.join()
        let time = clock()
        front.statistics = pipeline.withLock { $0.finish(time: time) }
        front.statistics?.longestQueue = queue.longestQueue
      }
      var statistics = front.statistics ?? RecordingStatistics()
      statistics.afterEnd = queue.refused
      return statistics
    }
  }
}

extension SessionRecorder {
  private func encodesInStep(_ state: State) -> Bool {
    switch options.snapshots {
    case .copied: options.isWriteAhead
    case .encoded: true
    case .automatic: options.isWriteAhead || ReferenceSearch.findsReference(in: state)
    }
  }

  private static func encoded(
    _ state: State, _ encode: (State) throws -> Value
  ) -> RecordedStep<State, Action>.Snapshot {
    do {
      return .encoded(try encode(state))
    } catch {
      return .failed("\(error)")
    }
  }

  private func snapshot(
    of state: State, after number: Int
  ) -> RecordedStep<State, Action>.Snapshot {
    switch options.states {
    case .first: return .unwanted
    case .every(let interval) where number % interval != 0: return .unwanted
    case .everyStep, .every: break
    }
    return front.withLock { front in
      guard let encode = front.encodeState else { return .copied(state) }
      return Self.encoded(state, encode)
    }
  }

  private func put(_ step: RecordedStep<State, Action>) {
    guard !options.isWriteAhead else {
      return pipeline.withLock { pipeline in
        queue.note(step.number)
        pipeline.take(.step(step))
        pipeline.flush()
      }
    }
    switch options.backPressure {
    case .wait(let limit):
      queue.push(step: step.number, limit: max(1, limit)) { _, _ in .step(step) }
    case .dropStates(let limit):
      queue.push(step: step.number, limit: nil) { waiting, _ in
        guard waiting >= limit else { return .step(step) }
        var step = step
        if case .unwanted = step.state {} else { step.state = .dropped }
        return .step(step)
      }
    }
  }

  private func put(_ make: (Int) -> RecordedEntry<State, Action>) {
    guard !options.isWriteAhead else {
      return pipeline.withLock { pipeline in
        pipeline.take(make(queue.newestStep))
        pipeline.flush()
      }
    }
    queue.push(step: nil, limit: nil) { _, newest in make(newest) }
  }
}

extension SessionRecorder: TapeKeeper {
  public func answer(to key: String) -> TapeAnswer { .live }

  public func keep(_ key: String, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    keep(PendingRead(key: key, outcome: outcome), effect: nil)
  }

  func keep(_ read: PendingRead, effect: Int?) {
    let time = clock()
    put { .read(read, effect: effect, step: $0, time: time) }
  }

  func keepBegun(_ read: PendingRead, step: Int) {
    pipeline.withLock { $0.begin(read, step: step) }
  }

  func register(_ key: String) {
    let isBeforeStart = front.withLock { !$0.hasStarted }
    if isBeforeStart {
      pipeline.withLock { $0.take(.tape(key: key)) }
    } else {
      put { _ in .tape(key: key) }
    }
  }
}

/// What a recorder of any state and action does with reads.
protocol ReadKeeper: AnyObject, Sendable {
  func keep(_ read: PendingRead, effect: Int?)
  func keepBegun(_ read: PendingRead, step: Int)
}

extension SessionRecorder: ReadKeeper {}

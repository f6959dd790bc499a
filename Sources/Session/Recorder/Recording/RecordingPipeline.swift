import Platform
import SessionFile
import SessionWords
import ValueTree

/// The worker's half of a recorder: encodes, redacts and writes, in order. One thread at a time
/// uses it.
final class RecordingPipeline<State: Sendable, Action: Sendable> {
  let path: String
  let options: RecordingOptions
  let encoding: RecordingEncoding<State, Action>
  private let clock: RecordingClock
  private(set) var statistics = RecordingStatistics()
  private var header: SessionHeader
  private let encodeState: (State) throws -> Value
  private var redactor: Redactor
  private var writer: SessionWriter?
  private var start: (() throws -> Value)?
  private var keys: Set<String> = []
  private var isOff = false
  private var told: Set<String> = []
  private var place: String
  private var newestTime = Duration.zero

  init(
    path: String, header: SessionHeader, clock: RecordingClock, options: RecordingOptions,
    encoding: RecordingEncoding<State, Action>
  ) {
    self.path = path
    self.clock = clock
    place = path
    self.header = header
    self.options = options
    self.encoding = encoding
    encodeState = encoding.makeStateEncoder()
    redactor = Redactor(options.redaction)
  }

  /// Sets the first state. The file is created with the first entry, so that the header lists the
  /// dependencies recorded until then.
  func start(_ state: State, encoded: Result<Value, any Error>?) {
    start = { [encodeState] in try encoded?.get() ?? encodeState(state) }
    header.snapshots = encoded == nil ? .copied : .encoded
  }

  /// Whether the file exists, or can be created with the first state.
  var canWrite: Bool { start != nil || writer != nil || isOff }

  func write(_ entry: RecordedEntry) {
    if case .tape(let key) = entry, writer == nil { return addKey(key) }
    guard open() else { return lose(entry) }
    writing { writer throws(SessionError) in
      switch entry {
      case .step(let step): try self.write(step, writer)
      case .effect(let tell):
        var event = tell()
        self.statistics.effectEvents += 1
        event.time = event.time.map { self.ascending($0, event.step) }
        try writer.append(self.redactor.event(event))
      case .read(let read, let askedAt, let effect, let step, let time):
        let read = read()
        self.statistics.reads += 1
        try self.put(read.key, writer)
        try writer.append(
          OutsideRead(
            self.redactor.read(read), effect: effect, step: step,
            time: self.ascending(time, step),
            took: askedAt.map { max(.zero, time - $0) }))
      case .signpost(let text, let value, let step, let time):
        self.statistics.signposts += 1
        let signpost = Signpost(
          text, step: step, time: self.ascending(time, step), value: value.flatMap { try? $0() })
        try writer.append(self.redactor.signpost(signpost))
      case .tape(let key): try self.put(key, writer)
      }
    }
  }

  func begin(_ step: RecordedStepWithAction<Action>) {
    // The step itself counts as lost.
    guard open() else { return }
    writing { writer throws(SessionError) in
      try writer.append(LogLine.begin(self.head(of: step)))
      try writer.flush()
    }
  }

  func begin(_ read: Read, step: Int) {
    writing { writer throws(SessionError) in
      try self.put(read.key, writer)
      try writer.append(LogLine.readBegun(self.redactor.read(read), step: step))
      try writer.flush()
    }
  }

  var bufferedBytes: Int { writer?.bufferedBytes ?? 0 }

  func flush() {
    writing { writer throws(SessionError) in try writer.flush() }
  }

  func finish(time: Duration) -> RecordingStatistics {
    if open() {
      let time = ascending(time, writer?.lastStep ?? 0)
      writing { writer throws(SessionError) in try writer.finish(time: time) }
    }
    collect()
    writer = nil
    isOff = true
    return statistics
  }
}

extension RecordingPipeline {
  private func open() -> Bool {
    if writer != nil { return true }
    guard !isOff else { return false }
    if let state = start.take() {
      do {
        header.state = redactor.state(try state())
      } catch {
        report(.cannotEncodeState("\(error)", step: 0), once: "state")
      }
    } else {
      report(.notStarted, once: "start")
    }
    do throws(SessionError) {
      let writer = try SessionWriter(path: path, header: header, options: options.writing)
      self.writer = writer
      reportPlace(of: writer, because: "another recorder writes into the file")
      return true
    } catch {
      isOff = true
      report(.cannotOpen(error.what), once: "open")
      return false
    }
  }

  private func addKey(_ key: String) {
    let key = redactor.text(key, .name)
    guard keys.insert(key).inserted else { return }
    header.tape.append(key)
  }

  private func put(_ key: String, _ writer: SessionWriter) throws(SessionError) {
    let key = redactor.text(key, .name)
    guard keys.insert(key).inserted else { return }
    try writer.append(LogLine.tape(key: key))
  }

  private func write(
    _ recorded: RecordedStep, _ writer: SessionWriter
  ) throws(SessionError) {
    guard let recorded = recorded as? RecordedStepWithAction<Action> else {
      impossible("a queue holds only steps with the actions of its recorder")
      return try writeStranger(recorded, writer)
    }
    var step = head(of: recorded)
    let reads = recorded.reads.all
    for read in reads { try put(read.key, writer) }
    step.reads = reads.map { redactor.read($0) }
    statistics.steps += 1
    statistics.reads += step.reads.count
    let state = value(of: recorded)
    let isDropped = if case .dropped = recorded.standing { true } else { false }
    if isDropped {
      statistics.droppedStates += 1
      report(.droppedStates(fromStep: step.number), once: "dropped")
    }
    try writer.append(step, state: state, isStateDropped: isDropped)
  }

  /// Writes that there was a step, because the next one must not hide the gap.
  private func writeStranger(
    _ recorded: RecordedStep, _ writer: SessionWriter
  ) throws(SessionError) {
    let type = "it is of the type \(type(of: recorded))"
    report(.cannotEncodeAction(type, step: recorded.number), once: "action")
    statistics.steps += 1
    statistics.encodingFailures += 1
    let step = Step(
      number: recorded.number, time: ascending(recorded.moment.time, recorded.number), label: "",
      action: ["notEncodable": .string(type)], cause: recorded.moment.cause)
    try writer.append(step, state: nil, isStateDropped: true)
  }

  private func head(of recorded: RecordedStepWithAction<Action>) -> Step {
    let action = recorded.moment.encodedAction ?? EncodedAction(recorded.action, encoding)
    return redactor.step(
      Step(
        number: recorded.number, time: ascending(recorded.moment.time, recorded.number),
        label: action.label, action: value(of: action, in: recorded), cause: recorded.moment.cause))
  }

  private func value(of action: EncodedAction, in recorded: RecordedStep) -> Value {
    switch action.outcome {
    case .success(let value): return value
    case .failure(let error):
      statistics.encodingFailures += 1
      report(.cannotEncodeAction("\(error)", step: recorded.number), once: "action")
      return ["notEncodable": .string("\(error)")]
    }
  }

  private func value(of recorded: RecordedStepWithAction<Action>) -> Value? {
    switch recorded.standing {
    case .copied:
      guard let recorded = recorded as? RecordedStepWithState<Action, State> else {
        impossible("a copied state has the type of its recorder's states")
        return failed("it is of the type \(type(of: recorded))", recorded.number)
      }
      do {
        return redactor.state(try encodeState(recorded.state))
      } catch {
        return failed("\(error)", recorded.number)
      }
    case .encoded(let value): return redactor.state(value)
    case .failed(let reason): return failed(reason, recorded.number)
    case .unwanted, .dropped: return nil
    }
  }

  private func failed(_ reason: String, _ step: Int) -> Value? {
    statistics.encodingFailures += 1
    report(.cannotEncodeState(reason, step: step), once: "state")
    return nil
  }

  private func writing(_ work: (SessionWriter) throws(SessionError) -> Void) {
    // The recorder reported a missing file when it could not be opened.
    guard let writer else { return }
    let lostBefore = writer.lostStepCount
    do throws(SessionError) {
      try work(writer)
    } catch {
      if case .harmed(let harm) = error.problem {
        report(
          .fileHarmed(harm, lostSteps: writer.lostStepCount - lostBefore),
          once: "\(harm) \(error.path)")
      } else {
        report(
          .cannotWrite(error.what, fromStep: writer.firstLostStep ?? writer.lastStep),
          once: "write")
      }
    }
    reportPlace(of: writer, because: "another program changed the file")
  }

  private func reportPlace(of writer: SessionWriter, because reason: String) {
    guard writer.path != place else { return }
    place = writer.path
    report(.recordsElsewhere(writer.path, because: reason), once: "place \(writer.path)")
  }

  private func lose(_ entry: RecordedEntry) {
    if case .step = entry {
      statistics.steps += 1
      statistics.lostSteps += 1
    } else {
      statistics.lostLines += 1
    }
  }

  /// The time of a line, never before an earlier line's, as the format promises.
  private func ascending(_ time: Duration, _ step: Int) -> Duration {
    if time < newestTime {
      if clock.ranBack { report(.clockRanBack(step: step), once: "clock") }
      return newestTime
    }
    newestTime = time
    return time
  }

  private func report(_ problem: RecordingTrouble.Problem, once kind: String) {
    guard told.insert(kind).inserted else { return }
    let trouble = RecordingTrouble(problem: problem, path: path)
    statistics.troubles.append(trouble)
    options.report(trouble)
  }

  private func collect() {
    guard let writer else { return }
    statistics.path = writer.path
    statistics.bytes = writer.bytesWritten
    statistics.keyframes = writer.keyframeCount
    statistics.parts = writer.header.part
    statistics.lostSteps = writer.lostStepCount
    statistics.lostLines = writer.lostLineCount
  }
}

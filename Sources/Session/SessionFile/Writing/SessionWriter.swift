import SessionWords
import ValueTree

/// Writes a session file: steps with their states, and events between them, in order.
///
/// ```swift
/// let writer = try SessionWriter(path: "cart.retcon", header: SessionHeader(state: ["total": 0]))
/// try writer.append(
///   Step(number: 1, label: "added", action: ["added": "Tea"]), state: ["total": 9.5])
/// try writer.finish()
/// ```
///
/// It computes patches, chooses keyframes, and begins a new part when a file is full. It buffers
/// lines until ``flush()``, or 64 KiB. It belongs to one thread at a time.
public final class SessionWriter {
  /// The current part's header.
  public private(set) var header: SessionHeader
  let options: WritingOptions
  private let wantedPath: String
  /// The path of the session, or of its first part: the requested one, or a name with its start
  /// time if that was taken.
  public private(set) var path: String
  private var file: LogFile
  /// The first part, which stays open: its lock protects the recording.
  private var firstPart: LogFile?
  private var finishedParts: [FinishedPart] = []
  private var tally: WrittenTally
  private var buffer = LineBuffer()
  private var keyframes: KeyframePlan
  private var state: Value?
  private var stateStep: Int
  /// The number of the last appended step.
  public private(set) var lastStep: Int
  private var lastTime: Duration?
  private var running: [EffectID: EffectInFlight] = [:]
  private var isFinished = false
  private var loss: WritingLoss?
  private var untold: SessionError?
  private var lostBefore: Int?
  private var bytesOfParts = 0
  private var partEnd: Int?
  /// The number of keyframes.
  public private(set) var keyframeCount = 0
  /// The number of steps missing from the file, because writing failed or the file was removed.
  public private(set) var lostStepCount = 0
  private var lostLinesBefore = 0
  /// The number of missing lines between steps.
  public var lostLineCount: Int { lostLinesBefore + (loss?.missingLines ?? 0) }

  private static let bufferSize = 1 << 16
  private static let endReserve = 1_024

  /// Creates the file and writes the header. The options decide about an existing file.
  public init(
    path: String, header: SessionHeader, options: WritingOptions = WritingOptions()
  ) throws(SessionError) {
    wantedPath = path
    // Steps of any version are written in this one.
    var header = header
    header.version = max(header.version, .current)
    self.header = header
    self.options = options
    partEnd = options.partSize
    let bytes = header.bytes
    file = try KeptSessions(of: path).makeFile(bytes, started: header.started, options.existing)
    self.path = file.path
    tally = WrittenTally(header: bytes.count, firstStep: header.firstStep)
    keyframes = KeyframePlan(policy: options.keyframes, headerSize: bytes.count)
    state = header.state
    stateStep = header.firstStep
    lastStep = header.firstStep
    lastTime = header.firstTime
    for effect in header.effects { running[effect.effect] = effect }
  }

  deinit { if !isFinished { try? flush() } }

  /// The bytes waiting for the next flush.
  public var bufferedBytes: Int { buffer.bytes.count }

  /// The written bytes of all parts.
  public var bytesWritten: Int { bytesOfParts + file.size }

  /// The first unwritten step, while writing fails.
  public private(set) var firstLostStep: Int?

  /// Appends a step. Without a state the file has none after it; `isStateDropped` says that there
  /// was one but no time for it.
  ///
  /// A failure is thrown once, and the waiting steps are lost. Later steps retry from time to time;
  /// the first success is a keyframe and reports the loss.
  public func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false
  ) throws(SessionError) {
    try append(step, state: state, isStateDropped: isStateDropped, patch: nil)
  }

  /// The same, with a known patch from the step before, and perhaps its line with that patch. A
  /// damaged step is reported as lost.
  package func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false, patch: Value?,
    written: [UInt8]? = nil
  ) throws(SessionError) {
    let number = step.number
    if let damage = step.damage, !step.isUnfinished {
      return try append(.lost(steps: number...number, lines: 0, because: damage, state: state))
    }
    defer {
      lastStep = number
      lastTime = step.time
      if let state {
        self.state = state
        stateStep = step.number
      }
    }
    if loss != nil {
      tryAgain(step, state)
      return try throwUntold()
    }
    try beginPartIfDue(before: step)
    let line = line(of: step, state: state, isStateDropped: isStateDropped, patch, written)
    lastStep = step.number
    buffer.add(step: step.number, line)
    try flushIfLarge()
  }

  private func line(
    of step: Step, state: Value?, isStateDropped: Bool, _ known: Value?, _ written: [UInt8]?
  ) -> [UInt8] {
    var line = StepLine(step, isStateDropped: isStateDropped)
    guard let state else { return written ?? LogLine.step(line).bytes }
    guard let before = self.state else {
      line.state = state
      keyframeCount += 1
      return LogLine.step(line).bytes
    }
    let patch = stateStep == step.number - 1 ? known : nil
    line.patch = patch ?? Patch(from: before, to: state).value
    let bytes = (patch == nil ? nil : written) ?? LogLine.step(line).bytes
    guard keyframes.isDue(after: bytes.count) else { return bytes }
    line.state = state
    let withState = LogLine.step(line).bytes
    guard keyframes.allows(stateSize: withState.count - bytes.count) else { return bytes }
    keyframeCount += 1
    return withState
  }

  /// Appends an event of an effect.
  public func append(_ event: EffectEvent) throws(SessionError) {
    switch event.kind {
    case .started(let origin):
      running[event.effect] = EffectInFlight(
        effect: event.effect, origin: origin, time: event.time)
    case .finished, .failed, .cancelled: running[event.effect] = nil
    }
    try append(LogLine.effect(event))
  }

  /// Appends a read of an effect, or without a known owner.
  public func append(_ read: OutsideRead) throws(SessionError) {
    try append(LogLine.read(read))
  }

  /// Appends the app's note.
  public func append(_ signpost: Signpost) throws(SessionError) {
    try append(LogLine.signpost(signpost))
  }

  package func append(_ line: LogLine) throws(SessionError) {
    switch line {
    case .tape(let key) where !header.tape.contains(key): header.tape.append(key)
    // The next state is whole.
    case .lost(let steps?, _, _, _): (lastStep, state) = (max(lastStep, steps.upperBound), nil)
    default: break
    }
    guard loss == nil else {
      loss?.add(line)
      return
    }
    buffer.add(line)
    try flushIfLarge()
  }

  private func flushIfLarge() throws(SessionError) {
    if buffer.bytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes all lines, and checks the file for damage.
  public func flush() throws(SessionError) {
    try throwUntold()
    if loss != nil { return try checkWhileLost() }
    do throws(SessionError) {
      if let harm = file.harm { throw SessionError(.harmed(harm), path: file.path) }
      guard !buffer.isEmpty else { return }
      try file.write(buffer.bytes)
    } catch {
      lose(because: error)
      throw error
    }
    tally.add(
      steps: buffer.stepCount, lines: buffer.tellingCount, lastStep: lastStep, end: file.size)
    buffer.removeAll()
    if options.isDurable { try file.synchronize() }
  }

  /// Writes the end of the session, and returns when the device has everything.
  public func finish(time: Duration? = nil) throws(SessionError) {
    guard !isFinished else { return }
    isFinished = true
    var failure: SessionError?
    do throws(SessionError) { try flush() } catch { failure = error }
    if loss != nil { recoverAtTheEnd() }
    failure = failure ?? untold
    do throws(SessionError) {
      if loss?.needsNewFile != true {
        try file.write(
          LogLine.end(step: lastStep, time: time ?? lastTime).bytes, usingReserve: true)
      }
      try file.synchronize()
    } catch {
      failure = failure ?? error
    }
    do throws(SessionError) { try checkAll() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}

// MARK: - Write failures

extension SessionWriter {
  private func lose(because error: SessionError) {
    var loss = WritingLoss(
      first: buffer.firstStep ?? lastStep + 1, last: lastStep, reason: error.what,
      lines: buffer.between)
    lostStepCount += buffer.stepCount
    buffer.removeAll()
    if case .harmed(let harm) = error.problem { countLoss(harm, &loss) }
    firstLostStep = loss.first
    self.loss = loss
    sayLoss(leaving: Self.endReserve)
  }

  /// Even without successful writes, the file may be removed, or a truncated one's rest, until a
  /// new one begins.
  private func checkWhileLost() throws(SessionError) {
    guard var loss, let harm = file.harm else { return }
    let isKnown = loss.needsNewFile
    let isMore = countLoss(harm, &loss)
    self.loss = loss
    if isMore || !isKnown { throw SessionError(.harmed(harm), path: file.path) }
  }

  private func throwUntold() throws(SessionError) {
    guard let error = untold else { return }
    untold = nil
    throw error
  }

  /// Returns whether anything written has disappeared since the last call.
  @discardableResult
  private func countLoss(_ harm: FileHarm, _ loss: inout WritingLoss) -> Bool {
    var gone = tally.cut(to: harm == .shortened ? file.sizeAtPath : 0)
    lostStepCount += gone.steps
    // The file's earlier loss report is gone, too.
    if let lostBefore { gone.firstStep = min(gone.firstStep, lostBefore) }
    loss.add(gone)
    return gone.steps + gone.lines > 0
  }

  private func sayLoss(leaving rest: Int) {
    guard var loss, !loss.needsNewFile, file.reserveLeft > rest, let line = loss.missing,
      (try? file.write(line.bytes, usingReserve: true)) != nil
    else { return }
    lostLinesBefore += loss.lostLines
    loss.wasSaid()
    self.loss = loss
  }

  private func tryAgain(_ step: Step, _ state: Value?) {
    let isTime = loss?.isTimeToTry() == true
    if isTime, (try? recover(with: [.step(StepLine(step, state: state))])) != nil {
      if state != nil { keyframeCount += 1 }
      // The next patch cannot start from a state that is not in the file.
      self.state = state
      tally.add(steps: 1, lines: 0, lastStep: step.number, end: file.size)
      return
    }
    loss?.add(step: step.number)
    lostStepCount += 1
    if isTime { sayLoss(leaving: Self.endReserve) }
  }

  private func recover(with lines: [LogLine] = []) throws(SessionError) {
    do throws(SessionError) { try checkWhileLost() } catch { untold = error }
    guard let loss else { return }
    if loss.needsNewFile {
      try beginAnew(after: loss, lines)
    } else {
      try file.write((loss.lines + lines).flatMap(\.bytes))
    }
    lostLinesBefore += loss.lostLines
    firstLostStep = nil
    self.loss = nil
  }

  private func recoverAtTheEnd() {
    if (try? recover()) != nil { return }
    guard let loss, !loss.needsNewFile, let line = loss.missingForGood else { return }
    try? file.write(line.bytes, usingReserve: true)
  }

  private func beginAnew(after loss: WritingLoss, _ lines: [LogLine]) throws(SessionError) {
    let next = headerOfNextFile(part: 1)
    let missing = LogLine.lost(steps: loss.steps, lines: loss.lostLines, because: loss.reason)
    let bytes = next.bytes + ([missing] + lines).flatMap(\.bytes)
    file = try KeptSessions(of: wantedPath).makeFileBeside(bytes, started: header.started)
    path = file.path
    lostBefore = loss.steps?.lowerBound
    firstPart = nil
    tally = WrittenTally(header: next.bytes.count, firstStep: next.firstStep)
    partEnd = options.partSize
    begin(next, size: bytes.count)
  }

  /// Checks all files once more: no loss may go unreported.
  private func checkAll() throws(SessionError) {
    var failure: SessionError?
    for part in finishedParts {
      guard let harm = LogFile.harm(to: part.path, part.identity, size: part.size) else { continue }
      lostStepCount += part.steps
      failure = SessionError(.harmed(harm), path: part.path)
    }
    if loss?.needsNewFile != true, let harm = file.harm {
      lostStepCount += tally.gone(behind: harm == .shortened ? file.sizeAtPath : 0).steps
      failure = SessionError(.harmed(harm), path: file.path)
    }
    if let failure { throw failure }
  }
}

// MARK: - Parts

extension SessionWriter {
  private func beginPartIfDue(before step: Step) throws(SessionError) {
    guard let size = options.partSize, let end = partEnd,
      file.size + buffer.bytes.count >= end
    else { return }
    do throws(SessionError) {
      try flush()
    } catch {
      loss?.add(step: step.number)
      lostStepCount += 1
      throw error
    }
    do throws(SessionError) {
      try beginPart()
      partEnd = size
    } catch {
      // The part still has room, or its next write reports that it is full.
      partEnd = file.size + size
    }
  }

  private func beginPart() throws(SessionError) {
    let next = headerOfNextFile(part: header.part + 1)
    let bytes = next.bytes
    var part = try LogFile.make(PartNames(path).path(ofPart: next.part), header: bytes)
    swap(&file, &part)
    finishedParts.append(
      FinishedPart(
        path: part.path, identity: part.identity, size: part.size,
        steps: tally.gone(behind: 0).steps))
    bytesOfParts += part.size
    if header.part == 1 { firstPart = consume part }
    tally = WrittenTally(header: bytes.count, firstStep: next.firstStep)
    begin(next, size: bytes.count)
  }

  private func headerOfNextFile(part: Int) -> SessionHeader {
    var next = header
    next.part = part
    next.firstStep = lastStep
    next.firstTime = lastTime
    // A dropped state is unknown here.
    next.state = stateStep == lastStep ? state : nil
    next.effects = running.values.sorted { $0.effect < $1.effect }
    return next
  }

  private func begin(_ next: SessionHeader, size: Int) {
    header = next
    state = next.state
    keyframes = KeyframePlan(policy: options.keyframes, headerSize: size)
  }
}

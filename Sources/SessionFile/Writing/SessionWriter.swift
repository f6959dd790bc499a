import SessionWords
import ValueTree

/// Writes a session file: steps with their states, and what happened between them, in order.
///
/// ```swift
/// let writer = try SessionWriter(path: "cart.retcon", header: SessionHeader(state: ["total": 0]))
/// try writer.append(
///   Step(number: 1, label: "added", action: ["added": "Tea"]), state: ["total": 9.5])
/// try writer.finish()
/// ```
///
/// It finds the patch from the last state, decides which steps become keyframes, and begins a new
/// part when a file has reached its size. Lines are gathered until ``flush()``, or 64 KiB of them.
/// It belongs to one thread at a time.
public final class SessionWriter {
  /// The header of the part that is being written.
  public private(set) var header: SessionHeader
  let options: WritingOptions
  /// The path that was asked for.
  private let wantedPath: String
  /// Where the session, or its first part, is: at the path that was asked for, or under a name with
  /// its start time where something else has that.
  public private(set) var path: String
  private var file: LogFile
  /// The first part stays open when others are written: who has it has the recording.
  private var firstPart: LogFile?
  private var finishedParts: [FinishedPart] = []
  private var tally: WrittenTally
  private var buffer = LineBuffer()
  private var keyframes: KeyframePlan
  private var state: Value?
  /// The step after which that was the state.
  private var stateStep: Int
  /// The number of the step that was appended last.
  public private(set) var lastStep: Int
  private var lastTime: Duration?
  /// The effects in flight: what the header of the next part has to carry.
  private var running: [Int: EffectInFlight] = [:]
  private var isFinished = false
  private var loss: WritingLoss?
  private var untold: SessionError?
  /// From which step on steps are lost that were in a file before this one.
  private var lostBefore: Int?
  /// How many bytes the parts before this one have.
  private var bytesOfParts = 0
  /// The size at which the next part is begun.
  private var partEnd: Int?
  /// How many steps hold their whole state.
  public private(set) var keyframeCount = 0
  /// How many steps are missing in the file because it could not be written, or was taken away.
  public private(set) var lostStepCount = 0
  private var lostLinesBefore = 0
  /// How many effect events, reads, signposts and other lines between steps are missing likewise.
  public var lostLineCount: Int { lostLinesBefore + (loss?.missingLines ?? 0) }

  private static let bufferSize = 1 << 16
  /// So much of the room that is reserved for a full disk is kept for the end.
  private static let endReserve = 1_024

  /// Makes the file and writes the header. What has the name already stays, or is kept aside, as
  /// the options say.
  public init(
    path: String, header: SessionHeader, options: WritingOptions = WritingOptions()
  ) throws(SessionError) {
    wantedPath = path
    self.header = header
    self.options = options
    partEnd = options.partSize
    let bytes = header.bytes
    file = try SessionPlace(path, options.existing).makeFile(bytes, started: header.started)
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

  /// How many bytes of lines wait for the next flush.
  public var bufferedBytes: Int { buffer.bytes.count }

  /// How many bytes were written, all parts together.
  public var bytesWritten: Int { bytesOfParts + file.size }

  /// The first of the steps that could not be written, as long as none can.
  public private(set) var firstLostStep: Int?

  /// Appends a step. Without a state the file says nothing of the state after it; `isStateDropped`
  /// says that there was one, but that there was no time for it.
  ///
  /// When writing fails, the error is thrown once, with the steps that wait lost. Later steps are
  /// tried again from time to time; the first that succeeds is a keyframe and says what is missing.
  public func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false
  ) throws(SessionError) {
    try append(step, state: state, isStateDropped: isStateDropped, patch: nil)
  }

  /// The same with a patch that is known to lead from the state after the step before.
  package func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false, patch: Value?
  ) throws(SessionError) {
    defer {
      lastStep = step.number
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
    let line = line(of: step, state: state, isStateDropped: isStateDropped, patch)
    lastStep = step.number
    buffer.add(step: step.number, line)
    try flushIfLarge()
  }

  private func line(of step: Step, state: Value?, isStateDropped: Bool, _ known: Value?) -> [UInt8]
  {
    var line = StepLine(step, isStateDropped: isStateDropped)
    guard let state else { return LogLine.step(line).bytes }
    guard let before = self.state else {
      line.state = state
      keyframeCount += 1
      return LogLine.step(line).bytes
    }
    let patch = stateStep == step.number - 1 ? known : nil
    line.patch = patch ?? Patch(from: before, to: state).value
    let bytes = LogLine.step(line).bytes
    guard keyframes.isDue(after: bytes.count) else { return bytes }
    line.state = state
    let withState = LogLine.step(line).bytes
    guard keyframes.allows(stateSize: withState.count - bytes.count) else { return bytes }
    keyframeCount += 1
    return withState
  }

  /// Appends what happened to an effect.
  public func append(_ event: EffectEvent) throws(SessionError) {
    switch event.kind {
    case .started(let origin):
      running[event.effect] = EffectInFlight(
        effect: event.effect, origin: origin, time: event.time)
    case .finished, .failed, .cancelled: running[event.effect] = nil
    }
    try append(LogLine.effect(event))
  }

  /// Appends what an effect, or nobody known, read.
  public func append(_ read: OutsideRead) throws(SessionError) {
    try append(LogLine.read(read))
  }

  /// Appends a note of the app.
  public func append(_ signpost: Signpost) throws(SessionError) {
    try append(LogLine.signpost(signpost))
  }

  package func append(_ line: LogLine) throws(SessionError) {
    if case .tape(let key) = line, !header.tape.contains(key) { header.tape.append(key) }
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

  /// Hands all lines to the system, and looks whether the file is still what was written.
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

  /// Says in the file that this is the end, and returns when the device holds everything.
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

// MARK: - What could not be written

extension SessionWriter {
  /// What waits is lost; so is what was in a file that is gone.
  private func lose(because error: SessionError) {
    var loss = WritingLoss(
      first: buffer.firstStep ?? lastStep + 1, last: lastStep, reason: error.what,
      lines: buffer.between)
    lostStepCount += buffer.stepCount
    buffer.removeAll()
    if case .harmed(let harm) = error.problem { takeAway(harm, &loss) }
    firstLostStep = loss.first
    self.loss = loss
    sayLoss(leaving: Self.endReserve)
  }

  /// A file that cannot be written may be taken away, too, and what is left of one that was cut, until
  /// another is begun.
  private func checkWhileLost() throws(SessionError) {
    guard var loss, let harm = file.harm else { return }
    let isKnown = loss.needsNewFile
    let isMore = takeAway(harm, &loss)
    self.loss = loss
    if isMore || !isKnown { throw SessionError(.harmed(harm), path: file.path) }
  }

  /// What was found while a step was tried again is told by whoever can throw.
  private func throwUntold() throws(SessionError) {
    guard let error = untold else { return }
    untold = nil
    throw error
  }

  /// Says whether anything is gone that was there when this was asked last.
  @discardableResult
  private func takeAway(_ harm: FileHarm, _ loss: inout WritingLoss) -> Bool {
    var gone = tally.cut(to: harm == .shortened ? file.sizeAtPath : 0)
    lostStepCount += gone.steps
    // What the file said at its start is gone with it, too.
    if let lostBefore { gone.firstStep = min(gone.firstStep, lostBefore) }
    loss.add(gone)
    return gone.steps + gone.lines > 0
  }

  /// Says in the file what is missing by now, with the room that is reserved for that.
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
      // The next patch cannot lead from a state that is not in the file.
      self.state = state
      tally.add(steps: 1, lines: 0, lastStep: step.number, end: file.size)
      return
    }
    loss?.add(step: step.number)
    lostStepCount += 1
    if isTime { sayLoss(leaving: Self.endReserve) }
  }

  /// Says what is missing, before other lines.
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

  /// Goes on in a file of another name, which says what is missing before it.
  private func beginAnew(after loss: WritingLoss, _ lines: [LogLine]) throws(SessionError) {
    let next = headerOfNextFile(part: 1)
    let missing = LogLine.lost(steps: loss.steps, lines: loss.lostLines, because: loss.reason)
    let bytes = next.bytes + ([missing] + lines).flatMap(\.bytes)
    file = try SessionPlace(wantedPath, .refuse).makeFileBeside(bytes, started: header.started)
    path = file.path
    lostBefore = loss.steps?.lowerBound
    firstPart = nil
    tally = WrittenTally(header: next.bytes.count, firstStep: next.firstStep)
    partEnd = options.partSize
    begin(next, size: bytes.count)
  }

  /// Looks at all files of the session once more: at the end nothing may be gone unsaid.
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
      // This part has room yet, or its next write says that there is none.
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
    // A state that was left out is not known here.
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

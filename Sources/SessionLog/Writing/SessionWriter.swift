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
  public private(set) var header: SessionHeader
  let options: WritingOptions
  let firstPath: String
  private var file: LogFile
  private var buffer: [UInt8] = []
  private var keyframes: KeyframePlan
  private var state: Value?
  /// The number of the step that was appended last.
  public private(set) var lastStep: Int
  private var lastTime: Duration?
  /// The effects in flight: what the header of the next part has to carry.
  private var running: [Int: EffectInFlight] = [:]
  private var isFinished = false
  /// The first step among the lines that wait.
  private var firstBuffered: Int?
  /// Those of the lines that wait that are not steps.
  private var bufferedBetween: [LogLine] = []
  private var loss: WritingLoss?
  /// How many bytes the parts before this one have.
  private var bytesOfParts = 0
  /// The size at which the next part is begun.
  private var partEnd: Int?
  public private(set) var keyframeCount = 0
  /// How many steps are missing in the file because it could not be written.
  public private(set) var lostStepCount = 0
  private var lostLinesBefore = 0
  /// How many effect events, reads, signposts and other lines between steps are missing likewise.
  public var lostLineCount: Int { lostLinesBefore + (loss?.missingLines ?? 0) }

  private static let bufferSize = 1 << 16

  public init(
    path: String, header: SessionHeader, options: WritingOptions = WritingOptions()
  ) throws(SessionError) {
    firstPath = path
    self.header = header
    self.options = options
    partEnd = options.partSize
    if options.existing == .replace { PartNames(path).removeFurtherParts() }
    file = try LogFile(path: path, existing: options.existing)
    let bytes = header.bytes
    keyframes = KeyframePlan(policy: options.keyframes, headerSize: bytes.count)
    state = header.state
    lastStep = header.firstStep
    lastTime = header.firstTime
    for effect in header.effects { running[effect.effect] = effect }
    try file.write(bytes)
  }

  deinit { if !isFinished { try? flush() } }

  /// How many bytes of lines wait for the next flush.
  public var bufferedBytes: Int { buffer.count }

  /// How many bytes were written, all parts together.
  public var bytesWritten: Int { bytesOfParts + file.size }

  /// The first of the steps that could not be written, as long as none can.
  public var firstLostStep: Int? { loss?.first }

  /// Appends a step. Without a state the file says nothing of the state after it; `isStateDropped`
  /// says that there was one, but that there was no time for it.
  ///
  /// When writing fails, the error is thrown once, with the steps that wait lost. Later steps are
  /// tried again from time to time; the first that succeeds is a keyframe and says what is missing.
  public func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false
  ) throws(SessionError) {
    defer {
      lastStep = step.number
      lastTime = step.time
      if let state { self.state = state }
    }
    if loss != nil { return tryAgain(step, state) }
    try beginPartIfDue(before: step)
    if firstBuffered == nil { firstBuffered = step.number }
    let line = line(of: step, state: state, isStateDropped: isStateDropped)
    lastStep = step.number
    try append(line)
  }

  private func line(of step: Step, state: Value?, isStateDropped: Bool) -> [UInt8] {
    var line = StepLine(step, isStateDropped: isStateDropped)
    guard let state else { return LogLine.step(line).bytes }
    guard let before = self.state else {
      line.state = state
      keyframeCount += 1
      return LogLine.step(line).bytes
    }
    line.patch = Patch(from: before, to: state).value
    let bytes = LogLine.step(line).bytes
    guard keyframes.isDue(after: bytes.count) else { return bytes }
    line.state = state
    let withState = LogLine.step(line).bytes
    guard keyframes.allows(stateSize: withState.count - bytes.count) else { return bytes }
    keyframeCount += 1
    return withState
  }

  private func tryAgain(_ step: Step, _ state: Value?) {
    guard var loss else { return }
    if loss.isTimeToTry(),
      (try? recover(from: loss, with: [.step(StepLine(step, state: state))])) != nil
    {
      if state != nil { keyframeCount += 1 }
      // The next patch cannot lead from a state that is not in the file.
      self.state = state
    } else {
      loss.last = step.number
      lostStepCount += 1
      self.loss = loss
    }
  }

  /// Says what is missing, before other lines.
  private func recover(
    from loss: WritingLoss, with lines: [LogLine] = []
  ) throws(SessionError) {
    try file.write((loss.lines + lines).flatMap(\.bytes))
    lostLinesBefore += loss.lostLines
    self.loss = nil
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

  public func append(_ read: OutsideRead) throws(SessionError) {
    try append(LogLine.read(read))
  }

  public func append(_ signpost: Signpost) throws(SessionError) {
    try append(LogLine.signpost(signpost))
  }

  package func append(_ line: LogLine) throws(SessionError) {
    guard loss == nil else {
      loss?.add(line)
      return
    }
    bufferedBetween.append(line)
    try append(line.bytes)
  }

  /// Hands all lines to the system.
  public func flush() throws(SessionError) {
    guard !buffer.isEmpty else { return }
    let first = firstBuffered
    defer {
      buffer.removeAll(keepingCapacity: true)
      firstBuffered = nil
      bufferedBetween.removeAll(keepingCapacity: true)
    }
    do throws(SessionError) {
      try file.write(buffer)
    } catch {
      loss = WritingLoss(
        first: first ?? lastStep + 1, last: lastStep, reason: error.what, lines: bufferedBetween)
      lostStepCount += first.map { lastStep - $0 + 1 } ?? 0
      throw error
    }
    if options.isDurable { try file.synchronize() }
  }

  /// Says in the file that this is the end, and returns when the device holds everything.
  public func finish(time: Duration? = nil) throws(SessionError) {
    guard !isFinished else { return }
    isFinished = true
    if let loss { try recover(from: loss) }
    try append(LogLine.end(step: lastStep, time: time ?? lastTime))
    try flush()
    try file.synchronize()
  }

  private func append(_ line: [UInt8]) throws(SessionError) {
    buffer += line
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func beginPartIfDue(before step: Step) throws(SessionError) {
    guard let size = options.partSize, let end = partEnd, file.size + buffer.count >= end else {
      return
    }
    do throws(SessionError) {
      try flush()
    } catch {
      loss?.last = step.number
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
    var next = header
    next.part += 1
    next.firstStep = lastStep
    next.firstTime = lastTime
    next.state = state
    next.effects = running.values.sorted { $0.effect < $1.effect }
    let bytes = next.bytes
    var part = try LogFile(
      path: PartNames(firstPath).path(ofPart: next.part), existing: .keep)
    do throws(SessionError) {
      try part.write(bytes)
    } catch {
      part.remove()
      throw error
    }
    bytesOfParts += file.size
    file = part
    header = next
    keyframes = KeyframePlan(policy: options.keyframes, headerSize: bytes.count)
  }
}

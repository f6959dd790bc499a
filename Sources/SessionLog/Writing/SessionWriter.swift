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
  private var lastStep: Int
  private var lastTime: Duration?
  /// The effects in flight: what the header of the next part has to carry.
  private var running: [Int: EffectInFlight] = [:]
  private var isFinished = false

  private static let bufferSize = 1 << 16

  public init(
    path: String, header: SessionHeader, options: WritingOptions = WritingOptions()
  ) throws(SessionError) {
    firstPath = path
    self.header = header
    self.options = options
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

  /// Appends a step. Without a state the file says nothing of the state after it; `isStateDropped`
  /// says that there was one, but that there was no time for it.
  public func append(
    _ step: Step, state: Value?, isStateDropped: Bool = false
  ) throws(SessionError) {
    if let size = options.partSize, file.size + buffer.count >= size { try beginPart() }
    var line = StepLine(step, isStateDropped: isStateDropped)
    if let state {
      line.patch = self.state.map { Patch(from: $0, to: state).value }
      if self.state == nil { line.state = state }
    }
    var bytes = LogLine.step(line).bytes
    if let state, line.state == nil, keyframes.isDue(after: bytes.count) {
      line.state = state
      let withState = LogLine.step(line).bytes
      if keyframes.allows(stateSize: withState.count - bytes.count, lineSize: bytes.count) {
        bytes = withState
      }
    }
    if let state { self.state = state }
    lastStep = step.number
    lastTime = step.time
    try append(bytes)
  }

  /// Appends what happened to an effect.
  public func append(_ event: EffectEvent) throws(SessionError) {
    switch event.kind {
    case .started(let origin):
      running[event.effect] = EffectInFlight(
        effect: event.effect, origin: origin, time: event.time)
    case .finished, .failed, .cancelled: running[event.effect] = nil
    }
    try append(LogLine.effect(event).bytes)
  }

  public func append(_ read: OutsideRead) throws(SessionError) {
    try append(LogLine.read(read).bytes)
  }

  public func append(_ signpost: Signpost) throws(SessionError) {
    try append(LogLine.signpost(signpost).bytes)
  }

  package func append(_ line: LogLine) throws(SessionError) { try append(line.bytes) }

  /// Hands all lines to the system.
  public func flush() throws(SessionError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try file.write(buffer)
    if options.isDurable { try file.synchronize() }
  }

  /// Says in the file that this is the end, and returns when the device holds everything.
  public func finish(time: Duration? = nil) throws(SessionError) {
    guard !isFinished else { return }
    isFinished = true
    try append(LogLine.end(step: lastStep, time: time ?? lastTime).bytes)
    try flush()
    try file.synchronize()
  }

  private func append(_ line: [UInt8]) throws(SessionError) {
    buffer += line
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func beginPart() throws(SessionError) {
    try flush()
    header.part += 1
    header.firstStep = lastStep
    header.firstTime = lastTime
    header.state = state
    header.effects = running.values.sorted { $0.effect < $1.effect }
    let bytes = header.bytes
    file = try LogFile(
      path: PartNames(firstPath).path(ofPart: header.part), existing: options.existing)
    keyframes = KeyframePlan(policy: options.keyframes, headerSize: bytes.count)
    try file.write(bytes)
  }
}

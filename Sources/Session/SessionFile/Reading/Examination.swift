import Platform
import SessionWords
import ValueTree

extension SessionReader {
  /// Reads every line, applies every patch, and compares every keyframe with its patches. Mistakes
  /// become notices. `progress` gets the finished share, from 0 to 1.
  public func examine(progress: (Double) throws -> Void = { _ in }) throws {
    var census = SessionCensus()
    try examine(&census, progress: progress)
  }

  /// Reads the whole file and counts the findings; stops where `progress` throws.
  public func examine(
    _ census: inout SessionCensus, progress: (Double) throws -> Void = { _ in }
  ) throws {
    let snapshot = snapshot
    let end = snapshot.parts.end
    var run = Examination(header, snapshot)
    let lines = LineReading(snapshot)
    defer { census = run.census }
    func examine(_ line: ReadLine) {
      if let finding = run.examine(line), !Interruption.isAsked {
        update { $0.report(finding, at: line.offset) }
      }
    }
    // Lines are parsed on all processors, while those before them are examined.
    var following: [ThreadWork<Result<[ReadLine], any Error>>] = []
    var parsedTo = snapshot.headerEnd
    var examinedTo = parsedTo
    while examinedTo < end {
      let waiting = following
      let last = parsedTo
      following = []
      for _ in 0..<processorCount where parsedTo < end {
        let range = parsedTo..<lines.end(ofPartFrom: parsedTo)
        guard range.count <= LineReading.mostBytes else { break }
        following.append(ThreadWork { Result { try lines.all(in: range) } })
        parsedTo = range.upperBound
      }
      if waiting.isEmpty, following.isEmpty {
        // So many lines between two steps would fill the memory.
        let range = parsedTo..<lines.end(ofPartFrom: parsedTo)
        try lines.read(range, examine)
        (parsedTo, examinedTo) = (range.upperBound, range.upperBound)
      }
      for part in waiting { for line in try part.result().get() { examine(line) } }
      if !waiting.isEmpty { examinedTo = last }
      if Interruption.isAsked { throw SessionError(.interrupted, path: path) }
      try progress(Double(examinedTo) / Double(max(1, end)))
    }
    run.close()
    try progress(1)
  }
}

/// What an examination needs of a line.
private struct ReadLine: Sendable {
  var offset: Int
  /// The step of which it is the own line.
  var number: Int?
  /// The state after a step that another line tells.
  var state: (step: Int, value: Value)?
  var content: Content = .nothing

  enum Content: Sendable {
    case nothing
    case step(StepLine, Result<Patch, PatchError>?)
    case other(LogLine)
    case wrong(reason: String)
  }
}

/// Reads lines for an examination, on any thread.
private struct LineReading: Sendable {
  /// More bytes are not parsed ahead.
  static let mostBytes = 8 << 20
  private static let partSize = 1 << 20

  private let snapshot: ReaderState
  /// The steps whose states are in other lines, by offset.
  private let states: [Int: Int]

  init(_ snapshot: ReaderState) {
    self.snapshot = snapshot
    states = Dictionary(snapshot.partStates.map { ($0.value, $0.key) }) { $1 }
  }

  /// The first line of a step about a megabyte behind an offset.
  func end(ofPartFrom offset: Int) -> Int {
    let steps = snapshot.index.steps
    var position = steps.firstIndex(notBelow: UInt64(offset + Self.partSize) << 3)
    while position < steps.count {
      let entry = StepEntry(bits: steps[position])
      if !entry.isAbsent { return entry.offset }
      position += 1
    }
    return snapshot.parts.end
  }

  func all(in range: Range<Int>) throws(SessionError) -> [ReadLine] {
    var lines: [ReadLine] = []
    try read(range) { lines.append($0) }
    return lines
  }

  func read(_ range: Range<Int>, _ visit: (ReadLine) -> Void) throws(SessionError) {
    var cursor = StepCursor(snapshot.index, from: range.lowerBound)
    try LineWalk.walk(range, in: snapshot.parts) { offset, bytes throws(SessionError) in
      if let line = line(bytes, at: offset, &cursor) { visit(line) }
      return true
    }
  }

  private func line(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ cursor: inout StepCursor
  ) -> ReadLine? {
    guard !bytes.isEmpty else { return nil }
    // The index has said so, and there may be millions.
    let isOther = bytes.first != UInt8(ascii: "{") || bytes.last != UInt8(ascii: "}")
    if isOther, snapshot.format == nil { return nil }
    var line = ReadLine(offset: offset)
    if let step = states[offset], let state = (try? Value(line: bytes))?["state"] {
      line.state = (step, state)
    }
    guard !HeaderLine.isBegunBy(bytes.prefix(64)) else { return line }
    line.number = cursor.step(at: offset)
    do throws(LineFault) {
      guard let number = line.number else {
        line.content = .other(try snapshot.logLine(bytes, at: offset))
        return line
      }
      var told = try stepLine(bytes, of: number, at: offset)
      (told.step.action, told.step.reads) = (.null, [])
      let patch = told.patch.map { patch in Result { () throws(PatchError) in try Patch(patch) } }
      line.content = .step(told, patch)
    } catch {
      line.content = .wrong(reason: error.reason)
    }
    return line
  }

  /// A step line. Where no patch follows a state, its bytes are checked, and its value is null.
  private func stepLine(
    _ bytes: UnsafeBufferPointer<UInt8>, of number: Int, at offset: Int
  ) throws(LineFault) -> StepLine {
    guard let format = snapshot.format, !format.arePatches,
      format.members(of: bytes, place: nil)?.state != nil, bytes.isJSON,
      let rest = snapshot.withoutStates(Array(bytes)),
      var line = try? rest.withUnsafeBufferPointer({
        try snapshot.stepLine($0, of: number, at: offset)
      })
    else { return try snapshot.stepLine(bytes, of: number, at: offset) }
    line.state = .null
    return line
  }
}

private struct Examination {
  private(set) var census = SessionCensus()
  private var editor: ValueEditor?
  private var lastStep: Int
  /// The last step as the recording's end tells it.
  private var toldEnd = 0
  private var effects: Set<EffectID>
  /// The last step that the file has, or that it reports as lost.
  private var lastKnown: Int
  private let snapshot: ReaderState

  init(_ header: SessionHeader, _ snapshot: ReaderState) {
    self.snapshot = snapshot
    editor = header.state.map { ValueEditor($0) }
    lastStep = header.firstStep
    effects = Set(header.effects.map(\.effect))
    lastKnown = snapshot.index.lastStep
  }

  mutating func examine(_ line: ReadLine) -> Notice.Finding? {
    if let (step, state) = line.state {
      editor = ValueEditor(state)
      lastStep = step
    }
    if let number = line.number {
      if number != lastStep + 1 {
        editor = nil
        if number > lastStep { census.count(absent: lastStep + 1...number - 1) }
      }
      lastStep = number
    }
    switch line.content {
    case .nothing: return nil
    case .other(let line): return examine(line)
    case .step(let line, let patch):
      let number = line.step.number
      if let damage = line.step.damage {
        census.count(lost: number...number, lines: 0)
        return .lostSteps(number...number, because: damage)
      }
      census.count(line, hasLateState: snapshot.lateState(of: number) != nil)
      return examine(line, patch) ?? unknown(line.step.cause)
    case .wrong(let reason):
      if line.number != nil { editor = nil }
      return .badLine(reason: reason)
    }
  }

  private mutating func examine(_ line: LogLine) -> Notice.Finding? {
    switch line {
    case .lost(let steps, let lines, _, _):
      census.count(lost: steps, lines: lines)
      lastKnown = max(lastKnown, steps?.upperBound ?? 0)
    case .end(let step, _): toldEnd = max(toldEnd, step)
    case .effect(let event):
      var step = event.step
      if case .started(let origin) = event.kind {
        effects.insert(event.effect)
        step = max(step, origin.step)
      }
      return unknown(step: step) ?? unknown(.effect(event.effect))
    case .read(let read):
      return unknown(step: read.step) ?? read.effect.flatMap { unknown(.effect($0)) }
    case .signpost(let signpost): return unknown(step: signpost.step)
    default: break
    }
    return nil
  }

  /// The effect or the step, if the file has none of this number.
  private mutating func unknown(_ cause: Cause) -> Notice.Finding? {
    switch cause {
    case .user, .outside, .unknown: return nil
    case .output(let step): return unknown(step: step)
    case .effect(let effect):
      guard snapshot.format == nil, !effects.contains(effect) else { return nil }
      census.unknownReferences += 1
      return .unknownEffect(effect)
    }
  }

  private mutating func unknown(step: Int) -> Notice.Finding? {
    guard step > lastKnown else { return nil }
    census.unknownReferences += 1
    return .unknownStep(step)
  }

  mutating func close() {
    if toldEnd > lastStep { census.count(absent: lastStep + 1...toldEnd) }
  }

  private mutating func examine(
    _ line: StepLine, _ patch: Result<Patch, PatchError>?
  ) -> Notice.Finding? {
    var finding: Notice.Finding?
    if let patch, let editor {
      do throws(PatchError) {
        try editor.apply(try patch.get())
      } catch {
        finding = .wrongPatch(step: line.step.number, reason: error.description)
        self.editor = nil
      }
    }
    guard let state = line.state else { return finding }
    if line.patch != nil, let editor, editor.value != state {
      finding = .patchesDisagree(step: line.step.number)
    }
    editor = ValueEditor(state)
    return finding
  }
}

/// The numbers from an examination; ``SessionReader/notices`` lists the mistakes.
public struct SessionCensus: Sendable, Hashable {
  /// Steps without a state, because the recorder had fallen behind.
  public var droppedStates = 0
  /// Steps without a state for another reason: not recorded, or another tool's file.
  public var absentStates = 0
  /// Steps that were skipped when recorded.
  public var skippedSteps = 0
  /// Steps that the recorder reports as lost.
  public var lostSteps = 0
  /// Lines between steps that the recorder reports as lost.
  public var lostLines = 0
  /// Steps without a line or an explanation.
  public var missingSteps = 0
  /// Lines that name an effect or a step that the file does not have.
  public var unknownReferences = 0
  /// Steps whose lines tell their states.
  package var heldStates = 0
  private var lost: [ClosedRange<Int>] = []

  /// Creates a census of zeros.
  public init() {}

  mutating func count(_ line: StepLine, hasLateState: Bool) {
    if line.step.isSkipped { skippedSteps += 1 }
    guard line.patch == nil, line.state == nil, !hasLateState else { return heldStates += 1 }
    if line.isStateDropped { droppedStates += 1 } else { absentStates += 1 }
  }

  mutating func count(lost steps: ClosedRange<Int>?, lines: Int) {
    lostLines += lines
    guard let steps else { return }
    lostSteps += steps.count
    if lost.count < 10_000 { lost.append(steps) }
  }

  mutating func count(absent steps: ClosedRange<Int>) {
    let said = lost.reduce(0) { $0 + (steps.overlaps($1) ? steps.clamped(to: $1).count : 0) }
    missingSteps += max(0, steps.count - said)
  }
}

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
    let start = snapshot.headerEnd
    var run = Examination(header, snapshot, StepCursor(snapshot.index, from: start))
    var failure: (any Error)?
    try LineWalk.walk(start..<end, in: snapshot.parts) { (offset, bytes) in
      if let finding = run.examine(bytes, at: offset), !Interruption.isAsked {
        update { $0.report(finding, at: offset) }
      }
      do {
        if run.lines.isMultiple(of: 1000) { try progress(Double(offset) / Double(max(1, end))) }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if failure == nil { run.close() }
    census = run.census
    if let failure { throw failure }
    try progress(1)
  }
}

private struct Examination {
  private(set) var lines = 0
  private(set) var census = SessionCensus()
  private var cursor: StepCursor
  private var editor: ValueEditor?
  private var lastStep: Int
  /// The last step as the recording's end tells it.
  private var toldEnd = 0
  private var effects: Set<EffectID>
  /// The last step that the file has, or that it reports as lost.
  private var lastKnown: Int
  /// The steps whose states are in other lines, by offset.
  private let parts: [Int: Int]
  private let snapshot: ReaderState

  init(_ header: SessionHeader, _ snapshot: ReaderState, _ cursor: StepCursor) {
    self.cursor = cursor
    self.snapshot = snapshot
    parts = Dictionary(snapshot.partStates.map { ($0.value, $0.key) }) { $1 }
    editor = header.state.map { ValueEditor($0) }
    lastStep = header.firstStep
    effects = Set(header.effects.map(\.effect))
    lastKnown = snapshot.index.lastStep
  }

  mutating func examine(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Notice.Finding? {
    lines += 1
    guard !bytes.isEmpty else { return nil }
    // The index has said so, and there may be millions.
    let isOther = bytes.first != UInt8(ascii: "{") || bytes.last != UInt8(ascii: "}")
    if isOther, snapshot.format == nil { return nil }
    if let step = parts[offset] { startPart(bytes, after: step) }
    guard !HeaderLine.isBegunBy(bytes.prefix(64)) else { return nil }
    let number = cursor.step(at: offset)
    if let number {
      if number != lastStep + 1 {
        editor = nil
        if number > lastStep { census.count(absent: lastStep + 1...number - 1) }
      }
      lastStep = number
    }
    do throws(LineFault) {
      guard let number else {
        return examine(try snapshot.logLine(bytes, at: offset))
      }
      let line = try snapshot.stepLine(bytes, of: number, at: offset)
      if let damage = line.step.damage {
        census.count(lost: number...number, lines: 0)
        return .lostSteps(number...number, because: damage)
      }
      census.count(line, hasLateState: snapshot.lateState(of: number) != nil)
      return examine(line) ?? unknown(line.step.cause)
    } catch {
      if number != nil { editor = nil }
      return .badLine(reason: error.reason)
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

  private mutating func startPart(_ bytes: UnsafeBufferPointer<UInt8>, after step: Int) {
    guard let state = (try? Value(line: bytes))?["state"] else { return }
    editor = ValueEditor(state)
    lastStep = step
  }

  private mutating func examine(_ line: StepLine) -> Notice.Finding? {
    var finding: Notice.Finding?
    if let patch = line.patch, let editor {
      do throws(PatchError) {
        try editor.apply(try Patch(patch))
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

import Platform
import SessionWords
import ValueTree

extension SessionReader {
  package func isKeyframe(_ number: Int) -> Bool {
    let index = snapshot.index
    return index.stepRange.contains(number) && index.entry(of: number).isKeyframe
  }

  package func keyframe(from number: Int) -> Int? {
    let snapshot = snapshot
    var next = max(number, header.firstStep)
    let part = snapshot.partStates.keys.filter { $0 >= next }.min()
    while next <= snapshot.index.lastStep, next < part ?? .max {
      if snapshot.index.entry(of: next).isKeyframe { return next }
      next += 1
    }
    return part
  }

  /// The state after a step: the keyframe before it plus patches.
  public func state(after number: Int) throws(SessionError) -> Value {
    let snapshot = snapshot
    try check(number, in: snapshot)
    if number == header.firstStep, let state = header.state { return state }
    if let state = snapshot.cache.withLock({ $0.state(after: number) }) { return state }
    if let format = snapshot.format, !format.arePatches {
      let state = try stateInPlace(after: number, format, in: snapshot)
      snapshot.cache.withLock { $0.insert(state, after: number) }
      return state
    }
    guard try mayHoldState(number, in: snapshot), let start = try start(for: number, in: snapshot)
    else {
      throw SessionError(.stateNotStored(step: number), path: path)
    }
    let state = try rebuild(number, from: start, in: snapshot)
    try compare(state, after: number, in: snapshot)
    snapshot.cache.withLock { $0.insert(state, after: number) }
    return state
  }

  /// Notes a keyframe that differs from its patch's result, if that is at hand, so that stepping
  /// finds damage.
  private func compare(
    _ state: Value, after number: Int, in snapshot: ReaderState
  ) throws(SessionError) {
    let entry = snapshot.index.entry(of: number)
    guard entry.isKeyframe, number > header.firstStep,
      let before = snapshot.cache.withLock({ $0.state(after: number - 1) }),
      let patch = try patch(at: number),
      (try? Patch(patch).applied(to: before)) != state, !Interruption.isAsked
    else { return }
    update { $0.report(.patchesDisagree(step: number), at: entry.offset) }
  }

  /// If many steps have no state, the step's own line says so without a walk.
  private func mayHoldState(_ number: Int, in snapshot: ReaderState) throws(SessionError) -> Bool {
    let entry = snapshot.index.entry(of: number)
    guard number > header.firstStep, snapshot.format == nil, !entry.isKeyframe, !entry.isAbsent,
      !entry.isBegun
    else { return true }
    return try snapshot.parts.bytes(snapshot.range(ofLineAt: entry.offset))
      .withUnsafeBufferPointer { line in
        guard let members = StepMembers(line) else { return true }
        return members.patch != nil || members.state != nil
      }
  }

  /// The patches between two stored states, so that going back does not start over.
  private static var checkpointDistance: Int { 256 }

  private struct Start {
    var step: Int
    /// The state after that step; nil if its own line or a later one holds it.
    var state: Value?
    var loss: String?
  }

  private func start(for number: Int, in snapshot: ReaderState) throws(SessionError) -> Start? {
    // Found first: a file without keyframes would be walked through to its beginning.
    let known = cached(in: header.firstStep...max(header.firstStep, number), snapshot)
    var step = number
    while !snapshot.index.entry(of: step).isKeyframe {
      if let known, step <= known.step { return known }
      if let state = try partState(after: step, in: snapshot) {
        return Start(step: step, state: state)
      }
      guard !snapshot.index.entry(of: step).isAbsent else {
        let loss =
          step == header.firstStep
          ? "the header of the file is lost" : "step \(step) is missing in the file"
        guard step < number else { throw lost(number, loss) }
        return Start(step: step, loss: loss)
      }
      guard step > header.firstStep else { return nil }
      step -= 1
    }
    if let known, step <= known.step { return known }
    return Start(step: step, state: step == header.firstStep ? header.state : nil)
  }

  private func partState(
    after step: Int, in snapshot: ReaderState
  ) throws(SessionError) -> Value? {
    if snapshot.format != nil, step == header.firstStep { return header.state }
    guard let offset = snapshot.partStates[step] else { return nil }
    let bytes = try snapshot.parts.bytes(snapshot.range(ofLineAt: offset))
    return bytes.withUnsafeBufferPointer { try? Value(line: $0) }?["state"]
  }

  private func cached(in steps: ClosedRange<Int>, _ snapshot: ReaderState) -> Start? {
    snapshot.cache.withLock { $0.last(in: steps) }.map { Start(step: $0.step, state: $0.state) }
  }

  private func rebuild(
    _ number: Int, from start: Start, in snapshot: ReaderState
  ) throws(SessionError) -> Value {
    var run = StateRun(state: start.state, loss: start.loss)
    let first = start.state == nil && start.loss == nil ? start.step : start.step + 1
    guard first <= number else { return start.state ?? .null }
    var expected = first
    try eachLine(of: first...number, in: snapshot) { (step, offset, bytes) throws(SessionError) in
      guard step == expected else { return }
      do throws(LineFault) {
        try run.apply(snapshot.stepLine(bytes, of: step, at: offset))
      } catch {
        // An interruption is not a mistake.
        guard !Interruption.isAsked else { throw SessionError(.interrupted, path: path) }
        let finding =
          run.isPatchAtFault
          ? Notice.Finding.wrongPatch(step: step, reason: error.reason)
          : .badLine(reason: error.reason)
        update { $0.report(finding, at: offset) }
        run.lose("the line of step \(step) cannot be used (\(error.reason))")
      }
      if (step - first + 1).isMultiple(of: Self.checkpointDistance), run.lastHasState,
        let state = run.editor?.value
      {
        snapshot.cache.withLock { $0.insert(state, after: step) }
      }
      expected += 1
    }
    guard expected > number else {
      throw SessionError(.stepUnfinished(number), path: path)
    }
    if let loss = run.loss { throw lost(number, loss) }
    guard run.lastHasState, let editor = run.editor else {
      throw SessionError(.stateNotStored(step: number), path: path)
    }
    return editor.value
  }

  private func lost(_ step: Int, _ reason: String) -> SessionError {
    SessionError(.stateLost(step: step, because: reason), path: path)
  }
}

private struct StateRun {
  private(set) var editor: ValueEditor?
  /// The reason why the state is unknown here; a whole state resets it.
  private(set) var loss: String?
  private(set) var lastHasState = true
  private(set) var isPatchAtFault = false

  init(state: Value?, loss: String?) {
    editor = state.map { ValueEditor($0) }
    self.loss = loss
  }

  mutating func lose(_ reason: String) {
    editor = nil
    loss = reason
    isPatchAtFault = false
  }

  /// Judges the whole line, as everywhere: only a readable line's patch counts. Whether a state is
  /// marked as a keyframe does not matter, so the result does not depend on the start.
  mutating func apply(_ line: StepLine) throws(LineFault) {
    if let state = line.state {
      editor = ValueEditor(state)
      loss = nil
      lastHasState = true
      return
    }
    guard loss == nil else { return }
    guard let patch = line.patch else {
      lastHasState = false
      return
    }
    guard let editor else { throw LineFault(reason: "the state before its patch is missing") }
    lastHasState = true
    isPatchAtFault = true
    do throws(PatchError) {
      try editor.apply(try Patch(patch))
    } catch {
      throw LineFault(reason: error.description)
    }
    isPatchAtFault = false
  }
}

package struct StoredStep: Sendable {
  package var step: Step
  package var patch: Value?
  package var tellsState: Bool
  package var holdsState: Bool

  package init(
    _ step: Step, patch: Value? = nil, tellsState: Bool = true, holdsState: Bool = false
  ) {
    self.step = step
    self.patch = patch
    self.tellsState = tellsState
    self.holdsState = holdsState
  }
}

/// Reads steps in their order, many at a time, which is faster.
package struct StoredSteps {
  private let reader: SessionReader
  private var next: Int
  private var read: ArraySlice<StoredStep> = []

  package init(_ reader: SessionReader, from first: Int) { (self.reader, next) = (reader, first) }

  /// The next step, which the file must have.
  package mutating func step() throws(SessionError) -> StoredStep {
    if read.isEmpty {
      read = try reader.storedSteps(next...max(next, min(next + 255, reader.steps.upperBound)))[...]
    }
    next += 1
    return read.removeFirst()
  }
}

extension SessionReader {
  /// Consecutive steps with their patches, reading each line once.
  package func storedSteps(
    _ numbers: ClosedRange<Int>
  ) throws(SessionError) -> [StoredStep] {
    let snapshot = snapshot
    try check(numbers.lowerBound, in: snapshot)
    try check(numbers.upperBound, in: snapshot)
    var lines = [StoredStep?](repeating: nil, count: numbers.count)
    try readableLines(of: numbers, in: snapshot) { line in
      let number = line.step.number
      // A whole state is not stored here.
      let holdsState = line.state != nil || snapshot.holdsStateElsewhere(number)
      lines[number - numbers.lowerBound] = StoredStep(
        told(line.step), patch: line.patch, tellsState: line.patch != nil || holdsState,
        holdsState: holdsState)
    }
    return try numbers.map { number throws(SessionError) in
      if let line = lines[number - numbers.lowerBound] { return line }
      let isFirst = number == header.firstStep
      let holdsState =
        !isFirst && (snapshot.index.entry(of: number).isGap || snapshot.holdsStateElsewhere(number))
      return StoredStep(
        try step(number), tellsState: holdsState || isFirst && header.state != nil,
        holdsState: holdsState)
    }
  }

  /// The steps of the lines that can be read.
  func readableLines(
    of numbers: ClosedRange<Int>, in snapshot: ReaderState, _ take: (StepLine) -> Void
  ) throws(SessionError) {
    try eachLine(of: numbers, in: snapshot) { (number, offset, bytes) in
      if let line = readableLine(of: number, bytes, at: offset, in: snapshot) { take(line) }
    }
  }

  func readableLine(
    of number: Int, _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, in snapshot: ReaderState
  ) -> StepLine? {
    do throws(LineFault) {
      guard case .step(let line) = try snapshot.logLine(bytes, at: offset) else { return nil }
      return line.step.number == number ? line : nil
    } catch {
      update { $0.report(.badLine(reason: error.reason), at: offset) }
      return nil
    }
  }

  /// Visits the lines of consecutive steps behind the first one.
  func eachLine(
    of numbers: ClosedRange<Int>, in snapshot: ReaderState,
    _ visit: (Int, Int, UnsafeBufferPointer<UInt8>) throws(SessionError) -> Void
  ) throws(SessionError) {
    let start = max(numbers.lowerBound, header.firstStep + 1)
    guard start <= numbers.upperBound else { return }
    let range = snapshot.range(ofLines: start...numbers.upperBound)
    var cursor = StepCursor(snapshot.index, from: range.lowerBound)
    try noticingShortened { () throws(SessionError) in
      try LineWalk.walk(range, in: snapshot.parts) { (offset, bytes) throws(SessionError) in
        if let number = cursor.step(at: offset), numbers.contains(number) {
          try visit(number, offset, bytes)
        }
        return true
      }
    }
  }
}

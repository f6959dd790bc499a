import SessionWords
import ValueTree

/// Visits a session's steps in order, and parses only what is asked for.
///
/// ```swift
/// var walk = session.walk([["total"]], from: 0)
/// try walk.advance(through: 99) { glance in
///   if glance.hasChanged { print(glance.number, glance.state?["total"] as Any) }
///   return true
/// }
/// ```
package struct StepWalk {
  private let reader: SessionReader
  private let snapshot: ReaderState
  private let lines: LineMemory
  /// Whether a state may be elsewhere than in its step's line.
  private let hasOtherStates: Bool
  private var run: PlaceRun?
  /// The places before the step; nil if the question has no `previous`.
  private var before: PlaceRun?
  private var isBeforeNew = true
  private let twins = LineTwins()
  package private(set) var next: Int

  init(_ reader: SessionReader, _ places: [Pointer]?, from step: Int) {
    self.reader = reader
    let snapshot = reader.snapshot
    lines = LineMemory(snapshot)
    self.snapshot = snapshot
    hasOtherStates =
      !snapshot.partStates.isEmpty || snapshot.format != nil && !snapshot.index.others.isEmpty
    next = step
    guard let places else { return }
    let isFirst = step == reader.header.firstStep
    guard !isFirst, let keyframe = snapshot.index.keyframe(before: step) else {
      run = PlaceRun(places, state: isFirst ? nil : try? reader.state(after: step - 1))
      return
    }
    // Reads only the followed places of the steps that lead here.
    next = keyframe
    run = PlaceRun(places, state: nil)
    do { try advance(through: step - 1) { _ in true } } catch { run?.set(nil) }
    next = step
  }

  package var state: Value? { run?.state }

  /// Forgets the state, so that the next whole one is a change.
  package mutating func loseState() {
    run?.set(nil)
    isBeforeNew = true
  }

  /// Keeps the state before each step from now on.
  package mutating func copyPrevious() {
    before = run?.emptyCopy
    isBeforeNew = true
  }

  private mutating func copyBefore() {
    guard isBeforeNew, let before, let run else { return }
    before.copy(run)
  }

  package mutating func advance(
    through last: Int, visit: (StepPreview) -> Bool
  ) throws(SessionError) {
    guard next <= last else { return }
    try reader.check(last, in: snapshot)
    if next == reader.header.firstStep, !visitUnread(visit) { return }
    guard next <= last else { return }
    if let format = snapshot.format {
      try visitLines(through: last, of: format, visit)
    } else {
      let place = run?.onlyPath
      try visitLines(through: last, visit) { StepMembers($0, place: place) }
    }
  }

  /// Generic, because a box would be copied for each line.
  private mutating func visitLines(
    through last: Int, of format: some LineFormat, _ visit: (StepPreview) -> Bool
  ) throws(SessionError) {
    let place = run?.onlyPath
    try visitLines(through: last, visit) { format.members(of: $0, place: place) }
  }

  @inline(__always)
  private mutating func visitLines(
    through last: Int, _ visit: (StepPreview) -> Bool,
    members: (UnsafeBufferPointer<UInt8>) -> StepMembers?
  ) throws(SessionError) {
    let range =
      snapshot.index.entry(of: next)
      .offset..<max(
        snapshot.index.entry(of: next).offset, snapshot.endOfLines(of: last))
    var cursor = StepCursor(snapshot.index, from: range.lowerBound)
    var goesOn = true
    let isWrapped = snapshot.format?.hasPartsInStrings == true
    try LineWalk.walk(
      range, in: snapshot.parts, length: { isWrapped ? nil : twins.length(in: $0) }
    ) {
      (offset, bytes) throws(SessionError) in
      guard let number = cursor.step(at: offset), number >= next, number <= last else {
        return true
      }
      while goesOn, next < number { goesOn = visitUnread(visit) }
      guard goesOn else { return false }
      let line = isWrapped ? twins.unwrapped(bytes) : bytes
      var parts = line.flatMap { twins.members(of: $0) }
      if parts == nil, let line, line.isUTF8, let new = members(line) {
        twins.learn(new)
        parts = new
      }
      goesOn = visitLine(parts, cursor.isKeyframe, visit, members)
      return goesOn && next <= last
    }
    while goesOn, next <= last { goesOn = visitUnread(visit) }
  }

  private mutating func visitLine(
    _ members: StepMembers?, _ isKeyframe: Bool, _ visit: (StepPreview) -> Bool,
    _ membersOfLine: (UnsafeBufferPointer<UInt8>) -> StepMembers?
  ) -> Bool {
    guard let members else { return visitUnread(visit) }
    copyBefore()
    var hasChanged = false
    let isElsewhere = hasOtherStates && run != nil && snapshot.holdsStateElsewhere(next)
    switch isElsewhere
      ? advanceElsewhere(membersOfLine) : run?.advance(members, isKeyframe: isKeyframe)
    {
    case nil, .unchanged: break
    case .changed: hasChanged = true
    case .needsWholeState:
      setWholeState()
      hasChanged = true
    }
    isBeforeNew = hasChanged
    let goesOn = visit(
      StepPreview(
        number: next, hasChanged: hasChanged, run: run.map(Unmanaged.passUnretained),
        lines: lines, members: members, isStateElsewhere: isElsewhere, reader: reader,
        before: before.map(Unmanaged.passUnretained)))
    if before != nil { lines.keep(next, isElsewhere ? nil : members) }
    next += 1
    return goesOn
  }

  /// Follows a state that has a line of its own.
  private func advanceElsewhere(
    _ members: (UnsafeBufferPointer<UInt8>) -> StepMembers?
  ) -> PlaceRun.Change {
    guard snapshot.partStates[next] == nil, let offset = snapshot.lateState(of: next),
      let bytes = try? snapshot.parts.bytes(snapshot.range(ofLineAt: offset))
    else { return .needsWholeState }
    return bytes.withUnsafeBufferPointer { line in
      guard line.isUTF8, let line = members(line), line.state != nil, let run else {
        return .needsWholeState
      }
      return run.advance(line, isKeyframe: true)
    }
  }

  private mutating func setWholeState() {
    guard let run else { return }
    do throws(SessionError) { run.set(try reader.state(after: next)) } catch {
      run.set(nil)
      // Later patches apply to the state before.
      if case .stateNotStored = error.problem { run.isLost = false }
    }
  }

  /// A step that only the reader knows: the first, an unfinished one, one whose line needs the
  /// parser or is missing. Its state may be in a part's header.
  private mutating func visitUnread(_ visit: (StepPreview) -> Bool) -> Bool {
    copyBefore()
    setWholeState()
    isBeforeNew = true
    defer { next += 1 }
    return visit(
      StepPreview(
        number: next, hasChanged: true, run: run.map(Unmanaged.passUnretained), lines: lines,
        members: nil, reader: reader, before: before.map(Unmanaged.passUnretained)))
  }
}

extension SessionReader {
  /// How many steps behind the first have a state in the file; it counts no further than to a number.
  package func count(ofStatesUpTo most: Int) throws(SessionError) -> Int {
    let snapshot = snapshot
    let first = header.firstStep
    var count = (0..<snapshot.index.others.count).count {
      let entry = OtherEntry(bits: snapshot.index.others[$0])
      return entry.kind == .step && snapshot.index.lastStep(at: entry.offset) > first
    }
    var walk = walk(nil, from: first + 1)
    try walk.advance(through: snapshot.index.lastStep) { step in
      if step.members?.state != nil || step.members?.patch != nil { count += 1 }
      return count < most
    }
    return count
  }

  /// Walks from a step on, following parts of the state; nil follows nothing.
  package func walk(_ places: [Pointer]?, from step: Int) -> StepWalk {
    StepWalk(self, places, from: step)
  }
}

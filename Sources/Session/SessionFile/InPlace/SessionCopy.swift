import Platform
import SessionWords
import ValueTree

extension SessionReader {
  /// Writes a session file with the same steps, on all processors. It says what cannot be read.
  package func copy(
    to path: String, progress: (Double) throws -> Void = { _ in }
  ) throws {
    let writer = try SessionWriter(path: path, header: header)
    let first = header.firstStep...header.firstStep
    for event in try effectEvents(in: first) { try writer.append(event) }
    for note in try signposts(in: first) { try writer.append(note) }
    let snapshot = snapshot
    var lost = snapshot.index.lostLines[...]
    if snapshot.tailNotice != nil { lost.append(LineIndex.LostLine(offset: snapshot.parts.end)) }
    func writeLost(before end: Int) throws(SessionError) {
      var count = 0
      while let line = lost.first, line.offset < end { count += lost.removeFirst().count }
      if count > 0 { try writer.append(.unreadable(lines: count)) }
    }
    try writeLost(before: snapshot.endOfLines(of: header.firstStep))
    try readParts(of: header.firstStep + 1..<snapshot.index.lastStep + 1) {
      try self.copies(of: $0)
    } take: {
      for copied in $0 {
        try writer.append(
          copied.step, state: copied.state, patch: copied.patch, written: copied.line)
        for event in copied.events { try writer.append(event) }
        for note in copied.notes { try writer.append(note) }
        if !lost.isEmpty { try writeLost(before: snapshot.endOfLines(of: copied.step.number)) }
      }
      try progress(
        Double($0.last?.step.number ?? 0) / Double(max(1, snapshot.index.lastStep)))
    }
    try writeLost(before: .max)
    try writer.finish()
  }

  private struct CopiedStep: Sendable {
    var step: Step
    var state: Value?
    var patch: Value?
    /// Its line, if the state before is the one of the step before.
    var line: [UInt8]
    var events: [EffectEvent]
    var notes: [Signpost]
  }

  /// Reads parts of steps on all processors, and takes them in their order.
  package func readParts<Part: Sendable>(
    of numbers: Range<Int>, read: @escaping @Sendable (ClosedRange<Int>) throws -> Part,
    take: (Part) throws -> Void
  ) throws {
    let snapshot = snapshot
    var next = numbers.lowerBound
    while next < numbers.upperBound {
      let last = min(snapshot.lastOfPart(from: next), numbers.upperBound - 1)
      for part in try Self.onProcessors(next...last, read) { try take(part) }
      next = last + 1
    }
  }

  private static func onProcessors<Part: Sendable>(
    _ numbers: ClosedRange<Int>, _ work: @escaping @Sendable (ClosedRange<Int>) throws -> Part
  ) throws -> [Part] {
    let size = (numbers.count + processorCount - 1) / processorCount
    let parts = stride(from: numbers.lowerBound, through: numbers.upperBound, by: size).map {
      $0...min($0 + size - 1, numbers.upperBound)
    }
    let others = parts.dropFirst().map { part in ThreadWork { Result { try work(part) } } }
    let first = Result { try work(parts[0]) }
    return try ([first] + others.map { $0.result() }).map { try $0.get() }
  }

  private func copies(of numbers: ClosedRange<Int>) throws -> [CopiedStep] {
    let snapshot = snapshot
    let lines = try wholeLines(of: numbers, in: snapshot)
    var before = try storedState(after: numbers.lowerBound - 1)
    let hasOthers = !snapshot.index.others.isEmpty
    return try numbers.map { number in
      let known = lines[number - numbers.lowerBound]
      let step = try known.map { told($0.step) } ?? step(number)
      let state = try known.map(\.state) ?? storedState(after: number)
      defer { before = state }
      let patch = before.flatMap { before in state.map { Patch(from: before, to: $0).value } }
      return CopiedStep(
        step: step, state: state, patch: patch,
        line: LogLine.step(StepLine(step, patch: patch)).bytes,
        events: hasOthers ? try effectEvents(in: number...number) : [],
        notes: hasOthers ? try signposts(in: number...number) : [])
    }
  }

  /// The steps whose own lines hold all that is known of them. Each line is parsed once.
  private func wholeLines(
    of numbers: ClosedRange<Int>, in snapshot: ReaderState
  ) throws(SessionError) -> [StepLine?] {
    var lines = [StepLine?](repeating: nil, count: numbers.count)
    guard snapshot.format?.arePatches == false else { return lines }
    try readableLines(of: numbers, in: snapshot) { line in
      if !snapshot.holdsStateElsewhere(line.step.number) {
        lines[line.step.number - numbers.lowerBound] = line
      }
    }
    return lines
  }
}

extension ReaderState {
  /// The last of some steps whose values fit into little memory.
  fileprivate func lastOfPart(from first: Int) -> Int {
    let start = index.entry(of: first).offset
    var last = first
    while last < index.lastStep, last - first < 4_096,
      index.entry(of: last + 1).offset - start < 4 << 20
    {
      last += 1
    }
    return last
  }
}

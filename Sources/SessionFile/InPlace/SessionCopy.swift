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
    let last = snapshot.index.lastStep
    var lost = snapshot.index.lostLines[...]
    if snapshot.tailNotice != nil { lost.append(LineIndex.LostLine(offset: snapshot.parts.end)) }
    func tellLost(before end: Int) throws(SessionError) {
      var count = 0
      while let line = lost.first, line.offset < end { count += lost.removeFirst().count }
      if count > 0 { try writer.append(.unreadable(lines: count)) }
    }
    try tellLost(before: snapshot.endOfLines(of: header.firstStep))
    var next = header.firstStep + 1
    while next <= last {
      let part = next...snapshot.lastCopied(from: next)
      for copied in try copiedSteps(part) {
        try writer.append(copied.step, state: copied.state, patch: copied.patch)
        for event in copied.events { try writer.append(event) }
        for note in copied.notes { try writer.append(note) }
        try tellLost(before: snapshot.endOfLines(of: copied.step.number))
      }
      next = part.upperBound + 1
      try progress(Double(part.upperBound) / Double(last))
    }
    try tellLost(before: .max)
    try writer.finish()
  }

  private struct CopiedStep: Sendable {
    var step: Step
    var state: Value?
    var patch: Value?
    var events: [EffectEvent]
    var notes: [Signpost]
  }

  private func copiedSteps(_ numbers: ClosedRange<Int>) throws -> [CopiedStep] {
    let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let size = (numbers.count + processors - 1) / processors
    let parts = stride(from: numbers.lowerBound, through: numbers.upperBound, by: size).map {
      $0...min($0 + size - 1, numbers.upperBound)
    }
    let results = Locked([Result<[CopiedStep], any Error>?](repeating: nil, count: parts.count))
    @Sendable func read(_ index: Int) {
      let result = Result { try self.copies(of: parts[index]) }
      results.withLock { $0[index] = result }
    }
    let threads = parts.indices.dropFirst().map { index in
      try? SystemThread.start { read(index) }
    }
    read(0)
    for (thread, index) in zip(threads, parts.indices.dropFirst()) {
      // Without a thread left, this one does its work.
      if let thread { thread.join() } else { read(index) }
    }
    return try results.withLock { $0 }.flatMap { try $0?.get() ?? [] }
  }

  private func copies(of numbers: ClosedRange<Int>) throws -> [CopiedStep] {
    var before = try storedState(after: numbers.lowerBound - 1)
    return try numbers.map { number in
      let (step, state) = (try step(number), try storedState(after: number))
      defer { before = state }
      let patch = before.flatMap { before in state.map { Patch(from: before, to: $0).value } }
      return CopiedStep(
        step: step, state: state, patch: patch, events: try effectEvents(in: number...number),
        notes: try signposts(in: number...number))
    }
  }
}

extension ReaderState {
  /// The last of some steps whose values fit into little memory.
  fileprivate func lastCopied(from first: Int) -> Int {
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

import Platform
import SessionWords
import ValueTree

extension SessionReader {
  /// The steps in a range whose lines contain a text; parses nothing.
  ///
  /// The text may be anywhere in a line, including patches and whole states: to match the action
  /// alone, check the steps found.
  package func steps(
    holding text: TextNeedle, in steps: ClosedRange<Int>, limit: Int = .max
  ) throws(SessionError) -> [Int] {
    let snapshot = snapshot
    if snapshot.format != nil, text.isOfMadeLabel {
      return Array(steps.clamped(to: snapshot.index.stepRange).prefix(limit))
    }
    let range = snapshot.range(of: steps.clamped(to: snapshot.index.stepRange))
    var found: [Int] = []
    let sample = try snapshot.parts.bytes(0..<min(1 << 14, snapshot.parts.parts[0].size))
    let searches = text.searches(sample: sample)
    let states = Dictionary(snapshot.partStates.map { ($0.value, $0.key) }) { $1 }
    var start = range.lowerBound
    while start < range.upperBound, found.count < limit {
      guard !Interruption.isAsked else { throw SessionError(.interrupted, path: path) }
      let part = snapshot.parts.part(holding: start)
      let partEnd = min(range.upperBound, part.base + part.size)
      let end = min(start + 1 << 20, partEnd)
      let bytes = try snapshot.parts.bytes(start..<end)
      // A hit may cross chunks, but not parts.
      var next = end == partEnd ? end : max(end - text.longest + 1, start + 1)
      bytes.withUnsafeBytes { bytes in
        var hits = searches.map { $0.firstIndex(in: bytes, from: 0) }
        while let hit = hits.lazy.compactMap(\.self).min(), found.count < limit {
          let line = snapshot.index.lineStart(before: start + hit)
          let step = snapshot.index.step(at: line) ?? states[line]
          if let step, step != found.last { found.append(step) }
          let nextLine = snapshot.index.nextLine(after: line) ?? partEnd
          next = max(next, min(nextLine, partEnd))
          guard nextLine < end else { break }
          for (index, search) in searches.enumerated() {
            guard let old = hits[index], old < nextLine - start else { continue }
            hits[index] = search.firstIndex(in: bytes, from: nextLine - start)
          }
        }
      }
      start = next
    }
    return found
  }
}

extension LineIndex {
  fileprivate func lineStart(before offset: Int) -> Int {
    let next = UInt64(offset + 1) << 3
    let other = others.firstIndex(notBelow: next) - 1
    let step = steps.firstIndex(notBelow: next) - 1
    return max(
      other >= 0 ? OtherEntry(bits: others[other]).offset : 0,
      step >= 0 ? StepEntry(bits: steps[step]).offset : 0)
  }

  /// The step of the line at an offset; the header's is the session's first. A state may have a line
  /// of its own behind its step's.
  fileprivate func step(at offset: Int) -> Int? {
    var position = steps.firstIndex(notBelow: UInt64(offset) << 3)
    while position < steps.count, StepEntry(bits: steps[position]).offset == offset {
      let entry = StepEntry(bits: steps[position])
      if !entry.isAbsent { return firstStep + position }
      position += 1
    }
    let other = others.firstIndex(notBelow: UInt64(offset) << 3)
    guard other < others.count, case let line = OtherEntry(bits: others[other]),
      line.offset == offset, line.kind == .step
    else { return nil }
    return lastStep(at: offset)
  }
}

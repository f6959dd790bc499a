import ValueTree

extension SessionReader {
  /// The steps in a range whose lines hold a text, as it is written in JSON; nothing is parsed.
  ///
  /// The text may stand anywhere in a line, in the whole state of a keyframe too: who asks about the
  /// action alone looks at the steps that are found.
  package func steps(
    containing text: String, in steps: ClosedRange<Int>, limit: Int = .max
  ) throws(SessionError) -> [Int] {
    let snapshot = snapshot
    let needle = Array(Value.string(text).bytes().dropFirst().dropLast())
    let range = snapshot.range(of: steps.clamped(to: snapshot.index.stepRange))
    var found: [Int] = []
    guard !needle.isEmpty else { return found }
    let sample = try snapshot.parts.bytes(0..<min(1 << 14, snapshot.parts.parts[0].size))
    let search = ByteSearch(for: needle, sample: sample)
    var start = range.lowerBound
    while start < range.upperBound, found.count < limit {
      let part = snapshot.parts.part(holding: start)
      let partEnd = min(range.upperBound, part.base + part.size)
      let end = min(start + 1 << 20, partEnd)
      let bytes = try snapshot.parts.bytes(start..<end)
      // A hit may lie across the end of a chunk, but not across the end of a part.
      var next = end == partEnd ? end : max(end - needle.count + 1, start + 1)
      if let hit = search.firstIndex(in: bytes) {
        let line = snapshot.index.lineStart(before: start + hit)
        if let step = snapshot.index.step(at: line) { found.append(step) }
        next = snapshot.index.nextLine(after: line) ?? partEnd
      }
      start = next
    }
    return found
  }

  /// Follows parts of the state through a range of steps: calls `visit` for the first step and for
  /// each step that may have changed one of the places, until it returns false.
  ///
  /// The state that it gets is right at these places and at no other: patches that do not touch them
  /// are not even parsed. It is nil where the state is not known.
  package func follow(
    _ places: [Pointer], in steps: ClosedRange<Int>,
    visit: (_ step: Int, _ state: Value?) -> Bool
  ) throws(SessionError) {
    let snapshot = snapshot
    try check(steps.lowerBound, in: snapshot)
    try check(steps.upperBound, in: snapshot)
    var run = PlaceRun(places, state: try? state(after: steps.lowerBound))
    guard visit(steps.lowerBound, run.state), steps.count > 1 else { return }
    let range =
      snapshot.endOfLines(of: steps.lowerBound)..<snapshot.endOfLines(of: steps.upperBound)
    var expected = steps.lowerBound + 1
    var cursor = StepCursor(snapshot.index, from: range.lowerBound)
    try LineWalk.walk(range, in: snapshot.parts) { (offset, bytes) in
      guard let number = cursor.step(at: offset) else { return true }
      if number > expected {
        run.state = nil
        guard visit(expected, nil) else { return false }
      }
      expected = number + 1
      guard run.take(bytes) else { return true }
      if run.needsWholeState { run.state = try? state(after: number) }
      return visit(number, run.state)
    }
  }
}

/// Parts of a state on their way through the lines of one step after another.
private struct PlaceRun {
  /// Without what lies inside an array: inserting moves all its elements.
  private let places: [Pointer]
  private let scan: PatchScan
  private var editor: ValueEditor?
  /// The last patch took something from a place that is not followed.
  private(set) var needsWholeState = false

  init(_ places: [Pointer], state: Value?) {
    self.places = places.map { place in
      Pointer(tokens: place.tokens.prefix { Int($0) == nil && $0 != "-" })
    }
    scan = PatchScan(self.places)
    editor = state.map(ValueEditor.init)
  }

  var state: Value? {
    get { editor?.value }
    set {
      editor = newValue.map(ValueEditor.init)
      needsWholeState = false
    }
  }

  /// Says whether the places may have changed.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    do throws(LineFault) {
      let line = try LineMembers(bytes)
      if editor == nil || line.patch == nil {
        guard let state = try line.value(of: line.state) else { return false }
        self.state = state
        return true
      }
      guard let patch = line.patch, scan.mayTouch(line.scanner, from: patch.lowerBound),
        let value = try line.value(of: patch)
      else { return false }
      do throws(PatchError) {
        try apply(try Patch(value))
      } catch {
        needsWholeState = true
      }
      return true
    } catch {
      state = nil
      return true
    }
  }

  private mutating func apply(_ patch: Patch) throws(PatchError) {
    for operation in patch.operations {
      let part = Patch([operation])
      guard places.contains(where: { part.touches($0) }) else { continue }
      switch operation {
      case .move(let from, _) where !isFollowed(from), .copy(let from, _) where !isFollowed(from):
        needsWholeState = true
      default: try editor?.apply(part)
      }
    }
  }

  private func isFollowed(_ place: Pointer) -> Bool {
    places.contains { place.tokens.starts(with: $0.tokens) }
  }
}

extension LineIndex {
  /// Where the line begins that holds the byte at an offset.
  fileprivate func lineStart(before offset: Int) -> Int {
    let next = UInt64(offset + 1) << 3
    let other = others.firstIndex(notBelow: next) - 1
    let step = steps.firstIndex(notBelow: next) - 1
    return max(
      other >= 0 ? OtherEntry(bits: others[other]).offset : 0,
      step >= 0 ? StepEntry(bits: steps[step]).offset : 0)
  }

  /// The step whose line begins at an offset; the header's is the one that the session starts with.
  fileprivate func step(at offset: Int) -> Int? {
    var position = steps.firstIndex(notBelow: UInt64(offset) << 3)
    while position < steps.count, StepEntry(bits: steps[position]).offset == offset {
      let entry = StepEntry(bits: steps[position])
      if !entry.isAbsent { return firstStep + position }
      position += 1
    }
    return nil
  }
}

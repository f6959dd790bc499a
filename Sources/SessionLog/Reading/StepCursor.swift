/// Says for one line after the other which step it tells: what a line says of itself may be one that
/// the index turned away.
struct StepCursor {
  private let index: LineIndex
  private var position: Int

  /// For lines from an offset on.
  init(_ index: LineIndex, from offset: Int) {
    self.index = index
    position = index.steps.firstIndex(notBelow: UInt64(offset) << 3)
  }

  /// The step whose line begins at an offset that is not before the last one asked for.
  mutating func step(at offset: Int) -> Int? {
    while position < index.steps.count {
      let entry = StepEntry(bits: index.steps[position])
      if entry.offset > offset { return nil }
      if entry.offset == offset, !entry.isAbsent {
        return entry.isBegun ? nil : index.firstStep + position
      }
      position += 1
    }
    return nil
  }
}

import TextCanvas

/// Remembers what a mouse event alone does not say: whether the button is held, and whether a press
/// is the second of a double click.
struct MouseDecoder {
  static let doubleClickMilliseconds = 400

  private var isHeld = false
  private var lastPress: (column: Int, row: Int, milliseconds: Int)?

  mutating func event(for raw: RawMouse, at milliseconds: Int) -> Mouse? {
    switch raw.kind {
    case .press:
      isHeld = true
      if let last = lastPress, last.column == raw.column, last.row == raw.row,
        milliseconds - last.milliseconds <= Self.doubleClickMilliseconds
      {
        lastPress = nil
        return Mouse(.doubleClick, column: raw.column, row: raw.row)
      }
      lastPress = (raw.column, raw.row, milliseconds)
      return Mouse(.press, column: raw.column, row: raw.row)
    case .release:
      guard isHeld else { return nil }
      isHeld = false
      return Mouse(.release, column: raw.column, row: raw.row)
    case .move:
      return isHeld ? Mouse(.drag, column: raw.column, row: raw.row) : nil
    case .wheelUp: return Mouse(.wheelUp, column: raw.column, row: raw.row)
    case .wheelDown: return Mouse(.wheelDown, column: raw.column, row: raw.row)
    case .other: return nil
    }
  }
}

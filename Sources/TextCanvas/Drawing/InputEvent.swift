/// Something the person at the terminal did.
public enum InputEvent: Sendable, Hashable {
  case key(Key)
  case mouse(Mouse)
  /// Text that was pasted as a whole.
  case paste(String)
  case resize(Size)
}

/// A key with its modifiers already folded in.
public enum Key: Sendable, Hashable {
  case character(Character)
  case control(Character)
  case alt(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case shiftLeft, shiftRight, shiftUp, shiftDown
  case function(Int)
}

/// A mouse event at a cell; the origin is the upper left corner.
public struct Mouse: Sendable, Hashable {
  public enum Action: Sendable, Hashable {
    case press, release, drag, doubleClick, wheelUp, wheelDown
  }
  public var action: Action
  public var column: Int
  public var row: Int

  public init(_ action: Action, column: Int, row: Int) {
    self.action = action
    self.column = column
    self.row = row
  }
}

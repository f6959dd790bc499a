package enum InputEvent: Sendable, Hashable {
  case key(Key)
  case mouse(Mouse)
  case paste(String)
  case resize(Size)
}

package enum Key: Sendable, Hashable {
  case character(Character)
  case control(Character)
  case alt(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case shiftLeft, shiftRight, shiftUp, shiftDown
  case function(Int)
}

/// A mouse event, from the upper left corner.
package struct Mouse: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable {
    case press, release, drag, doubleClick, wheelUp, wheelDown
    case rightPress
  }
  package var action: Action
  package var column: Int
  package var row: Int

  package init(_ action: Action, column: Int, row: Int) {
    (self.action, self.column, self.row) = (action, column, row)
  }
}

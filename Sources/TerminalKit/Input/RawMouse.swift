/// A mouse event as ncurses has it.
struct RawMouse: Hashable {
  enum Kind: Hashable {
    case press, release, move, wheelUp, wheelDown, other
  }

  var kind: Kind
  var column: Int
  var row: Int
}

/// What ncurses read: a character, or the code of a key it knows.
enum RawKey: Hashable {
  case character(UInt32)
  case code(Int32)
  /// A mouse event, already fetched.
  case mouse(RawMouse)
}

/// A mouse event as ncurses has it.
struct RawMouse: Hashable {
  enum Kind: Hashable {
    case press, release, move, wheelUp, wheelDown, other
  }

  var kind: Kind
  var column: Int
  var row: Int
}

/// Key codes of our own, above those of ncurses.
enum OwnKey {
  static let pasteBegins: Int32 = 0o7001
  static let pasteEnds: Int32 = 0o7002
  /// The terminal has answered that it knows synchronized output.
  static let synchronizes: Int32 = 0o7003
  /// The terminal has answered that it does not.
  static let doesNotSynchronize: Int32 = 0o7004
}

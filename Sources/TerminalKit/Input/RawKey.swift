/// What ncurses read: a character, or the code of a key it knows.
enum RawKey: Hashable {
  case character(UInt32)
  case code(Int32)
  /// A mouse event, already fetched.
  case mouse(RawMouse)
}

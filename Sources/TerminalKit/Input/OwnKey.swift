/// Key codes of our own, above those of ncurses.
enum OwnKey {
  static let pasteBegins: Int32 = 0o7001
  static let pasteEnds: Int32 = 0o7002
  /// The terminal has answered that it knows synchronized output.
  static let synchronizes: Int32 = 0o7003
  /// The terminal has answered that it does not.
  static let doesNotSynchronize: Int32 = 0o7004
}

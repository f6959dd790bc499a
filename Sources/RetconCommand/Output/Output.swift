import Platform

/// Where words go: data to standard output, talk to standard error.
struct Output: Sendable {
  var data: @Sendable (String) -> Void
  var talk: @Sendable (String) -> Void
  var dataIsTerminal: Bool
  var talkIsTerminal: Bool

  static func standard() -> Output {
    Output(
      data: { put($0, on: 1) }, talk: { put($0, on: 2) },
      dataIsTerminal: isatty(1) == 1, talkIsTerminal: isatty(2) == 1)
  }

  func line(_ text: String) { data(text + "\n") }

  /// A reader that went away (`retcon steps … | head`) is no trouble.
  private static func put(_ text: String, on file: Int32) { try? FileSystem.write(text, to: file) }
}

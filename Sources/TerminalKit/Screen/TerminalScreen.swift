import TextCanvas

/// A place where canvases are shown and from which input comes: a terminal, or memory in tests.
package protocol TerminalScreen: Sendable {
  /// The size the next canvas should have.
  var size: Size { get }

  /// What the person at the terminal does, in order. One reader only.
  var events: AsyncStream<InputEvent> { get }

  /// Shows a canvas. Returns at once; of several that are waiting, only the last is drawn.
  func present(_ canvas: Canvas)

  /// Gives the mouse to the program, or back to the terminal, which selects text with it.
  func useMouse(_ isUsed: Bool)

  /// Puts text on the clipboard of the terminal, as text that is safe to paste.
  func copy(_ text: String)

  /// Stops the process as Ctrl-Z does, and draws everything anew when it goes on.
  func suspend() async

  /// Leaves the terminal to somebody else, for instance an editor, while `body` runs.
  func leave<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result

  /// Gives the terminal back as it was found. `events` ends.
  func end()
}

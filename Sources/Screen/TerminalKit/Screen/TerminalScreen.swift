import TextCanvas

/// A display for canvases and a source of input: a terminal, or memory in tests.
package protocol TerminalScreen: Sendable {
  var size: Size { get }

  /// The user's input, in order. For one reader.
  var events: AsyncStream<InputEvent> { get }

  /// Shows a canvas. Returns at once; skips waiting ones for the last.
  func present(_ canvas: Canvas)

  /// Draws every cell again, over what another program wrote.
  func redraw()

  /// Gives the mouse to the program, or to the terminal for selecting text.
  func useMouse(_ isUsed: Bool)

  /// Copies text, made safe to paste, to the terminal's clipboard.
  func copy(_ text: String)

  /// Stops the process as Ctrl-Z does, and redraws when it continues.
  func suspend() async

  /// Lends the terminal to another program, such as an editor, during `body`.
  func lend<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result

  func end()
}

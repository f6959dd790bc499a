import TextCanvas

/// A line on standard error that says how far the work is; nothing where that is no terminal.
struct ProgressLine: Sendable {
  var output: Output
  var name: String

  func show(done: Int, of total: Int) {
    guard output.talkIsTerminal, total > 0 else { return }
    output.talk("\r\(SafeText.line(name)) … \(done * 100 / total) %")
  }

  func clear() {
    if output.talkIsTerminal { output.talk("\r\u{1B}[K") }
  }
}

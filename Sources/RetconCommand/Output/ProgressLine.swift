import Platform
import TextCanvas

/// A line on standard error that says how far the work is; nothing where that is no terminal.
struct ProgressLine: Sendable {
  var output: Output
  var name: String
  private let shown = Locked(-1)

  init(output: Output, name: String) {
    self.output = output
    self.name = name
  }

  /// Writes only when there is something new to see, however often it is told.
  func show(done: Int, of total: Int) {
    guard output.talkIsTerminal, total > 0 else { return }
    let percent = Int(Double(min(max(done, 0), total)) / Double(total) * 100)
    let isNew = shown.withLock { shown in
      defer { shown = percent }
      return shown != percent
    }
    if isNew { output.talk("\r\(SafeText.line(name)) … \(percent) %") }
  }

  /// The same for work whose end nobody knows.
  func show(_ words: String) {
    guard output.talkIsTerminal else { return }
    output.talk("\r\(SafeText.line(name)) … \(SafeText.line(words))\u{1B}[K")
  }

  func clear() {
    if output.talkIsTerminal { output.talk("\r\u{1B}[K") }
  }
}

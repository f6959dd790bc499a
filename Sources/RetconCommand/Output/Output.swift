#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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

  private static func put(_ text: String, on file: Int32) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      var done = 0
      while done < bytes.count {
        let count = write(file, start + done, bytes.count - done)
        if count < 0 && errno == EINTR { continue }
        // A reader that went away (`retcon steps … | head`) is no trouble.
        guard count > 0 else { return }
        done += count
      }
    }
  }
}

import Platform
import TextCanvas
import ValueTree

/// Where words go: data to standard output, talk to standard error.
struct Output: Sendable {
  var data: @Sendable (String) -> Void
  var talk: @Sendable (String) -> Void
  var dataIsTerminal: Bool
  var talkIsTerminal: Bool
  /// Writes bytes that need not be text; false, with the error number of the system, when it cannot.
  var bytes: @Sendable ([UInt8]) -> Bool = {
    $0.withUnsafeBytes { WholeTransfer.write($0, to: STDOUT_FILENO) }
  }
  /// Why some of the data is lost; nil when all of it was taken.
  var dataFailure: @Sendable () -> String? = { nil }

  static func standard() -> Output {
    let failure = Locked<Int32?>(nil)
    return Output(
      data: { text in
        failure.withLock { failure in
          // What comes behind a hole is no answer.
          if failure == nil { failure = put(text, on: 1) }
        }
      },
      talk: { _ = put($0, on: 2) }, dataIsTerminal: isatty(1) == 1, talkIsTerminal: isatty(2) == 1,
      dataFailure: {
        // A reader that went away (`retcon info … | head`) is no trouble.
        failure.withLock { $0 }.flatMap { $0 == EPIPE ? nil : errorText($0) }
      })
  }

  /// Writes a file to standard output, byte for byte; to a terminal only what cannot act on it.
  func file(_ path: String) throws {
    if dataIsTerminal {
      for text in try FileSystem.text(of: path).split(separator: "\n") {
        line(SafeText.json(String(text)))
      }
      return
    }
    // Whoever reads only the beginning has not got the file.
    signal(SIGPIPE, SIG_IGN)
    let source = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(source) }
    while let bytes = WholeTransfer.readAll(from: source, limit: 1 << 18), !bytes.isEmpty {
      guard self.bytes(bytes) else {
        throw UsageError(
          what: "standard output cannot be written: \(errorText(errno))",
          next: "What was written is not all of it")
      }
    }
  }

  func line(_ text: String) { data(text + "\n") }

  /// A value as one line of JSON in which nothing can act on a terminal.
  func json(_ value: Value) { line(SafeText.json(value.text())) }

  /// The number of the error, if there is one.
  private static func put(_ text: String, on file: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      WholeTransfer.write(UnsafeRawBufferPointer(bytes), to: file) ? nil : errno
    }
  }
}

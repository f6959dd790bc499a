import HostProtocol
import Platform
import SessionWords
import TextCanvas
import ValueTree

struct Output: Sendable {
  var data: @Sendable (String) -> Void
  var messages: @Sendable (String) -> Void
  var dataIsTerminal: Bool
  var messagesAreTerminal: Bool
  var hasColors = false
  /// Writes bytes that need not be text; false, with `errno`, on failure.
  var bytes: @Sendable ([UInt8]) -> Bool = {
    $0.withUnsafeBytes { WholeTransfer.write($0, to: STDOUT_FILENO) }
  }
  /// Where news of long work goes in place of the messages.
  var progress: (@Sendable (String) -> Void)?
  var dataFailure: @Sendable () -> String? = { nil }
  /// Whether a user may wait for it.
  var isWatched = false
  /// The time since a moment before.
  var clock: @Sendable () -> Duration = { [start = ContinuousClock.now] in
    ContinuousClock.now - start
  }

  static func standard() -> Output {
    let failure = Locked<Int32?>(nil)
    return Output(
      data: { text in
        failure.withLock { failure in
          // After a gap, more output would be wrong.
          if failure == nil { failure = put(text, on: 1) }
        }
      },
      messages: { _ = put($0, on: 2) }, dataIsTerminal: isatty(1) == 1,
      messagesAreTerminal: isatty(2) == 1,
      dataFailure: {
        // A closed reader (`retcon info … | head`) is normal.
        failure.withLock { $0 }.flatMap { $0 == EPIPE ? nil : errorText($0) }
      }, isWatched: true)
  }

  /// Writes a file to standard output unchanged; to a terminal only safe text. Of a `text`, a reader
  /// may want only the first lines.
  func file(_ path: String, to name: String = "standard output", isText: Bool = false) throws {
    if dataIsTerminal {
      for text in try FileSystem.text(of: path).split(separator: "\n") {
        line(SafeText.json(String(text)))
      }
      return
    }
    // A reader that stops early has not got the file.
    signal(SIGPIPE, SIG_IGN)
    let source = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(source) }
    while let bytes = WholeTransfer.readAll(from: source, limit: 1 << 18), !bytes.isEmpty {
      guard self.bytes(bytes) else {
        if isText, errno == EPIPE { return }
        throw UsageError(
          what: "\(name) cannot be written: \(errorText(errno))",
          next: "The output is incomplete")
      }
    }
  }

  func line(_ text: String) { data(text + "\n") }

  func json(_ value: Value) { line(SafeText.json(value.text())) }

  private static func put(_ text: String, on file: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      WholeTransfer.write(UnsafeRawBufferPointer(bytes), to: file) ? nil : errno
    }
  }
}

struct CommandContext: Sendable {
  var program: String
  var environment: [String: String]
  var output: Output
  /// The app's host, if this program is the app's own debugger.
  var ownHost: HostCommand?
  /// This program, which runs sessions for hosts that only reduce.
  var ownProgram = FileSystem.ownProgram

  func show(_ line: String) {
    let line = SafeText.line(line)
    output.line(output.hasColors ? LineColors.colored(line) : line)
  }

  func tell(_ words: String) { output.messages(SafeText.line(words) + "\n") }

  func deny(_ words: String, meant: (some CustomStringConvertible)?) {
    warn(["\(words)." + (meant.map { " Did you mean \($0)?" } ?? "")])
  }

  func warn(_ sentences: [String]) {
    for words in sentences { tell("\(program): \(words)") }
  }
}

extension ValueObject {
  mutating func add(_ value: Value) {
    guard case .object(let object) = value else {
      impossible("only members of an object are added")
      return self["value"] = value
    }
    for (key, value) in object { self[key] = value }
  }
}

/// The only place that turns errors into text. Makes text from files safe: no terminal controls, no
/// overlong names.
func sentence(for error: any Error, without redaction: Redaction = Redaction()) -> String {
  if !redaction.isEmpty, error is HostFailure {
    return "the host failed, and its words may tell what is redacted"
  }
  // Only then it is cut: half of a secret matches nothing.
  func shown(_ words: String) -> String {
    Redactor(redaction).text(words, .message).clipped(to: 2_000)
  }
  if let error = error as? QueryError {
    return "the condition is not understood:\n"
      + SafeText.lines(shown(error.description))
  }
  if let error = error as? SessionError, case .missing = error.problem,
    let near = FileSystem.nearest(to: error.path)
  {
    return SafeText.line(shown("\(error.path): \(error.what). Did you mean \(near)?"))
  }
  return SafeText.line(
    shown((error as? any Explained)?.sentence ?? String(describing: error)))
}

struct OutputFile: Sendable {
  let name: String

  var isStandardOutput: Bool { name == "-" }

  var shownName: String { isStandardOutput ? "standard output" : name }

  /// For standard output, a device or a pipe, writes to a private folder first, so a failure sends
  /// nothing.
  func write<Result>(
    in context: CommandContext, isText: Bool = false,
    _ work: (_ path: String) async throws -> Result
  ) async throws -> Result {
    let isStream = !isStandardOutput && FileSystem.isStream(name)
    guard isStandardOutput || isStream else { return try await work(name) }
    let folder = try FileSystem.temporaryFolder(in: context.environment)
    defer { withExtendedLifetime(folder) {} }
    let path = "\(folder.path)/output"
    let result = try await work(path)
    guard isStream else {
      try context.output.file(path, isText: isText)
      return result
    }
    try FileSystem.withStream(name) { file in
      var output = context.output
      output.data = { try? FileSystem.write($0, to: file) }
      output.bytes = { bytes in bytes.withUnsafeBytes { WholeTransfer.write($0, to: file) } }
      output.dataIsTerminal = isatty(file) == 1
      try output.file(path, to: name)
    }
    return result
  }
}

import HostProtocol
import Platform
import SessionWords
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

/// What a command may touch outside itself.
struct CommandContext: Sendable {
  /// How the program was called, for help and for starting itself again.
  var program: String
  var environment: [String: String]
  var output: Output
  /// The host of the app that this program is the debugger of.
  var ownHost: HostCommand?

  /// A line of the answer, in which nothing can act on a terminal.
  func show(_ line: String) { output.line(SafeText.line(line)) }

  /// A line on standard error.
  func tell(_ words: String) { output.talk(SafeText.line(words) + "\n") }

  /// Says on standard error what is not there, and what may have been meant.
  func deny(_ words: String, meant: (some CustomStringConvertible)?) {
    warn(["\(words)." + (meant.map { " Did you mean \($0)?" } ?? "")])
  }

  /// Says sentences on standard error.
  func warn(_ sentences: [String]) {
    for words in sentences { tell("\(program): \(words)") }
  }
}

extension Value {
  /// A whole number.
  init(_ number: Int) { self = .number(Number(number)) }

  /// An array of what each of these becomes.
  static func list<Elements: Sequence>(
    _ elements: Elements, _ value: (Elements.Element) throws -> Value
  ) rethrows -> Value {
    .array(ValueArray(try elements.map(value)))
  }
}

extension ValueObject {
  /// Adds the members of an object, each in the place of one with its name.
  mutating func add(_ value: Value) {
    guard case .object(let object) = value else { return }
    for (key, value) in object { self[key] = value }
  }
}

/// The one place where an error becomes what a person reads. What came out of a file is made
/// visible: it can hold no control for the terminal, and no name that fills it.
func sentence(for error: any Error) -> String {
  // Of a condition that is not understood the place is shown, in a line of its own.
  if let error = error as? QueryError {
    return "the condition is not understood:\n"
      + SafeText.lines(error.description.clipped(to: 2_000))
  }
  if let error = error as? SessionError, case .missing = error.problem,
    let near = FileSystem.nearest(to: error.path)
  {
    return SafeText.line("\(error.path): \(error.what). Did you mean \(near)?".clipped(to: 2_000))
  }
  return SafeText.line(
    ((error as? any Explained)?.sentence ?? String(describing: error)).clipped(to: 2_000))
}

/// Where a command writes a file: a path, or `-` for standard output.
struct OutputFile: Sendable {
  let name: String

  var isStandardOutput: Bool { name == "-" }

  /// What messages call it.
  var shownName: String { isStandardOutput ? "standard output" : name }

  /// Has a file written at its path. For standard output it is written in a private folder first, so that
  /// nothing of one that fails is sent.
  func write<Result>(
    in context: CommandContext, _ work: (_ path: String) async throws -> Result
  ) async throws -> Result {
    guard isStandardOutput else { return try await work(name) }
    let folder = try FileSystem.temporaryFolder(in: context.environment)
    defer { FileSystem.removeFolder(folder) }
    let path = "\(folder)/output"
    let result = try await work(path)
    try context.output.file(path)
    return result
  }
}

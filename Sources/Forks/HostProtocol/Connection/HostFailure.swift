import Platform
import SessionWords
import ValueTree

package enum HostFailure: Error, Sendable, Hashable {
  case couldNotStart(HostCommand, reason: String)
  /// The process ended during the request, or before.
  case died(HostDeath)
  /// It closed a pipe, so it could not be used, and was killed.
  case closed(Stream, errors: String)
  /// The reducer did not return from this step, and the host was killed.
  case timedOut(step: Int)
  /// No answer in time, at an unknown place. The host was killed.
  case silent(request: String, for: Duration)
  case refused(HostRefusal)
  /// It wrote a line that is not a message.
  case misspoke(String)
  case objected(ProtocolViolation)
  case incompatible(ProtocolVersion)
  case cancelled

  package enum Stream: String, Sendable, Hashable {
    case input = "standard input"
    case output = "standard output"
  }
}

/// The problem of a message: a number out of range, a step out of order, an unrequested answer.
package struct ProtocolViolation: Error, Sendable, Hashable {
  package var request: String
  package var field: String
  package var value: String?
  package var problem: String

  init(_ request: String, _ field: String, _ value: String?, _ problem: String) {
    self.request = request
    self.field = field
    self.value = value.map { $0.count > 60 ? $0.prefix(59) + "…" : $0 }
    self.problem = problem
  }

  var sentence: String {
    "“\(field)” is \(value ?? "missing"), \(problem), in what the host said about `\(request)`"
  }
}

package struct HostDeath: Sendable, Hashable {
  package var exit: HostExit
  package var step: Int?
  /// The reason, if the process could report it: a Swift trap's message, its signal handler's
  /// words, else the last line of standard error.
  package var lastWords: String

  init(exit: HostExit, step: Int?, words: String?, errors: String) {
    self.exit = exit
    self.step = step
    lastWords = HostDeath.cause(exit, words, errors) ?? ""
  }

  private static func cause(_ exit: HostExit, _ words: String?, _ errors: String) -> String? {
    let crash = CrashText(errors)
    // A killed process cannot say why; its last line is about something else.
    if case .signal(Int(SIGKILL), _) = exit, !crash.isTrap { return nil }
    // The words of a handler that knows no more than the exit status.
    if let words, !["", "signal", "exit"].contains(words) {
      return crash.userFrame.map { "\(words), \($0)" } ?? words
    }
    return crash.cause
  }

  fileprivate var why: String? { lastWords.isEmpty ? exit.hint : lastWords }

  var reason: String {
    lastWords.isEmpty ? exit.text + (why.map { ": \($0)" } ?? "") : lastWords
  }
}

extension HostFailure {
  /// Whether the host lives and can answer other questions.
  package var isRefusal: Bool { if case .refused = self { true } else { false } }

  /// The step that ended the host, if one is to blame.
  package var blamedStep: Int? { ending()?.step }

  /// The end of the run that it interrupted, if a step is to blame.
  func ending(after last: Int? = nil) -> BranchReport.Ending? {
    switch self {
    case .died(let death):
      (death.step ?? last.map { $0 + 1 }).map { .init($0, .crashed, death.reason) }
    case .timedOut(let step): .init(step, .timedOut)
    default: nil
    }
  }
}

extension HostFailure: Explained {
  package var what: String {
    switch self {
    case .couldNotStart(let command, let reason):
      "the host `\(command.text)` could not be started (\(reason))"
    case .died(let death):
      "the host ended with \(death.exit.text)" + (death.why.map { ": \($0)" } ?? "")
    case .closed(let stream, let errors):
      "the host closed its \(stream.rawValue) and was stopped"
        + (CrashText(errors).cause.map { ": \($0)" } ?? "")
    case .timedOut: "\(Standing.Outcome.timedOut.meaning), so its host was stopped"
    case .silent("greet", let time): "the host did not greet within \(time.words) and was stopped"
    case .silent(let request, let time):
      "the host did not answer `\(request)` within \(time.words) and was stopped"
    case .refused(let refusal): "the host refused: \(refusal.message.withoutFullStop)"
    case .misspoke(let text): "the host wrote something that is not a message: \(text)"
    case .objected(let violation): violation.sentence
    case .incompatible(let version):
      "the host speaks version \(version) of the protocol, this is \(ProtocolVersion.current)"
    case .cancelled: "the request was cancelled"
    }
  }

  package var place: String? {
    switch self {
    case .died(let death): death.step.map { "step \($0)" }
    case .timedOut(let step): "step \(step)"
    default: nil
    }
  }

  package var next: String? {
    switch self {
    case .couldNotStart: "Check that the program exists and may be run"
    case .misspoke: "A host writes nothing but messages to standard output"
    case .closed: "A host keeps its standard input and output open until it is asked to quit"
    case .silent("greet", _), .silent("load", _): "Give a slow start more time with --start-time"
    case .silent: "Give a slow reducer more time with --patience"
    case .objected: "docs/protocol.md says what a host may answer"
    case .incompatible: "Build the host against the same version of Retcon"
    default: nil
    }
  }
}

extension Duration {
  fileprivate var words: String {
    let (seconds, attoseconds) = components
    let tenths = attoseconds / 100_000_000_000_000_000
    if tenths == 0 || seconds >= 10 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
    return "\(seconds).\(tenths) seconds"
  }
}

extension String {
  /// A host's message may be a sentence, and is part of another one here.
  package var withoutFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}

/// The last failure of a host, with everything that its author needs.
package struct HostTrouble: Sendable, Hashable {
  package var failure: HostFailure
  var message: String?
  var dyingWords: String?
  var errors = ""

  package var lines: [String] {
    var lines = [failure.sentence]
    if let message { lines += ["", "The message:", message] }
    if let dyingWords { lines += ["", "Its last output: \(dyingWords)"] }
    let errors = errors.split(whereSeparator: \.isNewline).suffix(100).map(String.init)
    if !errors.isEmpty { lines += ["", "The end of its standard error:"] + errors }
    return lines
  }
}

package enum HostExit: Sendable, Hashable {
  case status(Int)
  case signal(Int, name: String)

  /// From what `waitpid` gave.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self =
      signal == 0
      ? .status(Int((waitStatus >> 8) & 0xff))
      : .signal(Int(signal), name: Self.signalNames[signal] ?? "unknown")
  }

  package var text: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let number, let name): "signal \(number) (\(name))"
    }
  }

  var hint: String? {
    switch self {
    case .signal(Int(SIGKILL), _): "it was killed, perhaps by the system when memory ran out"
    case .status(127): "the program, or one that it starts, was not found"
    default: nil
    }
  }

  private static let signalNames = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
  ]
}

/// The standard error of a crashed process, for the author who must fix it.
struct CrashText {
  let cause: String?
  let isTrap: Bool
  let userFrame: String?

  /// Whether the process reported its crash: a trap's message, or the start of a backtrace.
  static func tellsOfCrash(_ text: String) -> Bool {
    ["Fatal error:", "*** Signal ", "*** Program crashed"].contains { text.contains($0) }
  }

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let frames = lines.compactMap(CrashFrame.init)
    userFrame = frames.first { $0.isUsers }?.text
    let trap = lines.last { $0.contains("Fatal error:") || $0.contains("Error:") }
    isTrap = trap != nil
    // The runtime's line if it cannot write a backtrace.
    let plain = lines.last { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("swift runtime: ") }
    let isBacktrace = !frames.isEmpty || text.contains("*** ")
    guard let line = trap ?? (isBacktrace ? nil : plain) else {
      cause = userFrame
      return
    }
    guard let userFrame else {
      cause = line
      return
    }
    // `Swift/Array.swift:1350: Fatal error: …` names the library's line, and the frame the user's.
    let words = line.range(of: "Fatal error:").map { line[$0.lowerBound...] } ?? line[...]
    cause = "\(words), \(userFrame)"
  }
}

/// A line of a Swift backtrace: `3 [ra] 0x… Cart.reduce(…) + 12 in App at /src/Cart.swift:12:9`
struct CrashFrame {
  var function: String
  var file: String
  var line: String

  init?(_ text: String) {
    let start = text.drop { $0 == " " }
    guard let first = start.first, first.isNumber, let at = text.range(ofLast: " at "),
      let hex = text.range(of: " 0x")
    else { return nil }
    var place = text[at.upperBound...].split(separator: ":")
    guard place.count >= 2, place.last?.allSatisfy(\.isNumber) == true else { return nil }
    // `file:line:column`; the column may be missing.
    if place.count >= 3, place[place.count - 2].allSatisfy(\.isNumber) { place.removeLast() }
    line = String(place.removeLast())
    file = place.joined(separator: ":")
    guard hex.upperBound < at.lowerBound else { return nil }
    var words = text[hex.upperBound..<at.lowerBound].drop { $0 != " " }.dropFirst()
    if let image = words.range(ofLast: " in ") { words = words[..<image.lowerBound] }
    if let offset = words.range(ofLast: " + ") { words = words[..<offset.lowerBound] }
    function = String(words.prefix { $0 != "(" && $0 != "<" })
  }

  /// Whether it belongs to neither the standard library nor Retcon.
  var isUsers: Bool {
    guard file.hasPrefix("/"), !file.contains("/<compiler-generated>") else { return false }
    let own = [
      "Forks/ReducerHost", "Forks/Replay", "Session/Recorder", "Session/SessionFile",
      "Session/SessionImports", "Session/SessionWords", "Session/ValueTree", "Store/StoreCore",
      "Store/StoreRecording", "System/Platform",
    ].map { "/Sources/\($0)/" }
    let foreign = own + ["/swift/stdlib/", "/usr/", "/home/build-user/", "/Library/Developer/"]
    return !foreign.contains { file.contains($0) }
  }

  var text: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return function.isEmpty ? "at \(name):\(line)" : "in \(function), \(name):\(line)"
  }
}

extension StringProtocol {
  fileprivate func range(of words: String) -> Range<Index>? { ranges(of: words).first }
  fileprivate func range(ofLast words: String) -> Range<Index>? { ranges(of: words).last }
}

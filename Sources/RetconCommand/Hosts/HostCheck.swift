import HostProtocol
import Platform
import TextCanvas
import ValueTree

/// Asks a host all that a debugger may ask, and says what it does wrong. What it says is measured on
/// the way in the same manner as in the debugger.
struct HostCheck: Sendable {
  typealias Tell = @Sendable (_ isRight: Bool, _ words: String) -> Void

  let command: HostCommand
  let session: HostedSession?
  let tell: Tell

  init(_ command: HostCommand, _ session: HostedSession?, tell: @escaping Tell) {
    self.command = command
    self.session = session
    self.tell = tell
  }

  /// What a host did wrong, as a clause.
  struct Fault: Error {
    var words: String

    init(_ words: String) { self.words = words }
  }

  /// Whether all is right.
  func run() async throws -> Bool {
    // A host that ends while it is spoken to is one of those that are looked for.
    signal(SIGPIPE, SIG_IGN)
    var isRight = true
    for question in HostManners.all {
      isRight = judge(question.words, Result { try question.ask(command) }) && isRight
    }
    guard let session else {
      tell(true, "without a session nothing was run: name one to try the reducer, too")
      return isRight
    }
    let connection = HostConnection(command)
    defer { connection.end() }
    for question in try HostQuestions(connection, session).all {
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await question.ask()) } catch { outcome = .failure(error) }
      isRight = judge(question.words, outcome) && isRight
    }
    return isRight
  }

  private func judge(_ words: String, _ outcome: Result<Void, any Error>) -> Bool {
    switch outcome {
    case .success:
      tell(true, words)
      return true
    case .failure(let error):
      let reason = (error as? Fault)?.words ?? sentence(for: error)
      tell(false, "\(words): \(SafeText.line(reason))")
      return false
    }
  }
}

/// Fails with a sentence.
func check(_ isRight: Bool, _ words: @autoclosure () -> String) throws(HostCheck.Fault) {
  if !isRight { throw HostCheck.Fault(words()) }
}

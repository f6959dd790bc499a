import HostProtocol
import Platform
import TextCanvas
import ValueTree

/// Asks a host everything that a debugger may ask, and reports its mistakes. The debugger's own
/// checks apply to its messages.
struct HostCheck: Sendable {
  typealias Tell = @Sendable (_ isRight: Bool, _ words: String) -> Void

  let command: HostCommand
  let session: HostedSession?
  let tell: Tell

  struct Fault: Error {
    var words: String

    init(_ words: String) { self.words = words }
  }

  func run() async throws -> Bool {
    // A host that dies during a request is a finding, not the end of this program.
    signal(SIGPIPE, SIG_IGN)
    var isRight = true
    for question in HostManners.all {
      isRight = judge(question.words, Result { try question.ask(BareTalk(command)) }) && isRight
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

func check(_ isRight: Bool, _ words: @autoclosure () -> String) throws(HostCheck.Fault) {
  if !isRight { throw HostCheck.Fault(words()) }
}

/// The duties of every host, whatever its reducer: asked over bare pipes, because a proper
/// connection cannot send wrong requests.
struct HostManners: Sendable {
  let words: String
  fileprivate let ask: @Sendable (BareTalk) throws -> Void

  private static func greet(_ id: Int) -> String {
    #"{"id":\#(id),"ask":"greet","version":[2,0],"debugger":"retcon"}"#
  }

  static let all = [
    HostManners(words: "greets with its version and its name") { talk in
      let answer = try talk.answer(to: greet(1))
      try check(answer["answer"] == "greeting", "it said \(answer.text())")
      try check(answer["version"]?[0] == 2, "its version is no [2, …]: \(answer.text())")
      guard case .string? = answer["name"] else { throw HostCheck.Fault("there is no name") }
    },
    HostManners(words: "ignores keys that it does not know") { talk in
      let answer = try talk.answer(
        to: #"{"later":{"id":9},"id":2,"ask":"greet","version":[2,9],"debugger":"retcon"}"#)
      try check(answer["answer"] == "greeting", "it said \(answer.text())")
    },
    HostManners(words: "refuses a question that it does not know, and goes on") { talk in
      let answer = try talk.answer(to: #"{"id":3,"ask":"somethingOfTheFuture"}"#)
      try check(answer["refusal"] == "unknownRequest", "it said \(answer.text())")
      _ = try talk.answer(to: greet(4))
    },
    HostManners(words: "refuses a session that is not there, and goes on") { talk in
      let answer = try talk.answer(to: #"{"id":5,"ask":"load","path":"/there/is/no/such.retcon"}"#)
      try check(answer["refusal"] != nil, "it said \(answer.text())")
      let run = try talk.answer(to: #"{"id":6,"ask":"run","branch":[],"from":1}"#)
      try check(run["refusal"] == "noSession", "asked to run no session it said \(run.text())")
    },
    HostManners(words: "says where it is, with the id of the question") { talk in
      let answer = try talk.answer(to: #"{"id":0,"ask":"whereabouts"}"#, id: 0)
      try check(answer["answer"] == "whereabouts", "it said \(answer.text())")
    },
    HostManners(words: "says nothing about the cancelling of what is over") { talk in
      _ = try talk.answer(to: greet(7))
      try talk.send(#"{"id":0,"ask":"cancel","request":7}"#)
      _ = try talk.answer(to: greet(8))
    },
    HostManners(words: "ends when it is asked to") { talk in
      try talk.send(#"{"id":0,"ask":"quit"}"#)
      try check(talk.ends(), "it runs on")
    },
    HostManners(words: "ends when its standard input does") { talk in
      talk.closeInput()
      try check(talk.ends(), "it runs on")
    },
  ]
}

private final class BareTalk {
  private let child: pid_t
  private var input: Int32?
  private let output: Int32
  private var rest: [UInt8] = []
  private var hasEnded = false
  private static let patience: Int32 = 30_000

  init(_ command: HostCommand) throws {
    guard let questions = closingPipe(), let answers = closingPipe() else {
      throw HostCheck.Fault("there is no pipe to be had: \(errorText(errno))")
    }
    var start = ChildStart(command.program, command.arguments)
    start.files = [0: .descriptor(questions.read), 1: .descriptor(answers.write), 2: .nothing]
    start.isApart = true
    let child = Result { try start.run() }
    close(questions.read)
    close(answers.write)
    input = questions.write
    output = answers.read
    do {
      self.child = try child.get()
    } catch {
      close(questions.write)
      close(answers.read)
      throw HostCheck.Fault("\(error)")
    }
  }

  deinit {
    closeInput()
    close(output)
    guard !hasEnded else { return }
    kill(-child, SIGKILL)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }

  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  func send(_ line: String) throws {
    guard let input else { return }
    let bytes = Array(line.utf8) + [10]
    guard bytes.withUnsafeBytes({ WholeTransfer.write($0, to: input) }) else {
      throw HostCheck.Fault("it does not listen: \(errorText(errno))")
    }
  }

  func answer(to line: String, id: Int? = nil) throws -> Value {
    try send(line)
    let id = try id.map { Value.number(Number($0)) } ?? Value(parsing: line)["id"]
    let text = try nextLine()
    guard let message = try? Value(parsing: text), message["id"] == id else {
      throw HostCheck.Fault("it wrote something that is no message about the question: \(text)")
    }
    return message
  }

  private func nextLine() throws -> String {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard try readMore() else { throw HostCheck.Fault("it ended") }
    }
  }

  private func readMore() throws -> Bool {
    var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, Self.patience) > 0 else {
      throw HostCheck.Fault("it was silent for \(Self.patience / 1000) seconds")
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return false }
    rest += bytes[..<count]
    return true
  }

  func ends() throws -> Bool {
    do {
      while try readMore() {}
    } catch {
      return false
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    return true
  }
}

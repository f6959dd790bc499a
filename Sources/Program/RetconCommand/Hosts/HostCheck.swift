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

  func run() async throws -> Bool {
    // A host that dies during a request is a finding, not the end of this program.
    signal(SIGPIPE, SIG_IGN)
    var isRight = true
    let greeting = try? HostPipes(command).answer(to: HostProtocolChecks.greet(1))
    func asked(_ question: HostProtocolChecks) -> Bool {
      show(question.words, Result { try question.ask(HostPipes(command)) })
    }
    // Each other question begins with a greeting, and would wait for it in vain.
    guard asked(.greeting) else {
      tell(false, "without a greeting nothing else was asked")
      return false
    }
    var questions = HostProtocolChecks.all
    questions += greeting?["thin"] == true ? HostProtocolChecks.thin : HostProtocolChecks.full
    if greeting?["bodies"] == true { questions.append(HostProtocolChecks.body) }
    for question in questions {
      isRight = asked(question) && isRight
    }
    guard let session else {
      tell(true, "without a session nothing was run: name one to try the reducer, too")
      return isRight
    }
    let connection = HostConnection(command, engine: ThinHost.engine)
    defer { connection.end() }
    let hasEffects = greeting?["effects"] == true
    for question in try HostQuestions(connection, session, hasEffects: hasEffects).all {
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await question.ask()) } catch { outcome = .failure(error) }
      isRight = show(question.words, outcome) && isRight
    }
    return isRight
  }

  private func show(_ words: String, _ outcome: Result<Void, any Error>) -> Bool {
    switch outcome {
    case .success:
      tell(true, words)
      return true
    case .failure(let error):
      tell(false, "\(words): \(sentence(for: error))")
      return false
    }
  }
}

func check(_ isRight: Bool, _ words: @autoclosure () -> String) throws(HostPipes.End) {
  if !isRight { throw HostPipes.End(words()) }
}

/// The duties of every host, whatever its reducer: asked over bare pipes, because a proper
/// connection cannot send wrong requests.
struct HostProtocolChecks: Sendable {
  let words: String
  fileprivate let ask: @Sendable (HostPipes) throws -> Void

  fileprivate static func greet(_ id: Int) -> String {
    #"{"id":\#(id),"ask":"greet","version":[2,0],"debugger":"retcon"}"#
  }

  static let greeting = HostProtocolChecks(words: "greets with its version and its name") {
    channel in
    let answer = try channel.answer(to: greet(1))
    try check(answer["answer"] == "greeting", "it said \(answer.text())")
    try check(answer["version"]?[0] == 2, "its version is no [2, …]: \(answer.text())")
    guard case .string? = answer["name"] else { throw HostPipes.End("there is no name") }
  }

  static let all = [
    HostProtocolChecks(words: "ignores keys that it does not know") { channel in
      let answer = try channel.answer(
        to: #"{"later":{"id":9},"id":2,"ask":"greet","version":[2,9],"debugger":"retcon"}"#)
      try check(answer["answer"] == "greeting", "it said \(answer.text())")
    },
    HostProtocolChecks(words: "ends when it is asked to") { channel in
      channel.say(#"{"id":0,"ask":"quit"}"#)
      try check(channel.ends(), "it runs on")
    },
    HostProtocolChecks(words: "ends when its standard input does") { channel in
      channel.closeInput()
      try check(channel.ends(), "it runs on")
    },
  ]

  static let body = HostProtocolChecks(words: "refuses a body that it does not know, and goes on") {
    channel in
    let answer = try channel.answer(to: #"{"id":3,"ask":"resume","work":["no such body"]}"#)
    try check(answer["error"] != nil || answer["failed"] != nil, "it said \(answer.text())")
    _ = try channel.answer(to: greet(4))
  }

  static let full = [
    HostProtocolChecks(words: "refuses a question that it does not know, and goes on") { channel in
      let answer = try channel.answer(to: #"{"id":3,"ask":"somethingOfTheFuture"}"#)
      try check(answer["refusal"] == "unknownRequest", "it said \(answer.text())")
      _ = try channel.answer(to: greet(4))
    },
    HostProtocolChecks(words: "refuses a session that is not there, and goes on") { channel in
      let answer = try channel.answer(
        to: #"{"id":5,"ask":"load","path":"/there/is/no/such.retcon"}"#)
      try check(answer["refusal"] != nil, "it said \(answer.text())")
      let run = try channel.answer(to: #"{"id":6,"ask":"run","branch":[],"from":1}"#)
      try check(
        run["refusal"] == "noSession", "asked to run without a session, it said \(run.text())")
    },
    HostProtocolChecks(words: "says where it is, with the id of the question") { channel in
      let answer = try channel.answer(to: #"{"id":0,"ask":"whereabouts"}"#, id: 0)
      try check(answer["answer"] == "whereabouts", "it said \(answer.text())")
    },
    HostProtocolChecks(words: "ignores a cancel of a finished request") { channel in
      _ = try channel.answer(to: greet(7))
      channel.say(#"{"id":0,"ask":"cancel","request":7}"#)
      _ = try channel.answer(to: greet(8))
    },
  ]

  static let thin = [
    HostProtocolChecks(words: "says that it does not know a question, and goes on") { channel in
      let answer = try channel.answer(to: #"{"id":3,"ask":"somethingOfTheFuture"}"#)
      try check(answer["error"] != nil, "it said \(answer.text())")
      _ = try channel.answer(to: greet(4))
    },
    HostProtocolChecks(words: "keeps a state by its number until it is told to forget it") {
      channel in
      _ = try channel.answer(to: #"{"id":5,"ask":"put","as":1,"state":{"a":[1,true,null]}}"#)
      let answer = try channel.answer(to: #"{"id":6,"ask":"state","of":1}"#)
      try check(answer["state"] == ["a": [1, true, .null]], "it said \(answer.text())")
      channel.say(#"{"ask":"forget","states":[1]}"#)
      _ = try channel.answer(to: greet(7))
    },
    HostProtocolChecks(words: "applies the patch of a put to a copy, or refuses it") { channel in
      _ = try channel.answer(to: #"{"id":5,"ask":"put","as":1,"state":{"a":[1],"b":2}}"#)
      let patch = #"[{"op":"replace","path":"/a/0","value":7}]"#
      let put = try channel.answer(to: #"{"id":6,"ask":"put","as":2,"from":1,"patch":\#(patch)}"#)
      guard put["error"] == nil else { return }
      for (state, wanted) in [(2, ["a": [7], "b": 2]), (1, ["a": [1], "b": 2])] as [(Int, Value)] {
        let answer = try channel.answer(to: #"{"id":7,"ask":"state","of":\#(state)}"#)
        try check(
          answer["state"] == wanted,
          "state \(state) must be \(wanted.text()), and it said \(answer.text())")
      }
    },
  ]
}

extension HostPipes {
  private static let patience = Duration.seconds(30)

  fileprivate func say(_ line: String) { send((line + "\n").utf8) }

  fileprivate func answer(to line: String, id: Int? = nil) throws -> Value {
    say(line)
    let id = try id.map { Value($0) } ?? Value(parsing: line)["id"]
    guard let bytes = try nextLine(within: Self.patience) else { throw HostPipes.End("it ended") }
    guard let message = try? Value(parsing: bytes), message["id"] == id else {
      throw HostPipes.End(
        "it wrote something that is no message about the question: "
          + String(decoding: bytes, as: UTF8.self))
    }
    return message
  }

  /// Whether it comes to its end in time.
  fileprivate func ends() -> Bool {
    do { while try nextLine(within: Self.patience) != nil {} } catch { return false }
    return hasEnded(within: Self.patience)
  }
}

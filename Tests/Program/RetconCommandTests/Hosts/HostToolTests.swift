import TestSupport
import Testing

@testable import RetconCommand

@Suite("Hosts for other languages")
struct HostToolTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.writeCounter(
      #"{"type":"add","by":2}"#, #"{"type":"add"}"#, #"{"type":"mutate","by":1}"#,
      #"{"type":"add","by":3}"#, #"{"type":"mutate","by":2}"#, #"{"type":"other"}"#)
  }

  private func check(_ command: String) async -> CommandRunner.Answer {
    await runner.run(
      "host", "--check", command.replacing("$", with: runner.folder), "$/export.json")
  }

  private let questions = """
    ok    greets with its version and its name
    ok    ignores keys that it does not know
    ok    ends when it is asked to
    ok    ends when its standard input does
    ok    says that it does not know a question, and goes on
    ok    keeps a state by its number until it is told to forget it
    ok    applies the patch of a put to a copy, or refuses it
    ok    loads the session and counts its steps
    ok    runs every step, with patches that lead to its states
    ok    tells only the steps that are asked for
    ok    leaves a step out
    ok    puts a step in
    ok    puts another action in the place of one
    ok    moves a step
    ok    sets the state by hand
    ok    steps freely
    ok    forks a fork
    ok    refuses steps that do not exist, and goes on
    ok    verifies, or says that it does not

    """

  @Test("the host for node does all that is asked of it", .needs(.node))
  func node() async throws {
    _ = await runner.run("host", "--write", "node", "-o", "$/retcon-host.mjs")
    let answer = await check("node $/retcon-host.mjs $/counter.mjs")
    #expect(answer == .init(status: .yes, data: questions))
  }

  @Test("the host in Python does the same", .needs(.python))
  func python() async throws {
    _ = await runner.run("host", "--write", "python", "-o", "$/retcon_host.py")
    let answer = await check("python3 $/retcon_host.py $/counter.py")
    #expect(answer == .init(status: .yes, data: questions))
  }

  @Test(
    "what a host does wrong is said", .needs(.python),
    arguments: [
      (
        #"{"id": request["id"], **answer}"#, #"{"id": 0, **answer}"#,
        "WRONG greets with its version and its name: it wrote something that is no message"
      ),
      (
        #"{"error": f"this host"#, #"{"other": f"this host"#,
        "WRONG says that it does not know a question, and goes on: it said "
      ),
      (
        #"states[request["as"]], answer = request["state"], {}"#, "answer = {}",
        "WRONG keeps a state by its number until it is told to forget it: it said "
      ),
      (
        #"elif ask == "put" and "state" in request:"#,
        #"""
        elif ask == "put" and "patch" in request:
                    states[request["as"]], answer = states[request["from"]], {}
                elif ask == "put":
        """#,
        "WRONG applies the patch of a put to a copy, or refuses it: state 2 must be "
      ),
      (
        "    return answer\n",
        #"    return {"patches": [[{"op": "remove", "path": "/no"}]]}"# + "\n",
        "the host answers a patch that does not apply: "
      ),
    ])
  func faults(right: String, wrong: String, words: String) async throws {
    let text = ShippedHost.python.text
    #expect(text.contains(right))
    _ = try runner.write(text.replacing(right, with: wrong), as: "wrong.py")
    let answer = await check("python3 $/wrong.py $/counter.py")
    #expect(answer.status == .no)
    #expect(answer.data.contains(words), "\(answer.data)")
  }

  @Test(
    "a reducer that ends a run early is named with its step and its words",
    .needs(.python))
  func crash() async throws {
    _ = await runner.run("host", "--write", "python", "-o", "$/retcon_host.py")
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"boom"}"#, #"{"type":"add"}"#)
    let answer = await check("python3 $/retcon_host.py $/counter.py")
    #expect(
      answer.data.contains("the run ends at step 2: KeyError: 'nowhere' at reducer ("), "\(answer)")
  }

  @Test("an error in Python is told by its type and its first line", .needs(.python))
  func longError() async throws {
    _ = await runner.run("host", "--write", "python", "-o", "$/retcon_host.py")
    let reducer = """
      initial_state = 0
      def reducer(state, action):
          if action["type"] == "boom":
              raise ValueError("no red\\n second line")
          return state

      """
    _ = try runner.write(reducer, as: "long.py")
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"boom"}"#, #"{"type":"add"}"#)
    let answer = await check("python3 $/retcon_host.py $/long.py")
    #expect(answer.data.contains("ValueError: no red at reducer ("), "\(answer)")
  }

  @Test("hosts.md has the limits of the hosts that are written")
  func limits() throws {
    let page = try Page("hosts.md").text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for text in [ShippedHost.python.text, JoinedScript.loader] {
      let limits = text.matches(of: /more than (.+? values or \d+ MB of text)/).map(\.1)
      #expect(!limits.isEmpty)
      for limit in limits { #expect(page.contains(limit)) }
    }
  }

  @Test(
    "a reducer that has no first state to begin with is told how to give it one",
    .needs(.node, .python),
    arguments: [
      (
        ShippedHost.python, "def reducer(state, action):\n    return state\n",
        "it returns None. Set initial_state beside it, or give --state FILE"
      ),
      (
        .node, "export default (state) => state;\n",
        ". Export initialState beside it, or give --state FILE"
      ),
    ])
  func noFirstState(host: ShippedHost, reducer: String, words: String) async throws {
    _ = await runner.run("host", "--write", host.rawValue, "-o", "$/\(host.fileName)")
    let file = try runner.write(reducer, as: host == .node ? "bare.mjs" : "bare.py")
    let program = host == .node ? "node" : "python3"
    let answer = await runner.run(
      "verify", "$/export.json", "--host",
      "\(program) $/\(host.fileName) \(file)".replacing("$", with: runner.folder))
    #expect(answer.messages.contains("the reducer gives no first state: "), "\(answer)")
    #expect(answer.messages.contains(words), "\(answer)")
  }

  @Test("a program that is no host is named as one")
  func noHost() async throws {
    let answer = await check("/bin/echo hello")
    #expect(answer.status == .no)
    #expect(answer.data.contains("WRONG greets with its version and its name: "))
    #expect(answer.data.hasSuffix("\nWRONG without a greeting nothing else was asked\n"))
  }

  @Test("a host is written once, and not over a file")
  func writing() async throws {
    let first = await runner.run("host", "--write", "node", "-o", "$/host.mjs")
    #expect(
      first == .init(status: .yes, messages: "$/host.mjs and $/retcon-load.mjs are written.\n"))
    let second = await runner.run("host", "--write", "node", "-o", "$/host.mjs")
    #expect(second.status == .trouble)
    let shown = await runner.run("host", "--write", "node", "-o", "-")
    #expect(try runner.text(of: "$/host.mjs") == shown.data)
    let unknown = await runner.run("host", "--write", "perl")
    #expect(
      unknown.messages == "retcon: there is no host named perl. There are node and python.\n")
  }
}

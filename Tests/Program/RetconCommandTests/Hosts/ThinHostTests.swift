import HostProtocol
import Platform
import SessionWords
import TestSupport
import Testing

@testable import RetconCommand

/// A host of a few lines, whose reducer does what its action says.
@Suite("Hosts that only reduce", .needs(.python))
struct ThinHostTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(Self.host, as: "thin.py")
    _ = try runner.write("cd '\(runner.folder)' && exec python3 thin.py\n", as: "thin.sh")
  }

  private static let host = """
    import json, os, sys
    states = {}
    def reducer(state, action):
        kind = action["type"]
        if kind == "die": os._exit(3)
        if kind == "hang":
            print("it waits", file=sys.stderr, flush=True)
            sys.stdin.readline()
        if kind == "babble": print("no answer", flush=True)
        if kind == "flood":
            while True: sys.stdout.write("x" * 65536)
        return {"count": state["count"] + (kind == "add")}
    for line in sys.stdin:
        request = json.loads(line)
        ask, answer = request["ask"], {}
        with open("asked", "a") as log: log.write(line)
        if ask == "greet":
            answer = {"answer": "greeting", "version": [2, 0], "name": "thin", "thin": True}
        elif ask == "put":
            if "state" in request: states[request["as"]] = request["state"]
            else: answer["error"] = "no patches"
        elif ask == "state": answer["state"] = states[request["of"]]
        elif ask == "reduce":
            state, answer["states"] = states.get(request.get("from"), {"count": 0}), []
            for number, action in enumerate(request["actions"], request["as"]):
                state = states[number] = reducer(state, action)
                answer["states"].append(state)
        elif ask == "forget":
            for number in request["states"]: del states[number]
            continue
        elif ask == "quit": break
        else: answer["error"] = "unknown"
        print(json.dumps({"id": request["id"], **answer}), flush=True)

    """

  private var words: [String] { ["--host", "sh \(runner.folder)/thin.sh"] }

  private func actions(_ count: Int, then last: String) throws {
    let adds = Array(repeating: #"{"type":"add"}"#, count: count)
    let list = (adds + [#"{"type":"\#(last)"}"#] + adds).joined(separator: ",")
      .replacing("\"", with: #"\""#)
    _ = try runner.write(#"{"payload":"[\#(list)]"}"#, as: "export.json")
  }

  @Test("a reducer that dies in a step is not started again for each state behind it")
  func diedOnce() async throws {
    var text = #"{"retcon":"1.1","can":"replay","states":99,"state":{"count":0}}"# + "\n"
    for number in 1...40 {
      let type = number == 2 ? "die" : "add"
      text +=
        #"{"step":\#(number),"label":"a","action":{"type":"\#(type)"},"cause":"user"}"# + "\n"
    }
    let file = try runner.write(text + #"{"end":40}"# + "\n", as: "died.retcon")
    let found = await runner.run(["find", file, "state.count >= 0", "--count"] + words)
    #expect(found.data == "2\n" && found.messages.contains("39 steps have no known state"))
    let asked = try runner.text(of: "$/asked")
    #expect(asked.split(separator: "\n").count { $0.contains("greet") } < 5)
  }

  @Test(
    "a step in the middle of a batch that ends the process, hangs or floods is named",
    arguments: [
      ("die", "the reducer ended its process with exit status 3", true),
      ("hang", "the reducer did not return in time", false),
      ("babble", "the host wrote no answer: no answer", true),
      (
        "flood", "the host wrote a line of more than 1 MB; --message-limit allows longer ones", true
      ),
    ] as [(String, String, Bool)],
    // In a batch that is asked for, and in one that is sent ahead.
    [40, 300])
  func faults(_ fault: (action: String, reason: String, ends: Bool), count: Int) async throws {
    let (action, reason, ends) = fault
    try actions(count, then: action)
    // Only the one that hangs may use it up.
    let patience = action == "hang" ? "6" : "300"
    let answer = await runner.run(
      ["state", "$/export.json@\(count + 1)", "count", "--patience", patience]
        + ["--message-limit", "1"] + words)
    #expect(ends == (answer.status == .yes), "\(answer)")
    #expect(answer.messages.contains(reason), "\(answer)")
    if answer.status == .yes {
      #expect(answer.data == "\(count)\n")
      #expect(
        answer.messages.hasPrefix("\(count + 1)  the step ended in an error: "), "\(answer)")
    } else {
      #expect(
        answer.messages.contains("the reducer failed at step \(count + 1): "), "\(answer)")
      #expect(
        answer.messages.hasSuffix(" Name step \(count), the last one with a state.\n"),
        "\(answer)")
    }
  }

  @Test("a step that hangs ends alone: the host goes on, and its last words are kept")
  func hang() async throws {
    try actions(20, then: "hang")
    let workFolder = WorkFolder([:])
    let session = try HostedSession("\(runner.folder)/export.json", in: workFolder)
    let host = HostConnection(
      HostCommand("sh", ["\(runner.folder)/thin.sh"]),
      limits: HostLimits(patience: .seconds(6), timeToStart: .seconds(300)),
      engine: ThinHost.engine)
    defer { host.end() }
    try await host.load(session.path, as: session.reader)
    let report = try await host.run(RunRequest(branch: .main))
    #expect(report.lastStep == 20 && report.ending == .init(21, .timedOut))
    let trouble = try #require(host.trouble)
    #expect(trouble.failure == .timedOut(step: 21) && trouble.lines.last == "it waits")
    guard case .ready = host.life else {
      Issue.record("\(host.life)")
      return
    }
    let script = Script(leavesAt: 20, edits: [.skip(step: 21)])
    let fork = try await host.run(RunRequest(branch: BranchPath("fork", script), from: 21))
    #expect(fork.lastStep == 40 && fork.ending == nil)
    let verified = await runner.run(
      ["verify", "$/export.json", "--patience", "6", "--start-time", "300"] + words)
    #expect(verified.status == .no)
    #expect(verified.data.contains("step 21  hang: did not return"), "\(verified)")
  }

  @Test("a fork that leaves such a step out goes on")
  func fork() async throws {
    try actions(20, then: "die")
    let made = await runner.run(
      ["fork", "$/export.json@21", "--skip", "--name", "alive"] + words)
    #expect(made.status != .trouble, "\(made)")
    let answer = await runner.run(["state", "$/export.json@alive/40", "count"] + words)
    #expect(answer.data == "40\n", "\(answer)")
  }

  @Test("a state that an edit sets is the one that the steps behind it start with")
  func setState() async throws {
    try actions(400, then: "add")
    for step in [250, 290, 384] {
      let made = await runner.run(
        ["fork", "$/export.json@\(step)", "--set", "count=7", "--name", "from\(step)"] + words)
      #expect(made.status != .trouble, "\(made)")
      let answer = await runner.run(["state", "$/export.json@from\(step)/801", "count"] + words)
      #expect(answer.data == "\(800 - step + 7)\n", "\(answer)")
    }
  }

  @Test("many steps are asked for at once, and a state that nobody holds is forgotten")
  func batches() async throws {
    try actions(400, then: "add")
    let answer = await runner.run(["state", "$/export.json@801", "count"] + words)
    #expect(answer.data == "801\n", "\(answer)")
    let asked = try runner.text(of: "$/asked").split(separator: "\n")
    #expect(asked.count { $0.contains(#""ask":"reduce""#) } < 700)
    #expect(asked.contains { $0.contains(#""ask":"forget""#) })
  }

  @Test("what a host cannot do that only reduces is refused by one sentence")
  func refusals() async throws {
    try actions(2, then: "add")
    let source = await runner.run(["test", "$/export.json", "--as", "testing"] + words)
    #expect(source.status == .trouble)
    #expect(source.messages.contains("this host writes no source"), "\(source)")
  }
}

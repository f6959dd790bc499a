import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// An export of two requests, whose late answer a reducer takes.
@Suite("Searches over an export of requests", .needs(.node))
struct RaceTests {
  private let runner: CommandRunner
  private let reducer = ["--reducer", "$/race.mjs"]
  private let rule = "state.n > 0 || state.status == 'idle' || state.res == state.q"

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      export default (s = { q: '', res: null, status: 'idle', n: 0 }, a) => {
        switch (a.type) {
          case 'q': return { ...s, q: a.payload };
          case 'f/pending': return { ...s, status: 'loading', n: s.n + 1 };
          case 'f/fulfilled': return { ...s, res: a.payload, status: 'ready', n: s.n - 1 };
          default: return s;
        }
      };
      """, as: "race.mjs")
    func request(_ id: String, _ status: String) -> String {
      #"{"type":"f/\#(status)","payload":"\#(id)","meta":"#
        + #"{"requestId":"\#(id)","requestStatus":"\#(status)","arg":"\#(id)"}}"#
    }
    let actions = [
      #"{"type":"q","payload":"a"}"#, request("a", "pending"), #"{"type":"q","payload":"b"}"#,
      request("b", "pending"), request("a", "fulfilled"), request("b", "fulfilled"),
      #"{"type":"noop"}"#,
    ]
    let list = Value.string("[\(actions.joined(separator: ","))]").text()
    _ = try runner.write(#"{"payload":\#(list)}"#, as: "race.json")
    _ = try runner.write(actions.map { $0 + "\n" }.joined(), as: "race.jsonl")
  }

  private func explore(_ file: String, _ more: String...) async -> CommandRunner.Answer {
    await runner.run(["explore", "$/\(file)", "--rule", rule] + more + reducer)
  }

  @Test("explore names the order, keeps the actions that make it one, and finds it once")
  func order() async throws {
    let later = await explore("race.json@4")
    #expect(later.status == .no)
    #expect(
      later.data.hasPrefix(
        """
        ✗ answer 6 of f comes before answer 5 of f
          2 f/pending
          3 q
          4 f/pending

        """), "\(later)")
    let all = await explore("race.json@1", "--all", "--json")
    guard case .array(let hits)? = try Value(parsing: Array(all.data.utf8))["hits"] else {
      return #expect(Bool(false), "\(all)")
    }
    let scripts = hits.map { $0["script"]?.text() }
    #expect(!scripts.isEmpty && Set(scripts).count == scripts.count, "\(all)")
  }

  @Test("--known refuses to start where the reducer runs alone, because nothing is certain there")
  func known() async throws {
    let why = await runner.run(["why", "$/race.json@5", "res", "--known"] + reducer)
    for answer in [await explore("race.json@1", "--known"), why] {
      #expect(answer.status == .trouble && answer.data.isEmpty, "\(answer)")
      #expect(answer.messages.contains("--known starts from what is known"), "\(answer)")
      #expect(answer.messages.contains("a guess: Retcon does not see"), "\(answer)")
    }
    _ = await runner.run(["fork", "$/race.json@1", "--skip", "--name", "s"] + reducer)
    let fork = await runner.run(
      ["minimize", "$/race.json@s", "--until", "state.res == 'b'", "--known"] + reducer)
    #expect(fork.status == .trouble && fork.messages.contains("--known starts from"), "\(fork)")
  }

  @Test(
    "an order that only the runs before it made wrong is none, and neither is such a rule",
    arguments: [
      ("bad", "an order that breaks the rule was found, but it does not happen"),
      ("many", "the rule holds in the session, but not"),
    ])
  func remembered(place: String, words: String) async throws {
    _ = try runner.write(
      """
      let calls = 0;
      export default (s = { first: null, bad: false, many: false }, a) => {
        calls += 1;
        const many = calls > 25;
        if (a.type !== 'f/fulfilled' || s.first) return { ...s, many };
        return { first: a.payload, bad: a.payload === 'b' && calls > 10, many };
      };
      """, as: "calls.mjs")
    let answer = await runner.run(
      "explore", "$/race.json@1", "--rule", "!state.\(place)", "--reducer", "$/calls.mjs")
    #expect(answer.status == .trouble && answer.data.isEmpty, "\(answer)")
    #expect(answer.messages.hasPrefix("retcon: \(words) when that runs again."), "\(answer)")
  }

  @Test("where nothing can come in another order, explore says so")
  func nothing() async {
    let answer = await explore("race.jsonl@1")
    #expect(answer.status == .trouble)
    #expect(answer.data.contains("no event could come in another order"), "\(answer)")
  }

  @Test("a fork without a request has no answer to it, as why says")
  func skipped() async {
    let why = await runner.run(["why", "$/race.json@5", "res"] + reducer)
    #expect(
      why.data.contains("← 2 f/pending  the file does not say what sent it: necessary"), "\(why)")
    let fork = await runner.run(
      ["fork", "$/race.json@2", "--skip", "--name", "s"] + reducer)
    #expect(!fork.data.contains(#"payload: "a""#), "\(fork)")
    #expect(fork.data.contains(#"payload: "b""#), "\(fork)")
    let found = await runner.run(["find", "$/race.json@s", "state.res == 'a'"] + reducer)
    #expect(found.status == .no, "\(found)")
    // In a fork of the fork, the other request has another number.
    let second = await runner.run(
      ["fork", "$/race.json@s/3", "--skip", "--name", "t"] + reducer)
    #expect(!second.data.contains("f/fulfilled"), "\(second)")
  }

  @Test("why refuses a place that never had a value, and its chain begins at the first link")
  func places() async {
    let never = await runner.run(["why", "$/race.json@5", "nope"] + reducer)
    #expect(never.status == .trouble && never.data.isEmpty, "\(never)")
    #expect(never.messages.contains("there was never a value at /nope"), "\(never)")
    let typing = await runner.run(["why", "$/race.json@5", "statu"] + reducer)
    #expect(typing.messages.contains("Did you mean /status?"), "\(typing)")
    let earlier = await runner.run(["why", "$/race.json@7", "q"] + reducer)
    #expect(earlier.data.hasPrefix("3 q  "), "\(earlier)")
  }
}

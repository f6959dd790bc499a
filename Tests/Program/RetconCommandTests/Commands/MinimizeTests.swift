import Platform
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("retcon minimize", .needs(.node))
struct MinimizeTests {
  private static let shop = """
    export default function shop(state = { total: 0, items: [] }, action) {
      switch (action.type) {
        case 'added': return { items: [...state.items, action.name], total: state.total + action.price };
        case 'coupon': return { ...state, total: state.total - action.amount };
        case 'bought': return { ...state, first: state.items[0].length };
        default: return state;
      }
    }

    """
  private static let session = """
    {"type":"added","name":"tea","price":3}
    {"type":"looked"}
    {"type":"added","name":"milk","price":2}
    {"type":"coupon","code":"SPRING","amount":7.25}
    {"type":"looked"}

    """

  /// Its first line, with the first state, is lost.
  private static let lost = """
    {"retcon":"1.1","app":{"name":"Shop"},"can":"rep
    {"step":1,"label":"added","action":{"type":"added","name":"tea","price":3},"cause":"user","patch":[]}
    {"step":2,"keyframe":true,"label":"looked","action":{"type":"looked"},"cause":"user",\
    "state":{"items":["tea"],"total":5}}
    {"step":3,"label":"looked","action":{"type":"looked"},"cause":"user","patch":[]}
    {"step":4,"label":"coupon","action":{"type":"coupon","amount":7.25},"cause":"user",\
    "patch":[{"op":"replace","path":"/total","value":-2.25}]}
    {"step":5,"label":"looked","action":{"type":"looked"},"cause":"user","patch":[]}
    {"end":5}

    """

  private let runner: CommandRunner
  private let files: [String]

  init() throws {
    runner = try CommandRunner()
    let reducer = try runner.write(Self.shop, as: "shop.mjs")
    files = [try runner.write(Self.session, as: "shop.jsonl"), "--reducer", reducer]
  }

  @Test("a rule is read by itself, so that its parentheses are its own")
  func ruleAlone() async throws {
    let answer = await runner.run(
      ["minimize"] + files + ["--rule", "state.total >= 0) || (state.total < 0"])
    #expect(answer.status == .trouble)
    #expect(answer.data.isEmpty)
  }

  @Test("ends with the one action, says from which amount on it happens, and writes the session")
  func coupon() async throws {
    let answer = await runner.run(
      ["minimize"] + files + ["--until", "state.total < 0", "-o", "$/small.retcon"])
    #expect(
      answer.data == """
        1  ≠?    coupon {code: "SPRING", amount: 7.25}
             code may differ: with "" it happens, too
             amount matters: with 0.01 it happens, with 0 not
        1 of 4 actions is enough (14 runs); none of them can be left out, judged up to step 4; a guess: Retcon does not see which effects this reducer starts

        """)
    #expect(answer.messages == "$/small.retcon: steps 0 to 1\n" && answer.status == .yes)
    let found = await runner.run("find", "$/small.retcon", "state.total < 0", "--count")
    #expect(found.data == "1\n")
    #expect(
      await runner.run("mark", "$/small.retcon").data
        == "1  code may differ: with \"\" it happens, too; "
        + "amount matters: with 0.01 it happens, with 0 not\n")
  }

  @Test(
    "searches and tests begin behind the first known state, and say so",
    arguments: [
      (["minimize", "--until", "state.total < 0"], "1 of 2 actions is enough"),
      (["why", "--until", "state.total < 0"], "Necessary: 4 coupon"),
      (["test"], "steps 3 to 5"),
    ])
  func lostStart(command: [String], words: String) async throws {
    let lost = try runner.write(Self.lost, as: "lost.retcon")
    let answer = await runner.run(
      [command[0], lost] + command.dropFirst() + files.dropFirst())
    #expect(answer.status == .yes, "\(answer)")
    #expect(answer.data.contains(words), "\(answer.data)")
    #expect(
      answer.messages
        == "$/lost.retcon: no state before step 2 is known, so this begins behind that step\n")
  }

  @Test(
    "a fork of a session without its first states is written with those that are known",
    arguments: [["minimize", "--until", "state.total < 0"], ["fork", "--skip"]])
  func writtenLostStart(command: [String]) async throws {
    let lost = try runner.write(Self.lost, as: "lost.retcon")
    let place = command[0] == "fork" ? "\(lost)@3" : lost
    let answer = await runner.run(
      [command[0], place] + command.dropFirst() + ["-o", "$/small.retcon"] + files.dropFirst())
    #expect(answer.messages.contains("$/small.retcon: steps 0 to "), "\(answer)")
    let total = await runner.run("watch", "$/small.retcon", "total")
    #expect(total.data.contains("2  5  looked\n3  -"), "\(total)")
  }

  @Test("what happens at the first known state cannot be searched, and the answer says what can")
  func atLostStart() async throws {
    _ = try runner.write(Self.lost, as: "lost.retcon")
    for words in [
      ["why", "$/lost.retcon", "--until", "state.total == 5"], ["test", "$/lost.retcon@2"],
    ] {
      let answer = await runner.run(words + files.dropFirst())
      #expect(answer.status == .trouble && answer.data.isEmpty, "\(answer)")
      #expect(answer.messages.contains("no state before step 2 is known, so"), "\(answer)")
    }
  }

  @Test("a step at which it still holds is not blamed: the search starts where it first held")
  func stillHolds() async throws {
    for words in [["why"], ["minimize"]] {
      let answer = await runner.run(
        [words[0], files[0] + "@3", "--until", "state.total > 2"] + words.dropFirst()
          + files.dropFirst())
      #expect(answer.messages == "$/shop.jsonl: it first holds at step 1\n", "\(answer)")
      #expect(answer.data.contains("; a guess: "), "\(answer.data)")
      let enough = words[0] == "why" ? "Necessary: 1 added.\n" : "1 of 1 action is enough"
      #expect(answer.data.contains(enough) && !answer.data.contains("looked"), "\(answer.data)")
    }
    let never = await runner.run(
      ["why", files[0] + "@5", "--until", "state.total > 2"] + files.dropFirst())
    #expect(never.messages.contains("holds nowhere in $/shop.jsonl@5"), "\(never)")
  }

  @Test("keeps a session of the counter that shows it")
  func counter() async throws {
    let file = await runner.recordCounter()
    let answer = await runner.run(
      "minimize", file, "--until", "state.message", "-o", "$/small.retcon",
      "--host", "\(BuiltProgram.path("retcon")) serve-sample counter")
    #expect(answer.status == .yes, "\(answer)")
    let claim = "none of them can be left out, judged up to step 26; certain"
    #expect(answer.data.contains(claim), "\(answer)")
    let found = await runner.run("find", "$/small.retcon", "state.message", "--count")
    #expect(found.data == "1\n")
  }

  @Test("follows what a reducer throws by its words, and keeps the payload where it is told to")
  func throwing() async throws {
    let session = try runner.write(
      Self.session + #"{"type":"bought"}"# + "\n" + #"{"type":"bought"}"# + "\n", as: "thrown.jsonl"
    )
    let reducer = try runner.write(
      Self.shop.replacing("state.items[0].length", with: "state.items[1].nothing.length"),
      as: "thrower.mjs")
    let answer = await runner.run([
      "minimize", session, "--reducer", reducer, "--crash", "--as-recorded", "--json",
    ])
    #expect(answer.data.hasPrefix(#"{"actions":[{"step":1,"label":"added""#), "\(answer)")
    #expect(answer.data.contains(#"{"step":6,"label":"bought""#), "\(answer)")
    #expect(answer.data.contains(#""of":6"#) && answer.data.contains(#""minimal":true"#))
  }

  @Test(
    "finds what today's reducer does otherwise than was recorded, as a session that differs itself")
  func divergence() async throws {
    let today = Self.shop.replacing(
      "default:", with: "case 'noted': return { ...state, note: action.note };\n    default:")
    let reducer = try runner.write(today, as: "today.mjs")
    _ = try runner.write(
      today.replacing(
        "state.total - action.amount", with: "Math.max(0, state.total - action.amount)"),
      as: "before.mjs")
    let session = try runner.write(
      #"{"type":"looked"}"# + "\n" + #"{"type":"noted","note":"x"}"# + "\n" + Self.session,
      as: "noted.jsonl")
    // Recorded by the reducer of before.
    let recorded = await runner.run(
      "fork", "\(session)@1", "--skip", "--reducer", "$/before.mjs", "-o", "$/before.retcon")
    #expect(recorded.status != .trouble, "\(recorded)")
    let minimize = ["minimize", "$/before.retcon", "--divergence", "--reducer", reducer]
    let answer = await runner.run(minimize + ["--as-recorded", "-o", "$/small.retcon"])
    #expect(
      answer.data == """
        1  =?    added {name: "tea", price: 3}
        2  =?    added {name: "milk", price: 2}
        3  ≠?    coupon {code: "SPRING", amount: 7.25}
        3 of 5 actions are enough (6 runs); none of them can be left out, judged up to step 5; a guess: this session was exported from a fork with unknown steps before
        recorded → today: total 0 → -2.25

        """, "\(answer)")
    let verified = await runner.run("verify", "$/small.retcon", "--reducer", reducer)
    #expect(verified.status == .no)
    #expect(verified.data.contains("/total  0         -2.25"), "\(verified)")
    let same = await runner.run(
      "minimize", "$/before.retcon", "--divergence", "--reducer", "$/before.mjs")
    #expect(same.messages.contains("run again, all steps are as recorded"), "\(same)")
  }

  @Test("lists another failure that it meets, and never follows it")
  func otherFailure() async throws {
    let session = try runner.write(
      Self.session + #"{"type":"bought"}"# + "\n", as: "bought.jsonl")
    let answer = await runner.run(
      ["minimize", session] + files.dropFirst() + ["--until", "state.first == 3", "--as-recorded"])
    #expect(answer.data.contains("2 of 6 actions are enough"), "\(answer)")
    #expect(
      answer.data.contains(
        "also found, a different failure: TypeError: Cannot read properties of undefined"),
      "\(answer)")
  }

  @Test("says what it lacks, and where it has no part to play")
  func troubles() async throws {
    let cases: [([String], String)] = [
      (
        [],
        "--until, --rule, --crash or --divergence is missing. Write --until 'state.total < 0', --rule 'state.total >= 0', --crash or --divergence."
      ),
      (
        ["--until", "state.total > 100"],
        "state.total > 100 holds nowhere in $/shop.jsonl@5. retcon find says where a condition holds."
      ),
      (
        ["--until", "state.total == 0"],
        "it holds in the first state already, before any action. Search for something that actions cause, as in 'state.total < 0 && previous.total >= 0'."
      ),
      (
        ["--crash"],
        "no step crashes or hangs in the re-run. Say what happens with --until or --rule."
      ),
      (
        ["--until", "followedBy(step == 3)"],
        "a search stops where the condition holds, so followedBy cannot look further. Ask about the later step, with precededBy."
      ),
    ]
    for (words, trouble) in cases {
      let answer = await runner.run(["minimize"] + files + words)
      #expect(answer.messages == "retcon: \(trouble)\n" && answer.status == .trouble)
    }
  }
}

extension MinimizeTests {
  /// Runs a reducer's actions through a command.
  private func run(
    _ command: String..., actions: [String], reducer: String, ending: String = "mjs"
  ) async throws -> CommandRunner.Answer {
    for name in ["own.jsonl", "own.\(ending)"] { FileSystem.remove("\(runner.folder)/\(name)") }
    let log = try runner.write(actions.map { $0 + "\n" }.joined(), as: "own.jsonl")
    let file = try runner.write(reducer, as: "own.\(ending)")
    return await runner.run(
      [command[0], log] + command.dropFirst() + ["--reducer", file])
  }

  private static let coupons = """
    export default (state = { coupons: [], discount: 0 }, { type, code, amount }) => {
      if (type !== 'coupon') return state;
      const coupons = [...state.coupons, code];
      return { coupons, discount: state.discount + amount };
    };
    """

  @Test("payloads that are equal stay equal, and those that differ do not become equal")
  func equalities() async throws {
    let spring = #"{"type":"coupon","code":"SPRING","amount":20}"#
    let summer = #"{"type":"coupon","code":"SUMMER","amount":25}"#
    let twice = try await run(
      "minimize", "--simplify", "--rule", "state.discount <= 30",
      actions: [spring, #"{"type":"looked"}"#, spring], reducer: Self.coupons)
    #expect(
      twice.data.hasPrefix(
        """
        1  ≠?    coupon {code: "", amount: 16}
             code may differ: with "" it happens, too, equal to the one in 2
             amount matters: with 16 it happens, with 15 not, equal to the one in 2
        2  ≠?    coupon {code: "", amount: 16}
             amount matters: with 16 it happens, with 15 not, equal to the one in 1

        """), "\(twice.data)")
    let other = try await run(
      "minimize", "--simplify", "--rule", "state.discount <= 30", actions: [spring, summer],
      reducer: Self.coupons)
    #expect(other.data.contains(#"coupon {code: "", amount: 6}"#), "\(other.data)")
    #expect(other.data.contains(#"coupon {code: "S", amount: 25}"#), "\(other.data)")
  }

  @Test("simpler values do not lead to another failure, for which fewer actions are enough")
  func sameFailure() async throws {
    let reducer = """
      export default (s = { people: [], error: null }, { type, id, name }) => {
        if (type === 'create') return { ...s, people: [...s.people, { id, name }] };
        if (type !== 'rename') return s;
        if (!name) return { ...s, error: 'empty name' };
        const isTaken = s.people.some((each) => each.name === name && each.id !== id);
        return { ...s, error: isTaken ? 'taken' : null };
      };
      """
    let answer = try await run(
      "minimize", "--simplify", "--rule", "state.error == null",
      actions: [
        #"{"type":"create","id":1,"name":"Ann"}"#, #"{"type":"create","id":2,"name":"Bob"}"#,
        #"{"type":"rename","id":2,"name":"Ann"}"#,
      ], reducer: reducer)
    #expect(answer.data.contains(#"create {id: 0, name: "A"}"#), "\(answer)")
    #expect(answer.data.contains(#"rename {id: 2, name: "A"}"#), "\(answer)")
  }

  @Test("a rule that breaks at another kind of action is another failure")
  func otherKind() async throws {
    let reducer = """
      export default (s = { n: 0, most: 9 }, a) => a.type === 'cap' ? { ...s, most: 1 }
        : a.type === 'add' ? { ...s, n: Math.min(s.most, s.n + 3) }
        : a.type === 'one' ? { ...s, n: s.n + 1 } : s;
      """
    let answer = try await run(
      "minimize", "--rule", "state.n < 2",
      actions: ["cap", "look", "add", "one"].map { #"{"type":"\#($0)"}"# }, reducer: reducer)
    #expect(answer.data.contains("3 of 4 actions are enough"), "\(answer.data)")
    #expect(
      answer.data.contains("also found, a different failure: it happens at add, not at one\n"),
      "\(answer.data)")
  }

  @Test("what still happens some steps later is not avoided, and minimize says how far it judged")
  func later() async throws {
    let reducer = "export default (s = { n: 0 }, a) => a.type === 'i' ? { n: s.n + 1 } : s;"
    let actions = ["i", "i", "look", "i"].map { #"{"type":"\#($0)"}"# }
    let why = try await run("why", "--until", "state.n == 2", actions: actions, reducer: reducer)
    #expect(why.data.contains("Contributing: 2 i, 1 i.\n"), "\(why.data)")
    #expect(!why.data.contains("ecessary"), "\(why.data)")
    let small = try await run(
      "minimize", "--until", "state.n == 2", actions: actions, reducer: reducer)
    #expect(
      small.data.contains("none of them can be left out, judged up to step 2; "), "\(small.data)")
    let whole = try await run(
      "why", "--until", "state.n == 2", actions: Array(actions.prefix(3)), reducer: reducer)
    #expect(whole.data.contains("Necessary: 2 i, 1 i.\n"), "\(whole.data)")
  }

  @Test("the last run starts in a new process, and a state that differs there is said")
  func freshProcess() async throws {
    let reducer = """
      let calls = 0;
      export default (s = { n: 0, at: 0, looks: 0 }, a) => (
        a.type === 'i' ? { ...s, n: s.n + 1, at: ++calls } : { ...s, looks: s.looks + 1 });
      """
    let answer = try await run(
      "minimize", "--until", "state.n == 2", "-o", "$/small.retcon",
      actions: ["look", "i", "look", "i"].map { #"{"type":"\#($0)"}"# }, reducer: reducer)
    #expect(
      answer.data.contains(
        "in a new process, its state is another than in the search: "
          + "the reducer keeps variables between runs\n"), "\(answer.data)")
    let watched = await runner.run("watch", "$/small.retcon", "at")
    #expect(watched.data == "0  0  init\n1  1  i\n2  2  i\n", "\(watched.data)")
  }

  @Test(
    "an error of TypeScript has its line in the source, also after much memory was freed",
    .needs(.esbuild))
  func sourceLines() async throws {
    let reducer = """
      import v8 from 'node:v8';
      import vm from 'node:vm';
      interface Item {
        name: string;
      }
      interface State { n: number; items: Item[] }

      v8.setFlagsFromString('--expose-gc');
      const collect = vm.runInNewContext('gc');

      export default function shop(state: State = { n: 0, items: [] }, a: any): State {
        collect();
        if (a.type === 'add') return { ...state, items: [...state.items, { name: a.name }] };
        if (a.type === 'first') return { ...state, n: state.items[0].name.length };
        return state;
      }
      """
    let answer = try await run(
      "minimize", "--until", "state.n == 3",
      actions: [
        #"{"type":"look"}"#, #"{"type":"add","name":"tea"}"#, #"{"type":"add","name":"milk"}"#,
        #"{"type":"first"}"#,
      ], reducer: reducer, ending: "ts")
    let failures = answer.data.split(separator: "\n").filter { $0.hasPrefix("also found") }
    #expect(failures.count == 1, "\(answer)")
    #expect(failures.first?.contains("own.ts:14:") == true, "\(answer)")
  }
}

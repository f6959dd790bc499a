import Platform
import Testing

@testable import RetconCommand

@Suite("Questions to a session")
struct AskingTests {
  private static let cart = """
    {"state":{"total":0,"items":[]}}
    {"action":{"type":"cart/add","title":"t\\u001b[2Jea"},"state":{"total":4,"items":["t\\u001b[2Jea"]}}
    {"action":{"type":"cart/coupon"},"state":{"total":-1,"items":["t\\u001b[2Jea"]}}

    """

  private func runner() throws -> CommandRunner {
    let runner = try CommandRunner()
    _ = try runner.write(Self.cart, as: "cart.jsonl")
    let states = [#"{"n": 1}"#, #"{"n": 1}"#, nil, #"{"b": 1}"#, #"{"b": 1}"#]
    let late = states.map { #"{"action": "go""# + ($0.map { #", "state": \#($0)"# } ?? "") + "}\n" }
    _ = try runner.write(late.joined(), as: "late.jsonl")
    _ = try runner.write("{\n  \"action\": 1\n}\n", as: "pretty.jsonl")
    #expect(mkdir(runner.folder + "/shop", 0o700) == 0)
    return runner
  }

  private typealias Case = (words: [String], status: Int32, messages: String)
  private static let cases: [Case] = [
    (["steps"], 2, "retcon: steps needs a file. Write retcon steps FILE[@BRANCH/STEP].\n"),
    (
      ["find", "$/cart.jsonl"], 2,
      "retcon: find needs a condition. Write retcon find FILE CONDITION.\n"
    ),
    (
      ["find", "$/cart.jsonl", "a", "b"], 2,
      "retcon: find takes no argument b. Quote what belongs together.\n"
    ),
    (
      ["find", "$/cart.jsonl", "state.totl < 0"], 1,
      // A name may be written with escapes, as a text of the file is: only the ends are certain.
      "retcon: there is no state.totl at steps 0 and 2. Did you mean state.total?\n"
    ),
    (
      ["find", "$/cart.jsonl", "previous.totl < 0"], 1,
      "retcon: there is no previous.totl at steps 0 and 2. Did you mean previous.total?\n"
    ),
    (
      ["find", "$/cart.jsonl", "action.titl == 'tea'"], 2,
      "retcon: no step has action.titl. Did you mean action.title?\n"
    ),
    (
      ["find", "$/cart.jsonl", "standing.outcom == 'equal'"], 2,
      "retcon: no step has standing.outcom. Did you mean standing.outcome?\n"
    ),
    (
      ["find", "$/cart.jsonl", "totl < 0"], 2,
      "retcon: the condition is not understood:\ntotl < 0\n"
        + "^ “totl” is none of the words that a step has.\nDid you mean “state.total”?\n"
    ),
    (
      ["check", "$/cart.jsonl", "--rule", "outcome == 'equal'"], 2,
      "retcon: the condition is not understood:\noutcome == 'equal'\n"
        + "^ “outcome” is none of the words that a step has.\nWrite “standing.outcome”.\n"
    ),
    (
      ["find", "$/cart.jsonl", "cause == 'usr'"], 1,
      "retcon: no cause is “usr”. Did you mean “user”?\n"
    ),
    (
      ["find", "$/cart.jsonl", "standing.values == 'recordd'"], 1,
      "retcon: no standing.values is “recordd”. Did you mean “recorded”?\n"
    ),
    (
      ["steps", "$/cart.jsonl", "--where", "standing.outcome == 'bad'"], 1,
      "retcon: no standing.outcome is “bad”. There is equal, different, new, undecodable, crashed, "
        + "timed out.\n"
    ),
    (
      ["find", "$/cart.jsonl", "standing == 'assumd'"], 1,
      "retcon: standing is no text. Write standing.values == 'assumed'.\n"
    ),
    (
      ["find", "$/cart.jsonl", "branch == 'mian'"], 1,
      "retcon: no branch is “mian”. Did you mean “main”?\n"
    ),
    (
      ["steps", "$/cart.jsonl", "--where", "label == 'cart/ad'"], 1,
      "retcon: no step is labelled “cart/ad”. Did you mean “cart/add”?\n"
    ),
    (
      ["info", "$/crat.jsonl"], 2,
      "retcon: $/crat.jsonl: there is no such file. Did you mean $/cart.jsonl?\n"
    ),
    (
      ["info", "$/shop.retcon"], 2,
      "retcon: $/shop.retcon: there is no such file. Check the name.\n"
    ),
    (["info", ""], 2, "retcon: the name of the file is empty. Name a session.\n"),
    (
      ["info", "$/pretty.jsonl"], 2,
      "retcon: $/pretty.jsonl, line 1, column 2: the line is not JSON: expected a key or }, found the "
        + "end of the text. Repair or remove it, or write each record on one line: jq -c . FILE.\n"
    ),
    (
      ["state", "$/cart.jsonl@25%"], 2,
      "retcon: $/cart.jsonl has no branch “25%”. It has main. The place of a step is its number: "
        + "FILE@2 is the last.\n"
    ),
    (
      ["state", "$/cart.jsonl@end"], 2,
      "retcon: $/cart.jsonl has no branch “end”. It has main. The place of a step is its number: "
        + "FILE@2 is the last.\n"
    ),
    (["steps", "$/cart.jsonl", "--range", "2..2000"], 0, ""),
    (
      ["steps", "$/cart.jsonl", "--range", "3..2000"], 2,
      "retcon: $/cart.jsonl: there is no step 3, the steps are 0 to 2.\n"
    ),
    (
      ["diff", "$/cart.jsonl@1", "@2", "--at", "totl"], 2,
      "retcon: nothing is at /totl in either state. Did you mean /total?\n"
    ),
    (
      ["find", "$/cart.jsonl", "label == 'coupon'"], 1,
      "retcon: no step is labelled “coupon”. Did you mean “cart/coupon”?\n"
    ),
    (
      ["find", "$/cart.jsonl", "label == 'nosuch'"], 1, "retcon: no step is labelled “nosuch”.\n"
    ),
    (
      ["find", "$/cart.jsonl", "lable == 'x'"], 2,
      "retcon: the condition is not understood:\nlable == 'x'\n"
        + "^ “lable” is none of the words that a step has.\nDid you mean “label”?\n"
    ),
    (
      ["state", "$/cart.jsonl@9"], 2,
      "retcon: $/cart.jsonl: there is no step 9, the steps are 0 to 2.\n"
    ),
    (
      ["state", "$/cart.jsonl", "totl"], 1,
      "retcon: nothing is at /totl after step 2. Did you mean /total?\n"
    ),
    (
      ["blame", "$/cart.jsonl", "items[7]"], 1, "retcon: there was never a value at /items/7.\n"
    ),
    (
      ["blame", "$/cart.jsonl@1", "items[7]"], 1,
      "retcon: up to step 1 there was never a value at /items/7.\n"
    ),
    (
      ["why", "$/late.jsonl@1", "b"], 2,
      "retcon: up to step 1 no known state has a value at /b. Did you mean /n?\n"
    ),
    (
      ["watch", "$/late.jsonl", "n", "--range", "4..5"], 1,
      "retcon: in steps 4 to 5 there was never a value at /n. Did you mean /b?\n"
    ),
    (
      ["blame", "$/late.jsonl", "c"], 1,
      "retcon: no known state has a value at /c. Did you mean /b?\n"
    ),
    (
      ["steps", "$/cart.jsonl@fork/2"], 2,
      "retcon: $/cart.jsonl has no branch “fork”. It has main.\n"
    ),
    (
      ["mark", "$/cart.jsonl", "a note"], 2,
      "retcon: mark needs a step. Write FILE@STEP.\n"
    ),
    (
      ["diff", "$/cart.jsonl@0"], 2,
      "retcon: step 0 is the first: there is no step before it. Name two positions.\n"
    ),
    (
      ["watch", "$/cart.jsonl", "a b"], 2,
      "retcon: a b is not a path in the state. Write cart.items[3].title or /cart/items/3/title.\n"
    ),
  ]

  @Test("exit status and words for what is not there", arguments: cases.indices)
  func trouble(index: Int) async throws {
    let (words, status, messages) = Self.cases[index]
    let answer = await (try runner()).run(words)
    #expect(answer.status.rawValue == status)
    #expect(answer.messages == messages)
  }

  @Test("nothing of a session acts on the terminal, as text and as JSON")
  func safety() async throws {
    let runner = try runner()
    for words in [
      ["steps", "$/cart.jsonl"], ["show", "$/cart.jsonl@1"], ["state", "$/cart.jsonl@1"],
      ["diff", "$/cart.jsonl@1"], ["watch", "$/cart.jsonl", "items"],
      ["blame", "$/cart.jsonl", "items[0]"], ["find", "$/cart.jsonl", "step == 1"],
    ] {
      for words in words.first == "state" ? [words] : [words, words + ["--json"]] {
        let answer = await runner.run(words)
        #expect(answer.data.contains("ea"), "\(words)")
        #expect(!answer.data.contains("\u{1B}"), "\(words)")
      }
    }
  }

  @Test("an export does not tell who sent an action, and neither does an answer")
  func causes() async throws {
    let runner = try runner()
    #expect(
      await runner.run("blame", "$/cart.jsonl", "total", "--last").data == """
        /total  2  -1
          2 cart/coupon

        """)
    #expect(!(await runner.run("show", "$/cart.jsonl@2", "--json").data.contains("\"cause\"")))
  }

  @Test("where Redux DevTools noted the place that sent an action, it is shown call by call")
  func stack() async throws {
    let runner = try runner()
    let file = try runner.write(
      #"""
      {"actionsById":{"0":{"action":{"type":"@@INIT"}},
       "1":{"action":{"type":"a"},"stack":"Error\n    at pay (cart.js:7:3)\n    at click (ui.js:1:2)"}},
       "stagedActionIds":[0,1],"computedStates":[{"state":{}},{"state":{}}]}
      """#, as: "lifted.json")
    #expect(
      await runner.run("show", file + "@1", "--pane", "action").data == """
          a
          the file does not say what sent it

          type: "a"

          Sent from
            Error
            at pay (cart.js:7:3)
            at click (ui.js:1:2)

        """)
    #expect(
      await runner.run("show", file + "@1", "--json").data
        .contains(#""stack":"Error\n    at pay (cart.js:7:3)\n    at click (ui.js:1:2)""#))
  }

  @Test(
    "what to type for states fits the tool that wrote the file",
    arguments: [
      (#"{"mutation":{"type":"set"},"state":1}"#, "--reducer FILE.js"),
      (#"{"breadcrumbs":[{"category":"redux.action","data":{"type":"a"}}]}"#, "--reducer FILE.js"),
      (#"{"history":[{"$":"Increment"}]}"#, "--host COMMAND"),
      (#"[{"timestamp":1,"action":{"type":"Add"}}]"#, "--host COMMAND"),
    ])
  func reducers(text: String, option: String) async throws {
    let runner = try CommandRunner()
    let file = try runner.write(text, as: "log.json")
    let frame = await runner.run("open", file, "--print", "200x24")
    #expect(frame.data.contains(option), "\(frame)")
    let fork = await runner.run("fork", file + "@1", "--skip")
    #expect(fork.messages.contains("a fork needs the app's reducer. Add \(option)"), "\(fork)")
  }

  @Test("a log whose actions have a type may be of a reducer in JavaScript")
  func typedLog() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(#"{"action":{"type":"add"}}"# + "\n", as: "log.jsonl")
    let frame = await runner.run("open", file, "--print", "200x24")
    #expect(frame.data.contains("--reducer FILE.js"), "\(frame)")
    let fork = await runner.run("fork", file + "@1", "--skip")
    #expect(
      fork.messages.contains("Add --reducer FILE.js or --host COMMAND."), "\(fork)")
  }

  @Test("what a tool's files do not tell is said, in the facts and in the debugger")
  func caveats() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(#"{"op":"replace","path":"/n","value":1}"#, as: "log.jsonl")
    let words = "labels from `op`: a patch does not tell its action"
    #expect(await runner.run("info", file).data.contains("caveat         \(words)\n"))
    let frame = await runner.run("open", file, "--print", "120x24")
    #expect(frame.data.contains(words), "\(frame)")
  }

  @Test("differences have the status of diff, and JSON that leads from one to the other")
  func differences() async throws {
    let runner = try runner()
    #expect(await runner.run("diff", "$/cart.jsonl@1", "@1") == .init(status: .yes))
    #expect(
      await runner.run("diff", "$/cart.jsonl@1", "@2", "--json")
        == .init(
          status: .no,
          data: #"{"equal":false,"at":"","changes":[{"op":"replace","path":"/total","value":-1}]}"#
            + "\n"))
    #expect(
      await runner.run("diff", "$/cart.jsonl@1", "$/cart.jsonl@2", "--at", "items")
        == .init(status: .yes))
  }

  @Test(
    "a rule that could not be looked at everywhere is trouble, one that is broken names its step")
  func rules() async throws {
    let runner = try runner()
    let rules = try runner.write("# money\nstate.total >= 0\n\nstate.total < 9\n", as: "rules.txt")
    let answer = await runner.run("check", "$/cart.jsonl", "--rules", rules)
    #expect(answer.status == .no)
    #expect(
      answer.data == """
        ✗ state.total >= 0
          broken at $/cart.jsonl@2
          2 cart/coupon  the file does not say what sent it
          state/total is -1 since step 2
        ✓ state.total < 9  (3 steps)

        """)
    let bare = try runner.write("{\"action\":{\"type\":\"a\"}}\n", as: "bare.jsonl")
    let unknown = await runner.run("check", bare, "--rule", "state.total >= 0")
    #expect(unknown.status == .trouble)
    #expect(unknown.data == "? state.total >= 0  (0 steps; 1 step has no known state)\n")
  }

  @Test("an @ belongs to the place, but for blame")
  func at() async throws {
    let runner = try runner()
    let log = try runner.write(
      """
      {"action":{"type":"a"},"state":{"n":1,"n@1":10}}
      {"action":{"type":"b"},"state":{"n":2,"n@1":20}}

      """, as: "log.jsonl")
    #expect(await runner.run("state", log + "@2", "/n@1").data == "20\n")
    let path = await runner.run("state", log + "@2", "n@1")
    #expect(path.messages.contains("n@1 is not a path in the state"), "\(path)")
    let blamed = await runner.run("blame", log, "n@1", "--last")
    #expect(blamed.data.contains("1 a"), "\(blamed)")
  }
}

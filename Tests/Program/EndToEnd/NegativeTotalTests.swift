import Platform
import TerminalDriver
import TestSupport
import Testing

/// A Redux export, no source at hand: from the first look to a test that is green.
@Suite("The negative total", .needs(.tmux, .node, .samples))
struct NegativeTotalTests {
  private let folder: TemporaryFolder
  private let export: String
  private let reducer: String

  init() throws {
    folder = try TemporaryFolder()
    export = try folder.write(
      TemporaryFolder.bytes(of: SampleFiles.path("redux-shop.lifted.json")), to: "shop.json")
    reducer = try folder.write(
      TemporaryFolder.bytes(of: SampleFiles.path("redux-shop.reducer.mjs")), to: "shop.mjs")
  }

  @Test("is found, followed back to who set the value, and searched for", arguments: Extent.both)
  func looking(extent: Extent) throws {
    let session = try Retcon.inTmux([export], columns: extent.columns, rows: extent.rows)
    try session.wait(for: "main   300/602")
    try session.type("g")
    try session.wait(for: "main   0/602")
    try session.type(";state.total < 0\n")
    try session.wait(until: "the first of five hits") { screen in
      screen.contains("main   4/602") && screen.contains("1 of 5 hits")
        && screen.contains("27.14 → -0.75")
    }
    // In the state: who set it before, and for how long it was held.
    try session.press("M-2", "Enter")
    try session.type("/total\n")
    try session.type("#")
    try session.wait(until: "the step that set it") { screen in
      screen.contains("main   1/602")
        && screen.contains("total  0 → 27.14; 27.14 was held for 3 steps")
    }
    // It comes right again without an effect.
    try session.type("q5Go")
    try session.wait(for: "No effect sent this action, and it started none.")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("S finds the one action, and the fork says what is known of it")
  func searching() throws {
    let session = try Retcon.inTmux([export, "--reducer", reducer], columns: 110, rows: 34)
    try session.wait(for: "●")
    try session.type("S")
    try session.wait(for: "what happens, as in state.total < 0")
    try session.type("state.total < 0\n")
    try session.wait(until: "the smallest session") { screen in
      screen.contains("payload.amount matters: with 0.01 it happens,")
        && screen.contains("1 of 4 actions is enough")
    }
    try session.type("q'")
    try session.wait(for: "fork 1/1  cart/couponApplied  needed")
    try session.type("q")
    // The fork is looked at, and says what a mended reducer makes of it.
    try session.press("M-1")
    try session.type("]")
    try session.wait(for: "fork 1 ? assumed")
    try mend()
    try session.wait(for: "R runs everything again")
    try session.type("R")
    try session.wait(for: "Gone: “fork 1” has no step with state.total < 0.")
    try session.type("qq")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("is one action, and a test that is red until the reducer is mended")
  func mending() throws {
    let rule = ["--rule", "state.total >= 0"]
    let check = try PseudoTerminal(Retcon.path, ["check", export] + rule)
    #expect(try check.waitForExit() == .exited(1))
    #expect(check.visibleOutput.contains("broken at \(export)@4"))
    let host = ["--reducer", reducer]
    let minimize = try PseudoTerminal(
      Retcon.path,
      ["minimize", export] + host + ["--until", "state.total < 0", "-o", folder("small.retcon")])
    #expect(try minimize.waitForExit(seconds: 60) == .exited(0))
    #expect(minimize.visibleOutput.contains(" runs, 1 of 4 actions left"), "it is told on the way")
    #expect(minimize.visibleOutput.contains("cart/couponApplied {code: \"SAVE\", amount: 27.89}"))
    #expect(minimize.visibleOutput.contains("amount matters: with 0.01 it happens, with 0 not"))
    #expect(minimize.visibleOutput.contains("1 of 4 actions is enough"))
    let test = try PseudoTerminal(
      Retcon.path,
      ["test", folder("small.retcon")] + host + rule + ["-o", folder("small.test.mjs")])
    #expect(try test.waitForExit() == .exited(0))
    #expect(try runTest() == .exited(1))
    try mend()
    #expect(try runTest() == .exited(0))
  }

  private func mend() throws {
    let source = folder.text("shop.mjs")
    let bug = "cents(state.total - action.payload.amount)"
    #expect(source.contains(bug))
    _ = try folder.write(source.replacing(bug, with: "Math.max(0, \(bug))"), to: "shop.mjs")
  }

  private func runTest() throws -> ProcessEnd {
    try PseudoTerminal("/bin/sh", ["-c", "exec node --test '\(folder("small.test.mjs"))'"])
      .waitForExit(seconds: 60)
  }

  @Test("Ctrl-C ends the search on the command line, and keeps the best so far")
  func interrupting() throws {
    // Each of sixty actions is needed, and takes its time.
    let slow = try folder.write(
      """
      export default (state = { count: 0 }, action) => {
        for (const end = performance.now() + 5; performance.now() < end;);
        return action.type === 'added' ? { count: state.count + 1 } : state;
      };
      """, to: "slow.mjs")
    let actions = String(repeating: #"{"type":"added"}"# + "\n", count: 60)
    let session = try folder.write(
      #"{"type":"looked"}"# + "\n" + actions, to: "slow.jsonl")
    let minimize = try PseudoTerminal(
      Retcon.path,
      [
        "minimize", session, "--reducer", slow, "--until", "state.count >= 60", "-j", "1", "-o",
        folder("best.retcon"),
      ])
    try minimize.wait(for: " runs, 60 of 61 actions left", seconds: 60)
    minimize.type("\u{3}")
    #expect(try minimize.waitForExit(seconds: 60) == .exited(0))
    #expect(minimize.visibleOutput.contains("60 of 61 actions are enough"))
    #expect(minimize.visibleOutput.contains("the best so far: it was stopped"))
    #expect(folder.text("best.retcon").contains(#"{"step":60,"#))
  }
}

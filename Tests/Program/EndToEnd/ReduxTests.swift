import Platform
import TerminalDriver
import TestSupport
import Testing

/// An export that holds nothing but actions, with the reducer that computes its states.
@Suite("A Redux export and its reducer", .needs(.tmux, .node, .samples))
struct ReduxTests {
  @Test("the negative totals are found, and skipping the coupon forks", arguments: Extent.both)
  func negativeTotal(extent: Extent) throws {
    let folder = try TemporaryFolder()
    // Beside the file would lie the marks and forks.
    let export = try folder.write(
      TemporaryFolder.bytes(of: SampleFiles.path("redux-shop.default.json")),
      to: "redux-shop.default.json")
    let session = try Retcon.inTmux(
      [export, "--reducer", SampleFiles.path("redux-shop.reducer.mjs")],
      columns: extent.columns, rows: extent.rows)
    try session.wait(for: "/602")
    try session.type(";state.total < 0\n")
    // The step that the author skipped is not marked in this form: it computes the total anew.
    try session.wait(for: "4 hits")
    try session.type(":goto 17\n")
    try session.wait(for: "-21.04 → 77.64")
    try session.type("g")
    try session.type("n")
    try session.wait(for: "main   4/602")
    try session.type("x")
    try session.wait(for: "fork 1 ? assumed   ")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("of the lifted form all five are found, and a step that was skipped is taken back in")
  func takenBackIn() throws {
    let folder = try TemporaryFolder()
    let export = try folder.write(
      TemporaryFolder.bytes(of: SampleFiles.path("redux-shop.lifted.json")), to: "lifted.json")
    let session = try Retcon.inTmux(
      ["\(export)@17", "--reducer", SampleFiles.path("redux-shop.reducer.mjs")], columns: 120)
    try session.wait(for: "main   17/602")
    try session.type(";state.total < 0\n")
    try session.wait(for: "5 hits")
    try session.type(":goto 17\nx")
    try session.wait(for: "fork 1 ? assumed   17/602")
    try session.wait(for: "-21.04 → 77.64")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("the page for who has an export and no Swift is followed")
  func page() throws {
    let page = String(
      decoding: TemporaryFolder.bytes(of: "\(Checkout.root)/docs/redux.md"), as: UTF8.self)
    func block(_ language: String) throws -> [UInt8] {
      let parts = page.split(separator: "```\(language)\n", maxSplits: 1)
      return Array(try #require(parts.last?.split(separator: "```").first).utf8)
    }
    let folder = try TemporaryFolder()
    let words = try [
      folder.write(try block("json"), to: "export.json"), "--reducer",
      folder.write(try block("js"), to: "cart.mjs"),
    ]
    #expect(page.contains("retcon export.json --reducer cart.mjs"))
    let looking = try Retcon.inTmux([words[0]])
    try looking.wait(for: "main   0/3")
    try looking.type("j:pane state\n")
    try looking.wait(for: "--reducer FILE.js")
    try looking.press("q")
    #expect(try looking.waitForExit() == .exited(0))
    let session = try Retcon.inTmux(words)
    try session.wait(for: "main   0/3")
    #expect(
      page.contains("`;` and `state.total < 0` finds the coupon, `x` leaves it out in a fork"))
    try session.type(";state.total < 0\n")
    try session.wait(for: "main   2/3")
    try session.wait(for: "12 → -8")
    try session.type(":notices\n")
    try session.wait(for: "cart.mjs computed them from the actions")
    try session.type("qx")
    try session.wait(for: "fork 1 ? assumed   2/2")
    try session.type(":goto main/2\n")
    try session.type("fi")
    try session.wait(for: "fork at step 2 of main")
    try session.press("Escape")
    // "Change the reducer, and `R` computes all of them anew."
    _ = try folder.write(
      Array(
        try String(decoding: block("js"), as: UTF8.self).replacing("- action", with: "- 2 * action")
          .utf8),
      to: "cart.mjs")
    try session.wait(for: "rebuilt: R runs everything again")
    try session.type("R")
    try session.wait(for: "12 → -28")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("a fork that is opened again is as sure as before")
  func openedAgain() throws {
    let folder = try TemporaryFolder()
    let export = try folder.write(
      Array(#"{"payload":"[{\"type\":\"no\"},{\"type\":\"add\"}]"}"#.utf8), to: "state.json")
    let file = try folder.write(
      Array(
        "export default (s = { n: 0 }, a) => ({ n: s.n + (a.type === 'add' ? 1 : 0) })\n".utf8),
      to: "reducer.mjs")
    for keys in [":goto 1\nx", ""] {
      let session = try Retcon.inTmux([export, "--reducer", file])
      try session.wait(for: keys.isEmpty ? "fork 1 " : "/2")
      try session.type(keys)
      try session.wait(for: "fork 1 ? assumed   1/1")
      try session.press("q")
      #expect(try session.waitForExit() == .exited(0))
    }
  }

  @Test(
    "R after a change of the reducer computes all states anew, the recording's and the search's")
  func changedReducer() throws {
    let folder = try TemporaryFolder()
    let export = try folder.write(
      Array(#"{"payload":"[{\"type\":\"add\"},{\"type\":\"add\"}]"}"#.utf8), to: "state.json")
    func reducer(by amount: Int) -> [UInt8] {
      Array(
        "export default (s = { n: 0 }, a) => ({ n: s.n + (a.type === 'add' ? \(amount) : 0) })\n"
          .utf8)
    }
    let file = try folder.write(reducer(by: 1), to: "reducer.mjs")
    let session = try Retcon.inTmux(["\(export)@2", "--reducer", file])
    try session.wait(for: "1 → 2")
    try session.type(";state.n > 10\n")
    try session.wait(for: "0 hits")
    try folder.write(reducer(by: 7), to: "reducer.mjs")
    try session.wait(for: "rebuilt: R runs everything again")
    try session.type("R")
    try session.wait(for: "7 → 14")
    try session.type("gn")
    try session.wait(for: "main   2/2")
    try session.wait(for: "1 hit")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}

import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite(
  "A fork is played in the running app",
  .needs(.tmux, .node))
struct PlayingInTheAppTests {
  /// At 5 it answers by itself, which the reducer cannot know.
  private static let app = """
    \(SmallStore.inJavaScript)
    const reducer = (state = { n: 0 }, { type, by }) =>
      (type === 'add' ? { n: state.n + by } : type === 'double' ? { n: state.n * 2 } : state);
    const store = createStore(reducer, window.__REDUX_DEVTOOLS_EXTENSION__({ name: 'counter' }));
    store.subscribe(() => { if (store.getState().n === 5) store.dispatch({ type: 'double' }); });
    for (const by of [1, 2, 3]) store.dispatch({ type: 'add', by });
    setInterval(() => {}, 1000);
    """

  @Test("what follows is a fork of its own, and main goes on when the app is back")
  func play() throws {
    let folder = try TemporaryFolder()
    let app = try folder.write(Self.app, to: "app.mjs")
    let file = "\(folder.path)/counter.retcon"
    let session = try Retcon.inTmux(
      ["attach", "-o", file, "--", "node", app], columns: 120, rows: 36)
    try session.wait(for: "main   3/3")
    try session.type(":goto 1\nx")
    try session.wait(for: "fork 1 ? assumed   1/2")
    try session.type(":app play\n")
    try session.wait(for: "then the 2 actions of “fork 1”")
    try session.type(":app play\n")
    try session.wait(for: "The app’s actions are “fork 1 in the app”")
    try session.wait(for: "└… fork 1 in the app")
    try session.type("B")
    try session.wait(for: "sends double after 0 of main")
    try session.type("jj\n")
    try session.wait(until: "the fork of the app is open") { screen in
      screen.contains("fork 1 in the app ") && screen.contains("   1/3")
    }
    try session.type("G")
    try session.wait(for: "5 → 10")
    for _ in 1...2 { try session.type(":app back\n") }
    try session.wait(for: "The app is back.")
    try session.type(":goto main/4\n")
    try session.wait(for: "@@retcon/jump")
    try session.wait(for: "n: 6")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}

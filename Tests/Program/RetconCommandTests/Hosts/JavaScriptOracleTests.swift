import Platform
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

/// The oracle of `Tests/JavaScriptApps`, with stores of a few lines in place of the libraries, which
/// `make javascript-oracle` takes.
@Suite("Forks of whole JavaScript apps and live runs", .needs(.node))
struct JavaScriptOracleTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    for (name, text) in [
      (
        "redux",
        """
        \(SmallStore.inJavaScript)
        \(SmallStore.middlewareInJavaScript)
        const compose = (...all) => (make) => all.reduceRight((made, each) => each(made), make);
        export { createStore as legacy_createStore, applyMiddleware, compose };
        """
      ),
      ("redux-thunk", "\(SmallStore.middlewareInJavaScript)\nexport { thunkMiddleware as thunk };"),
      ("zustand", "\(SmallStore.zustandInJavaScript)\nexport { create as createStore };"),
    ] {
      let folder = "\(runner.folder)/node_modules/\(name)"
      for each in ["\(runner.folder)/node_modules", folder] { mkdir(each, 0o700) }
      try FileSystem.write(text + "\n", to: "\(folder)/index.mjs")
      try FileSystem.write(
        #"{"type":"module","exports":{".":"./index.mjs","./vanilla":"./index.mjs"}}"#,
        to: "\(folder)/package.json")
    }
  }

  private func run(_ words: [String]) throws -> (text: String, status: Int32) {
    let script = "\(Checkout.root)/Tests/JavaScriptApps/oracle/oracle.mjs"
    let folder = Self.libraries ?? runner.folder
    let places = ["--retcon", BuiltProgram.path("retcon"), "--libs", folder]
    return try Subprocess.output(
      of: ["node", script] + places + words, in: runner.folder, showsErrors: true)
  }

  /// A folder with the real libraries, which not every machine has.
  private static let libraries = getenv("RETCON_JAVASCRIPT_LIBS").map { String(cString: $0) }
  private static let apps =
    ["thunks", "zustand", "channels"]
    + (libraries == nil ? [] : ["asyncThunk", "query", "listener", "saga", "edges"])

  @Test("no known step of a fork is one that the app does not do", arguments: apps)
  func truth(app: String) throws {
    let counts = getenv("RETCON_LONG") == nil ? ["2", "2"] : ["25", "4"]
    let (table, status) = try run(
      ["--apps", app, "--sessions", counts[0], "--edits", counts[1]])
    #expect(status == 0, "\(table)")
  }
}

import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("An app that died, in its own debugger")
struct CrashTests {
  @Test(
    "the step that killed the app is shown, runs in a fork, and kills nothing but that",
    .needs(.tmux))
  func crash() throws {
    let folder = try TemporaryFolder()
    let path = folder("cart.retcon")
    let app = BuiltProgram.path("CrashingApp")
    let recording = try PseudoTerminal("/bin/sh", ["-c", "\"$0\" record \"$1\" 2>&1", app, path])
    #expect(try recording.waitForExit() != .exited(0))

    let session = try TmuxSession(app, [path + "@4"], columns: 110, rows: 30)
    try session.wait(for: "step 5 (remove) began and never ended; the app stopped inside its")
    try session.wait(for: "●")
    try session.type("fi")
    try session.wait(for: "fork at step 4 of main")
    try session.wait(for: ":fork send remove {")
    try session.press("Enter")
    try session.wait(for: "“fork 1” crashed at step 6: ")
    try session.wait(for: Trap.saysWhy ? "Index out of range" : "SIGILL")
    // The step before the crash is one like every other.
    try session.press("k", "j")
    try session.wait(for: "items")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))

    let verification = try PseudoTerminal(app, ["verify", path])
    #expect(try verification.waitForExit() == .exited(1))
    // Where its reducer goes through, the step of a fork is whole.
    let fork = try PseudoTerminal(
      "/bin/sh", ["-c", "CART_IS_FIXED=1 exec \"$0\" fork \"$1\" --skip", app, path + "@2"])
    #expect(try fork.waitForExit() == .exited(1))
    #expect(fork.visibleOutput.contains("“the fork” ran 3 steps"))
    #expect(!fork.visibleOutput.contains("never ended"))
  }

  @Test("an app's own debugger calls rules in the app's types")
  func ownRules() throws {
    let folder = try TemporaryFolder()
    let path = folder("cart.retcon")
    let app = BuiltProgram.path("CrashingApp")
    let recording = try PseudoTerminal(app, ["record", path, "safely"])
    #expect(try recording.waitForExit() == .exited(0))
    let check = try PseudoTerminal(
      app, ["check", path, "--rule", "app#isPaid"], columns: 200, rows: 40)
    #expect(try check.waitForExit() == .exited(1))
    #expect(check.visibleOutput.contains("app#isPaid: 2 items for 6"), "\(check.visibleOutput)")
    #expect(check.visibleOutput.contains("cart.retcon@2"), "\(check.visibleOutput)")
    let smallest = try PseudoTerminal(
      app, ["minimize", path, "--rule", "app#isPaid"], columns: 200, rows: 40)
    #expect(try smallest.waitForExit() == .exited(0), "\(smallest.visibleOutput)")
    #expect(smallest.visibleOutput.contains("2 of 2 actions"), "\(smallest.visibleOutput)")
  }

  @Test(
    "an app's own debugger is a host for retcon, and a fork does not crash with the fork that it leaves"
  )
  func forkOfCrashedFork() throws {
    let folder = try TemporaryFolder()
    let path = folder("cart.retcon")
    let (app, retcon) = (BuiltProgram.path("CrashingApp"), BuiltProgram.path("retcon"))
    let recording = try PseudoTerminal(app, ["record", path, "safely"])
    #expect(try recording.waitForExit() == .exited(0))
    func fork(_ place: String, _ edit: [String], says: String...) throws {
      let fork = try PseudoTerminal(
        retcon, ["fork", "\(path)@\(place)"] + edit + ["--host", app], columns: 200, rows: 40)
      _ = try fork.waitForExit()
      for text in says { #expect(fork.visibleOutput.contains(text), "\(fork.visibleOutput)") }
    }
    try fork(
      "2", ["--replace", #"{"remove":{"at":9}}"#, "--name", "A"], says: "“A” crashed at step 2: ")
    let unknown = "parent crashed at step 2"
    try fork(
      "A/2", ["--skip"], says: "“the fork” ran no step of its own", unknown, "without step 2 remove"
    )
    try fork(
      "A/2", ["--replace", #"{"add":{"_0":"jam","price":9}}"#], says: "“the fork” ran 1 step",
      unknown)
    try fork(
      "A/1", ["--send", #"{"add":{"_0":"jam","price":9}}"#], says: "“the fork” crashed at step 3: ")
  }

  @Test("what minimize writes crashes again")
  func minimized() throws {
    let folder = try TemporaryFolder()
    let (path, small) = (folder("cart.retcon"), folder("small.retcon"))
    let app = BuiltProgram.path("CrashingApp")
    let recording = try PseudoTerminal("/bin/sh", ["-c", "\"$0\" record \"$1\" 2>&1", app, path])
    #expect(try recording.waitForExit() != .exited(0))

    let minimize = try PseudoTerminal(
      app, ["minimize", path, "--crash", "-o", small], columns: 200, rows: 40)
    #expect(try minimize.waitForExit() == .exited(0), "\(minimize.visibleOutput)")
    #expect(minimize.visibleOutput.contains("steps 0 to 1"), "\(minimize.visibleOutput)")
    let verification = try PseudoTerminal(app, ["verify", small], columns: 200, rows: 40)
    #expect(try verification.waitForExit() == .exited(1))
    #expect(
      verification.visibleOutput.contains("all as recorded; step 1 stops the app again"),
      "\(verification.visibleOutput)")
  }

  @Test("a test of its session ends with the action that killed it, in a process of its own")
  func written() throws {
    let folder = try TemporaryFolder()
    let path = folder("cart.retcon")
    let app = BuiltProgram.path("CrashingApp")
    let recording = try PseudoTerminal("/bin/sh", ["-c", "\"$0\" record \"$1\" 2>&1", app, path])
    #expect(try recording.waitForExit() != .exited(0))
    func test(_ words: String...) throws -> String {
      let test = try PseudoTerminal(app, ["test", path] + words, columns: 120, rows: 60)
      #expect(try test.waitForExit() == .exited(0))
      return test.visibleOutput
    }
    let exit = "await #expect(processExitsWith: .success) { try await CartTests.run() }"
    let plain = try test()
    #expect(plain.contains(exit) && plain.contains("await store.send(.remove(at: 7))"), "\(plain)")
    _ = try test("--as", "replay", "-o", folder("CartTests.swift"))
    let file = open(folder("CartTests.swift"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let replay = String(decoding: WholeTransfer.readAll(from: file) ?? [], as: UTF8.self)
    #expect(replay.contains(exit), "\(replay)")
  }

  @Test("forked before the crash, fixed, rebuilt, R: the fork goes through", .needs(.tmux))
  func fixed() throws {
    let folder = try TemporaryFolder()
    let path = folder("cart.retcon")
    let built = BuiltProgram.path("CrashingApp")
    // The app's own debugger is a file that a build can put another one in the place of.
    let app = folder("CartDebugger")
    let copying = try PseudoTerminal("/bin/cp", [built, app])
    #expect(try copying.waitForExit() == .exited(0))
    let recording = try PseudoTerminal("/bin/sh", ["-c", "\"$0\" record \"$1\" 2>&1", app, path])
    #expect(try recording.waitForExit() != .exited(0))

    let session = try TmuxSession(app, [path + "@4"], columns: 110, rows: 30)
    try session.wait(for: "step 5 (remove) began and never ended")
    try session.wait(for: "●")
    try session.type("fi")
    try session.wait(for: "fork at step 4 of main")
    try session.wait(for: ":fork send remove {")
    try session.press("Enter")
    try session.wait(for: "“fork 1” crashed at step 6: ")
    try folder.write("#!/bin/sh\nCART_IS_FIXED=1 exec '\(built)' \"$@\"\n", to: "CartDebugger.new")
    chmod(folder("CartDebugger.new"), 0o755)
    try folder.move("CartDebugger.new", to: "CartDebugger")
    try session.wait(for: "rebuilt: R runs everything again")
    try session.type("R")
    try session.wait(until: "the fork went through") { screen in
      screen.contains("fork 1   ") && screen.contains("/6") && !screen.contains("crashed")
        && screen.contains("ran 2 steps")
    }
    // Step 5 of the recording stays what it was.
    try session.type(":goto main/5\n")
    try session.wait(for: "main   5/5")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}

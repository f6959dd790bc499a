import Debugger
import HostProtocol
import Platform
import TerminalDriver
import TerminalKit
import TestSupport
import Testing
import TextCanvas

@testable import RetconCommand

@Suite("The debugger on a screen", .timeLimit(.minutes(60)))
struct DebuggerLoopTests {
  private let context = CommandContext(
    program: "retcon", environment: [:],
    output: Output(
      data: { _ in }, messages: { _ in }, dataIsTerminal: true, messagesAreTerminal: true))

  private func run(_ file: String, at step: Int? = nil, on screen: MemoryScreen) async throws {
    var session = SessionArgument(file: file)
    session.position.step = step
    try await DebuggerRun(session: session, frame: FrameOptions(ParsedArguments([], for: [])))
      .show(on: screen, context)
  }

  /// The debugger on a recorded counter, at its first step. The folder lives as long as the runner.
  private func openedCounter() async throws -> (CommandRunner, MemoryScreen, Task<Void, any Error>)
  {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    let screen = MemoryScreen(size: Size(width: 80, height: 24))
    // Without a step it goes on to its first failure, perhaps before anybody looks.
    let running = Task { try await run(runner.folder + "/counter.retcon", at: 0, on: screen) }
    await screen.shows("0/34")
    return (runner, screen, running)
  }

  @Test("opens, moves with keys, and ends with q")
  func keys() async throws {
    let (runner, screen, running) = try await openedCounter()
    defer { withExtendedLifetime(runner) {} }
    screen.send(.key(.character("j")))
    await screen.shows("1/34")
    screen.send(.key(.character("G")))
    await screen.shows("34/34")
    screen.send(.key(.character("q")))
    try await running.value
  }

  /// The debugger of the first session lived as long as its host. It followed on, and took the user
  /// along when the page loaded again.
  @Test("going to another session of the app ends the host of the first")
  func otherSession() async throws {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    let text = try runner.text(of: "$/counter.retcon")
    for name in ["one", "two"] { _ = try runner.write(text, as: "\(name).retcon") }
    let (folder, pid) = (runner.folder, "\(runner.folder)/pid")
    let make = { @Sendable (id: String) -> DebuggerRun in
      let script = "echo $$ > \(pid); while read line; do case $line in *quit*) exit;; esac; done"
      let command = HostCommand("/bin/sh", ["-c", script])
      var run = DebuggerRun(
        session: SessionArgument(file: "\(folder)/\(id).retcon"),
        host: id == "one" ? HostConnection(command) : nil)
      run.start = .end
      run.sessions = AppSessions(open: id) {
        [("one", "shop"), ("two", "clock")].map { id, name in
          AppSession(id: id, name: name, steps: 34, end: nil)
        }
      }
      return run
    }
    var first = make("one")
    first.other = { make($0) }
    let screen = MemoryScreen(size: Size(width: 80, height: 24))
    let running = Task { [first, context] in try await first.show(on: screen, context) }
    await screen.shows("one.retcon   main   34/34")
    for key in ":sessions" { screen.send(.key(.character(key))) }
    screen.send(.key(.enter))
    await screen.shows("▸ shop")
    screen.send(.key(.character("j")))
    screen.send(.key(.enter))
    await screen.shows("two.retcon   main")
    let process = try #require(pid_t(try runner.text(of: "$/pid").filter(\.isNumber)))
    #expect(hasEnded(process))
    screen.send(.key(.character("q")))
    _ = try await running.value
  }

  @Test("keys that come faster than they are taken are dropped, but not those that leave")
  func flood() {
    func event(_ character: Character) -> InputEvent { .key(.character(character)) }
    var flood = InputFlood()
    var waiting = 0
    for number in 0..<1_000_000
    where !flood.drops(event(number % 2 == 0 ? "j" : "k"), waiting: waiting) { waiting += 1 }
    #expect(waiting == InputFlood.limit)
    let kept: [InputEvent] = [
      event("q"), .key(.escape), .key(.control("c")), .resize(Size(width: 9, height: 9)),
    ]
    let dropped = kept.filter { flood.drops($0, waiting: waiting) }
    #expect(dropped == [])
    // Keys after a dropped key are dropped as long as anything waits. The keys that leave have room
    // of their own.
    let limit = InputFlood.limit
    let typed: [(Key, Int)] = [
      (.character("j"), 1), (.character("q"), 1), (.character("q"), limit + 50),
      (.control("c"), limit + 149), (.control("c"), limit + 150), (.character("j"), 0),
      (.character("j"), limit - 1),
    ]
    let drops = typed.map { flood.drops(.key($0.0), waiting: $0.1) }
    #expect(drops == [true, false, true, false, true, false, false])
  }

  @Test(
    "keys that leave are answered behind a flood of others", arguments: ["j", "jk", "jG5kgx"])
  func floodOfKeys(keys: String) async throws {
    let (runner, screen, running) = try await openedCounter()
    defer { withExtendedLifetime(runner) {} }
    for _ in 0..<(Misbehaviour.isLong ? 1_000_000 : 100_000) / keys.count {
      for key in keys { screen.send(.key(.character(key))) }
    }
    screen.send(.key(.control("c")))
    screen.send(.key(.character("q")))
    try await running.value
  }

  @Test("it is said that keys were dropped")
  func floodIsSaid() async throws {
    let (runner, screen, running) = try await openedCounter()
    defer { withExtendedLifetime(runner) {} }
    for _ in 0..<100_000 {
      for key in "jk" { screen.send(.key(.character(key))) }
    }
    await screen.shows("Keys came faster than they could be handled; some were dropped.")
    screen.send(.key(.character("q")))
    try await running.value
  }

  @Test("the first frame is there before the session is open, and q leaves it")
  func opening() async throws {
    let screen = MemoryScreen(size: Size(width: 44, height: 5))
    let loop = DebuggerLoop(screen: screen, externalTools: ExternalTools(environment: [:]))
    let (gate, opened) = AsyncStream<Void>.makeStream()
    let running = Task {
      try await loop.run("large.json") { _, progress in
        try progress("34 %")
        await screen.shows("Opening large.json … 34 %")
        loop.computes(38)
        for await _ in gate {}
        throw CancellationError()
      }
    }
    await screen.shows("Opening large.json: 38 states computed …")
    screen.send(.key(.character("q")))
    try await running.value
    opened.finish()
    #expect(screen.canvases.first?.text.hasPrefix(" Opening large.json …\n") == true)
  }

  @Test("a file that cannot be opened ends the run with its error")
  func failure() async throws {
    let screen = MemoryScreen(size: Size(width: 40, height: 5))
    await #expect(throws: (any Error).self) { try await run("/nowhere/at/all", on: screen) }
  }

  @Test(
    "the editor is given a place as arguments, each editor as it wants it, and no shell reads them")
  func editor() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "#!/bin/sh\nfor word; do echo \"<$word>\"; done > '\(folder("words"))'\n", to: "my editor")
    chmod(script, 0o755)
    let path = try folder.write("", to: "a $(touch x) `b`;c.swift")
    let screen = MemoryScreen(size: Size(width: 40, height: 5))
    let externalTools = ExternalTools(environment: ["VISUAL": "", "EDITOR": "'\(script)' --wait"])
    try await externalTools.open(path, line: 7, screen)
    #expect(folder.text("words") == "<--wait>\n<+7>\n<\(path)>\n")
    #expect(screen.timesLeft == 1)
    #expect(
      ExternalTools.words(for: "/a", line: 7, in: "/usr/bin/code --wait") == ["--goto", "/a:7"])
    #expect(ExternalTools.words(for: "/a", line: 7, in: "hx") == ["/a:7"])
    #expect(ExternalTools.words(for: "/a", line: 7, in: "vim") == ["+7", "/a"])
    await #expect(throws: UsageError(what: "there is no file /nowhere any more")) {
      try await externalTools.open("/nowhere", line: 1, screen)
    }
  }

  @Test("Ctrl-L draws again")
  func redraw() async throws {
    let (runner, screen, running) = try await openedCounter()
    defer { withExtendedLifetime(runner) {} }
    screen.send(.key(.control("l")))
    await screen.until { $0.timesRedrawn == 1 }
    screen.send(.key(.character("q")))
    try await running.value
  }

  @Test("Ctrl-Z stops the program while a session is being opened, and Ctrl-L draws again")
  func suspendWhileOpening() async throws {
    let screen = MemoryScreen(size: Size(width: 40, height: 5))
    let loop = DebuggerLoop(screen: screen, externalTools: ExternalTools(environment: [:]))
    let (gate, opened) = AsyncStream<Void>.makeStream()
    let running = Task {
      try await loop.run("large.json") { _, _ in
        for await _ in gate {}
        throw CancellationError()
      }
    }
    screen.send(.key(.control("z")))
    screen.send(.key(.control("l")))
    await screen.until { $0.timesSuspended == 1 && $0.timesRedrawn == 1 }
    screen.send(.key(.character("q")))
    try await running.value
    opened.finish()
  }

  @Test("what is copied goes to the screen's clipboard where no command takes it")
  func copying() async throws {
    let (runner, screen, running) = try await openedCounter()
    defer { withExtendedLifetime(runner) {} }
    screen.send(.key(.character("3")))
    screen.send(.key(.character("G")))
    await screen.shows("count  2 → 3")
    screen.send(.key(.character("y")))
    screen.send(.key(.character("v")))
    await screen.until { !$0.copied.isEmpty }
    #expect(screen.copied == ["{\n  \"incrementTapped\": {}\n}"])
    screen.send(.key(.character("q")))
    try await running.value
  }
}

extension MemoryScreen {
  /// Waits until the screen shows a text. The suite's time limit ends a wait in vain.
  func shows(_ text: String) async { await until { $0.last?.text.contains(text) == true } }

  func until(_ isTrue: @Sendable (MemoryScreen) -> Bool) async {
    if await !waits(until: isTrue) {
      Issue.record("the screen shows:\n\(last?.text ?? "nothing")")
    }
  }
}

import TerminalDriver
import TerminalKit
import Testing
import TextCanvas

@testable import RetconCommand

@Suite("The debugger on a screen", .timeLimit(.minutes(5)))
struct DebuggerLoopTests {
  private let context = CommandContext(
    program: "retcon", environment: [:],
    output: Output(data: { _ in }, talk: { _ in }, dataIsTerminal: true, talkIsTerminal: true))

  private func run(_ file: String, on screen: MemoryScreen) async throws {
    try await DebuggerRun(
      session: SessionArgument(file: file), frame: FrameOptions(ParsedArguments([], for: []))
    )
    .show(on: screen, context)
  }

  @Test("opens, moves with keys, and ends with q")
  func keys() async throws {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    let screen = MemoryScreen(size: Size(width: 80, height: 24))
    let running = Task { try await run(runner.folder + "/counter.retcon", on: screen) }
    await screen.shows("0/34")
    screen.send(.key(.character("j")))
    await screen.shows("1/34")
    screen.send(.key(.character("G")))
    await screen.shows("34/34")
    screen.send(.key(.character("q")))
    try await running.value
  }

  @Test("the first frame is there before the session is open, and q leaves it")
  func opening() async throws {
    let screen = MemoryScreen(size: Size(width: 40, height: 5))
    let loop = DebuggerLoop(screen: screen, errands: Errands(environment: [:]))
    let (gate, opened) = AsyncStream<Void>.makeStream()
    let running = Task {
      try await loop.run("large.json") { progress in
        try progress(0.34)
        for await _ in gate {}
        throw CancellationError()
      }
    }
    await screen.shows("Opening large.json … 34 %")
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

  @Test("what is copied goes to the screen's clipboard where no command takes it")
  func copying() async throws {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    let screen = MemoryScreen(size: Size(width: 80, height: 24))
    let running = Task { try await run(runner.folder + "/counter.retcon", on: screen) }
    await screen.shows("0/34")
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
    while !isTrue(self) {
      guard !Task.isCancelled else {
        Issue.record("the screen shows:\n\(last?.text ?? "nothing")")
        return
      }
      await Task.yield()
    }
  }
}

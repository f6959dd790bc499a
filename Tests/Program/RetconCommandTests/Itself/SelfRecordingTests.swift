import Debugger
import Platform
import Samples
import SessionFile
import SessionWords
import TerminalDriver
import Testing
import TextCanvas
import ValueTree

@testable import RetconCommand

@Suite("The debugger records itself", .timeLimit(.minutes(60)))
struct SelfRecordingTests {
  private let host = "'\(BuiltProgram.path("retcon"))' serve-itself"

  /// A debugger on the recorded sample, with the keys of a user.
  private func record(_ runner: CommandRunner, _ keys: String) async throws -> String {
    let session = runner.folder + "/wishes.retcon"
    await WishesSample.recordDemo(to: session)
    var argument = SessionArgument(file: session)
    argument.position.step = 0
    var run = DebuggerRun(
      session: argument, frame: try FrameOptions(ParsedArguments([], for: [])))
    run.ownRecording = runner.folder + "/self.retcon"
    run.configuration = Configuration("key F2 G\nkye", name: "config")
    let screen = MemoryScreen(size: Size(width: 100, height: 30))
    let context = runner.context(data: { _ in }, messages: { _ in })
    let running = Task { [run] in try await run.show(on: screen, context) }
    await screen.shows("main   0/")
    for key in keys { screen.send(.key(key == "⏎" ? .enter : key == "⇥" ? .tab : .character(key))) }
    screen.send(.key(.function(2)))
    screen.send(.resize(Size(width: 80, height: 24)))
    for key in [.escape, .escape, .character("q")] as [Key] { screen.send(.key(key)) }
    _ = try await running.value
    return "$/self.retcon"
  }

  @Test("every key is a step with its screen, and it comes out the same when it is run again")
  func verified() async throws {
    let runner = try CommandRunner()
    let file = try await record(runner, "jjm5G⇥/loading⏎nfx:trim 2-4 out.retcon⏎")
    let reader = try SessionReader(path: runner.folder + "/self.retcon")
    #expect(reader.header.app?.name == "Retcon")
    #expect(try reader.step(3).label == "m")
    let state = try reader.state(after: 3)
    #expect(state["seen"]?["marks"] == ["2"])
    #expect(state["seen"]?["screen"]?[0]?.text().contains("main   2/28") == true)
    let answer = await runner.run("verify", file, "--host", host)
    #expect(
      answer.data == "\(file): \(reader.stepCount) steps were run again, all as recorded.\n",
      "\(answer)")
    #expect(answer.status == .yes)
  }

  @Test("where it cannot be written the debugger works all the same, and says so in the end")
  func unwritable() async throws {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    var argument = SessionArgument(file: runner.folder + "/counter.retcon")
    argument.position.step = 0
    var run = DebuggerRun(
      session: argument, frame: try FrameOptions(ParsedArguments([], for: [])))
    run.ownRecording = runner.folder + "/no/folder/self.retcon"
    let screen = MemoryScreen(size: Size(width: 100, height: 30))
    let context = runner.context(data: { _ in }, messages: { _ in })
    let running = Task { [run] in try await run.show(on: screen, context) }
    await screen.shows("main   0/34")
    screen.send(.key(.character("j")))
    await screen.shows("main   1/34")
    screen.send(.key(.character("q")))
    let words = try #require(try await running.value)
    #expect(words.hasPrefix("nothing of the debugger itself was recorded. "), "\(words)")
    #expect(words.contains("no/folder/self.retcon"), "\(words)")
  }

  @Test("what was typed can be forked, and minimised to the keys that matter")
  func searched() async throws {
    let runner = try CommandRunner()
    let file = try await record(runner, "jjj⇥⇥kG:marks⏎")
    let fork = await runner.run("fork", file + "@1", "--skip", "--host", host)
    let end = "first difference from main at 1\nWithout step 1 j of main\n"
    #expect(fork.data.hasSuffix(end), "\(fork)")
    let answer = await runner.run(
      "minimize", file, "--until", "state.seen.pane == 'Action'", "--host", host)
    #expect(answer.status == .yes, "\(answer)")
    #expect(answer.data.contains("Tab"), "\(answer)")
    #expect(answer.data.contains("2 of "), "\(answer)")
  }

  @Test("running it again writes nothing where it was asked for, and runs no host that it names")
  func secluded() throws {
    let runner = try CommandRunner()
    let context = runner.context(data: { _ in }, messages: { _ in })
    let runs = DebuggerRuns(context)
    try FileSystem.write(
      #"{"retcon":"1.0","can":"replay","state":1}"# + "\n", to: runner.folder + "/a.retcon")
    var run = DebuggerRun(
      session: SessionArgument(file: runner.folder + "/a.retcon"),
      frame: try FrameOptions(ParsedArguments([], for: [])))
    run.configuration = Configuration("host Cart touch", name: "config")
    let start = RecordedDebugger.Start(run, Size(width: 80, height: 24), arrangement: nil)
    let target = runner.folder + "/out.json"
    let typed: [TypedInput] = [
      .event(.key(.character(":"))), .event(.paste("export-state \(target)")),
      .event(.key(.enter)), .event(.key(.character("m"))),
    ]
    let seen = runs.seen(after: typed, from: start)
    #expect(seen.marks == ["0"])
    #expect(
      runs.seen(after: Array(typed.prefix(3)), from: start).message.hasSuffix("is in \(target)."))
    #expect(namesInFolder(runner.folder) == ["a.retcon"])
    var missing = start
    missing.session = "/nowhere/at/all.retcon"
    #expect(runs.seen(after: [], from: missing).screen.first?.contains("all.retcon") == true)
  }
}

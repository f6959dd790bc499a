import SessionWords
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("News of the host")
struct HostEventTests {
  private let script = Script(leavesAt: 5, edits: [.skip(step: 6)])

  /// A debugger that shows a fork which has run.
  private func onFork() -> TestDebugger {
    var debugger = TestDebugger(at: 6, host: .starting("WishesHost"))
    debugger.send(
      .hostChanged(.ready("WishesHost"), HostReport(lines: ["It is running."], build: 0)))
    debugger.state.forks.running = "fork 1"
    debugger.state.showFork("fork 1")
    debugger.send(
      .forkGrew(Branch("fork 1", script: script, steps: 0...7, progress: .complete)))
    debugger.work = []
    return debugger
  }

  private func title(_ debugger: TestDebugger) -> String {
    String(DebuggerView.draw(debugger.state).text.prefix { $0 != "\n" })
  }

  @Test("the sign is green only while the host is there")
  func signs() {
    var debugger = TestDebugger(at: 5, host: .starting("WishesHost"))
    #expect(title(debugger).contains("reducer: WishesHost ○"))
    debugger.send(.hostChanged(.ready("WishesHost"), HostReport()))
    #expect(title(debugger).contains("reducer: WishesHost ●"))
    debugger.send(.hostChanged(.down("WishesHost", reason: "it ended"), HostReport()))
    #expect(title(debugger).contains("reducer: WishesHost ✗"))
    #expect(debugger.state.message == Message("it ended", .failure))
  }

  @Test(":host shows what its author wants to know")
  func report() {
    var debugger = onFork()
    debugger.type(":host⏎")
    #expect(DebuggerView.draw(debugger.state).text.contains("It is running."))
  }

  @Test("a long reason stands on several lines, from the cause to its end")
  func longReason() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    let reason = "the cause" + String(repeating: " and more", count: 30) + " at the end"
    debugger.send(.hostChanged(.down("WishesHost", reason: reason), HostReport()))
    let frame = DebuggerView.draw(debugger.state).text
    #expect(frame.contains("the cause and more and more"))
    #expect(frame.contains("at the end"))
  }

  @Test(
    "where the reducer computed the states, a new one computes them anew, and what was found in them"
  )
  func computed() {
    var debugger = TestDebugger(at: 6, host: .ready("cart.mjs"))
    debugger.state.session.statesBy = "cart.mjs"
    #expect(DebuggerView.draw(debugger.state).text.prefix(200).contains("computed"))
    debugger.type(":rule state.total >= 0⏎/added⏎")
    debugger.send(.searches(.ended(.broken, failure: nil)))
    debugger.type("R")
    debugger.send(.searches(.ended(.asked, failure: nil)))
    let news = RecordingChange(change: .computed, summary: debugger.state.session)
    debugger.send(.hostRestarted(news, failure: nil))
    #expect(
      debugger.state.message?.text
        == "The reducer was reloaded; all states are computed again.")
    #expect(debugger.state.searches.asked?.isRunning == true)
    #expect(debugger.state.searches.broken?.isRunning == true)
    #expect(debugger.state.searches.errors?.isRunning == true)
    #expect(debugger.state.moment == nil)
    debugger.type("R")
    debugger.send(.hostRestarted(nil, failure: "SyntaxError: no"))
    #expect(
      debugger.state.message?.text
        == "What you see still comes from the old reducer: SyntaxError: no")
  }

  @Test("what a host did wrong stays in :notices, whole")
  func troubles() {
    var debugger = TestDebugger(at: 6, host: .ready("toy"))
    let first = "“steps” is 5, and only 34 is possible, in what the host answered to `load`. "
    let second = String(repeating: "a long story ", count: 40)
    for reason in [first, second, first] {
      debugger.send(.hostChanged(.down("toy", reason: reason), HostReport()))
    }
    debugger.type(":notices⏎")
    #expect(
      debugger.state.overlay == .list(.text(title: "notices", [ListLine(second), ListLine(first)])))
  }

  @Test("a rebuilt host is said once, and R starts it again; then the fork that is looked at runs")
  func rebuilt() {
    var debugger = onFork()
    debugger.send(.hostRebuilt)
    #expect(debugger.state.message?.text == "rebuilt: R runs everything again")
    #expect(title(debugger).contains("rebuilt"))
    #expect(!debugger.work.contains(.restartHost()))
    debugger.type("R")
    #expect(debugger.work.contains(.restartHost()))
    debugger.send(.hostChanged(.ready("WishesHost"), HostReport(build: 1)))
    debugger.work = []
    debugger.send(.hostRestarted(nil, failure: nil))
    #expect(debugger.work.contains(.runAgain("fork 1")))
    #expect(debugger.state.forks.running == "fork 1")
    #expect(!title(debugger).contains("rebuilt"))
  }

  @Test("after R the fork that is looked at runs once more, and you stay at your step")
  func runsAgain() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let app = DebuggerApp(
      session: session, size: Size(width: 80, height: 24), position: Position(step: 5),
      output: { _ in }, onChange: {})
    await app.start().finish()
    await app.handle(.key(.character("x"))).finish()
    let first = app.state.branches[1]
    await app.handle(.key(.character("j"))).finish()
    let here = app.state.here
    #expect(here.branch == first.id && here.step > first.script?.leavesAt ?? 0)
    await app.handle(.key(.character("R"))).finish()
    #expect(app.state.here == here)
    let second = app.state.branches[1]
    #expect(second.run > first.run && second.steps == first.steps)
    #expect(second.progress == .complete && app.state.forks.running == nil)
  }

  @Test("of two news of the host that change places, the newer one stays")
  func places() {
    var debugger = onFork()
    let reason = "the host ended with exit status 3"
    debugger.send(.hostChanged(.down("WishesHost", reason: reason), HostReport(change: 2)))
    debugger.send(.hostChanged(.ready("WishesHost"), HostReport(change: 1)))
    #expect(debugger.state.host.status == .down("WishesHost", reason: reason))
    debugger.send(.hostChanged(.ready("WishesHost"), HostReport(change: 3)))
    #expect(debugger.state.host.status == .ready("WishesHost"))
  }

  @Test("a new build starts by itself beside a changed file, which only R opens again")
  func changedFile() {
    var debugger = onFork()
    debugger.state.session.isOutdated = true
    debugger.state.host.runsAgainByItself = true
    debugger.send(.hostRebuilt)
    #expect(debugger.work.contains(.restartHost()) && debugger.state.keeping.next == nil)
    debugger.type("R")
    #expect(debugger.state.keeping.next != nil)
  }

  @Test("a new build that does not start leaves the old steps, marked as old, and you at your step")
  func broken() {
    var debugger = onFork()
    debugger.state.host.runsAgainByItself = true
    debugger.send(.hostRebuilt)
    let reason = "SyntaxError: no"
    debugger.send(.hostChanged(.down("WishesHost", reason: reason), HostReport(build: 1)))
    debugger.work = []
    debugger.send(.hostRestarted(nil, failure: reason))
    debugger.send(.hostChanged(.down("WishesHost", reason: reason), HostReport(build: 1)))
    #expect(debugger.work == [])
    #expect(debugger.state.here == Position(branch: "fork 1", step: 6))
    #expect(debugger.state.branches.last?.steps == 0...7)
    #expect(title(debugger).contains("rebuilt"))
    #expect(
      debugger.state.message
        == Message("What you see still comes from the old reducer: SyntaxError: no", .failure))
  }

  @Test("with --watch it is started again by itself")
  func watching() {
    var debugger = onFork()
    debugger.state.host.runsAgainByItself = true
    debugger.send(.hostRebuilt)
    #expect(debugger.work.contains(.restartHost()))
  }

  @Test(
    "a process of another build, started for whatever reason, is not mixed with what ran before")
  func anotherBuild() {
    var debugger = onFork()
    debugger.send(.hostChanged(.ready("WishesHost"), HostReport(build: 1)))
    #expect(debugger.work.contains(.runAgain("fork 1")))
    #expect(debugger.state.branches.last?.steps == 0...5)
  }

  @Test("without a host R says how one is attached")
  func none() {
    var debugger = TestDebugger(at: 5)
    debugger.type("R")
    #expect(
      debugger.state.message?.text == "No reducer is attached: start again with --host COMMAND.")
  }
}

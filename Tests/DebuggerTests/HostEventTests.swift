import SessionWords
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("News of the host")
struct HostEventTests {
  private let script = Script(leavesAt: 5, edits: [.skip(step: 6)])

  /// At the desk of somebody who looks at a fork that has run.
  private func onFork() -> Desk {
    var desk = Desk(at: 6, host: .starting("WishesHost"))
    desk.send(.hostChanged(.ready("WishesHost"), HostReport(lines: ["It is running."], build: 0)))
    desk.state.forks.running = "fork 1"
    desk.state.showFork("fork 1")
    desk.send(
      .forkGrew(Branch(name: "fork 1", script: script, steps: 0...7, progress: .complete)))
    desk.work = []
    return desk
  }

  private func title(_ desk: Desk) -> String {
    String(DebuggerView.draw(desk.state).text.prefix { $0 != "\n" })
  }

  @Test("the sign is green only while the host is there")
  func signs() {
    var desk = Desk(at: 5, host: .starting("WishesHost"))
    #expect(title(desk).contains("reducer: WishesHost ○"))
    desk.send(.hostChanged(.ready("WishesHost"), HostReport()))
    #expect(title(desk).contains("reducer: WishesHost ●"))
    desk.send(.hostChanged(.down("WishesHost", reason: "it ended"), HostReport()))
    #expect(title(desk).contains("reducer: WishesHost ✗"))
    #expect(desk.state.message == Message("it ended", .failure))
  }

  @Test(":host shows what its author wants to know")
  func report() {
    var desk = onFork()
    desk.type(":host⏎")
    #expect(DebuggerView.draw(desk.state).text.contains("It is running."))
  }

  @Test("a long reason stands on several lines, from the cause to its end")
  func longReason() {
    var desk = Desk(at: 5, host: .ready("WishesHost"))
    let reason = "the cause" + String(repeating: " and more", count: 30) + " at the end"
    desk.send(.hostChanged(.down("WishesHost", reason: reason), HostReport()))
    let frame = DebuggerView.draw(desk.state).text
    #expect(frame.contains("the cause and more and more"))
    #expect(frame.contains("at the end"))
  }

  @Test(
    "where the reducer computed the states, a new one computes them anew, and what was found in them"
  )
  func computed() {
    var desk = Desk(at: 6, host: .ready("cart.mjs"))
    desk.state.session.statesBy = "cart.mjs"
    desk.type("/added⏎R")
    let asked = desk.state.searches.lastNumber
    let news = RecordingChange(change: .computed, summary: desk.state.session)
    desk.send(.hostRestarted(news, failure: nil))
    #expect(
      desk.state.message?.text
        == "The reducer was reloaded; all states are computed again.")
    #expect(
      desk.state.searches.asked?.number == asked + 1 && desk.state.searches.asked?.isRunning == true
    )
    #expect(desk.state.moment == nil)
    desk.type("R")
    desk.send(.hostRestarted(nil, failure: "SyntaxError: no"))
    #expect(
      desk.state.message?.text
        == "The states of main still come from the old reducer: SyntaxError: no")
  }

  @Test("what a host did wrong stays in :notices, whole")
  func troubles() {
    var desk = Desk(at: 6, host: .ready("toy"))
    let first = "“steps” is 5, and only 34 is possible, in what the host answered to `load`. "
    let second = String(repeating: "a long story ", count: 40)
    for reason in [first, second, first] {
      desk.send(.hostChanged(.down("toy", reason: reason), HostReport()))
    }
    desk.type(":notices⏎")
    #expect(
      desk.state.overlay == .text(title: "notices", lines: [second, first], top: 0))
  }

  @Test("a rebuilt host is said once, and R starts it again; then the fork that is looked at runs")
  func rebuilt() {
    var desk = onFork()
    desk.send(.hostRebuilt)
    #expect(desk.state.message?.text == "rebuilt: R runs everything again")
    #expect(title(desk).contains("rebuilt"))
    #expect(!desk.work.contains(.restartHost))
    desk.type("R")
    #expect(desk.work.contains(.restartHost))
    desk.send(.hostChanged(.ready("WishesHost"), HostReport(build: 1)))
    desk.work = []
    desk.send(.hostRestarted(nil, failure: nil))
    #expect(desk.work.contains(.runAgain("fork 1")))
    #expect(desk.state.forks.running == "fork 1")
    #expect(!title(desk).contains("rebuilt"))
    desk.send(.runsForgotten(next: "fork 1"))
    #expect(desk.work.contains(.runFork("fork 1")))
  }

  @Test("with --watch it is started again by itself")
  func watching() {
    var desk = onFork()
    desk.state.host.runsAgainByItself = true
    desk.send(.hostRebuilt)
    #expect(desk.work.contains(.restartHost))
  }

  @Test(
    "a process of another build, started for whatever reason, is not mixed with what ran before")
  func anotherBuild() {
    var desk = onFork()
    desk.send(.hostChanged(.ready("WishesHost"), HostReport(build: 1)))
    #expect(desk.work.contains(.runAgain("fork 1")))
    #expect(desk.state.branches.last?.steps == 0...5)
  }

  @Test("without a host R says how one is attached")
  func none() {
    var desk = Desk(at: 5)
    desk.type("R")
    #expect(desk.state.message?.text == "No reducer is attached: start again with --host COMMAND.")
  }
}

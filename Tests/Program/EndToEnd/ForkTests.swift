import TerminalDriver
import TestSupport
import Testing

@Suite("Forking the demo", .needs(.tmux))
struct ForkTests {
  @Test(
    "the demo opens with its host, forks, steps in the fork, and leaves it", arguments: Extent.both)
  func fork(extent: Extent) throws {
    let session = try Retcon.inTmux(["demo"], columns: extent.columns, rows: extent.rows)
    try session.wait(for: "? help")
    try session.wait(for: "●")
    try session.type("3G")
    try session.wait(for: "main   3/")
    try session.type("fi")
    try session.wait(for: "fork at step 3 of main")
    try session.wait(for: "incrementTapped")
    try session.press("Enter")
    // Its later steps come one after the other.
    try session.wait(for: "counter.retcon   fork 1   4/33")
    try session.press("j")
    try session.wait(for: "fork 1   5/")
    // The last pane compares.
    try session.press("M-7")
    try session.wait(for: "−  main 4 factTapped")
    try session.press("B")
    try session.wait(until: "both branches are listed") { screen in
      screen.contains("main  the recording") && screen.contains("fork 1  leaves main at 3")
    }
    try session.press("g", "Enter")
    try session.wait(for: "counter.retcon   main   ")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("what an effect of a fork waits for really asks, once, and the fork goes on with it")
  func askedForReal() throws {
    let session = try Retcon.inTmux(["demo"], columns: 120, rows: 40)
    try session.wait(for: "reducer: Counter ●")
    try session.type("3G")
    try session.wait(for: "main   3/")
    try session.type("fi")
    try session.wait(for: "incrementTapped  step")
    try session.press("Enter")
    try session.wait(for: "fork 1   4/33")
    // The count has changed, so the app asks for another fact.
    try session.type("6G")
    try session.wait(for: "fork 1   6/33")
    try session.press("M-3")
    try session.wait(for: "waits for fact(4)")
    try session.press("a")
    try session.wait(for: "really asks, once")
    try session.type("ask\n")
    try session.wait(for: "Enter again really asks fact(4), once")
    try session.press("Enter")
    try session.wait(for: "value \"4 can be divided by 2.\"")
    try session.press("Enter")
    try session.wait(for: "fork 1   6/34")
    try session.wait(for: "factReceived(\"4 can be divided by 2.\")")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("when the host is killed the debugger stays, and the next fork has a new host")
  func killedHost() throws {
    let session = try Retcon.inTmux(["demo"], columns: 120, rows: 40)
    try session.wait(for: "reducer: Counter ●")
    // The shell in the pane has one child, the program; the host is the program's.
    let shell = try session.fact("pane_pid")
    let killer = try PseudoTerminal("/bin/sh", ["-c", Self.killGrandchild, "sh", shell])
    #expect(try killer.waitForExit() == .exited(0))
    try session.type("3G")
    try session.wait(for: "main   3/")
    try session.type("fi")
    try session.wait(for: "fork at step 3 of main")
    try session.wait(for: "incrementTapped  step")
    try session.press("Enter")
    try session.wait(for: "fork 1   4/33")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  /// Not every Linux has `pgrep`, not every system has `/proc`.
  private static let killGrandchild = """
    children() {
      if [ -d /proc/self ]; then
        for file in /proc/[0-9]*/stat; do
          read -r process name state parent rest < $file && [ "$parent" = "$1" ] && echo $process
        done 2> /dev/null
      else
        pgrep -P "$1"
      fi
      true
    }
    kill -KILL $(children $(children "$1"))
    """
}

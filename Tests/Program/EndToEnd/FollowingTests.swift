import TerminalDriver
import TestSupport
import Testing

@Suite("A session that changes while it is open", .needs(.tmux))
struct FollowingTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(CartSession.text, to: "cart.retcon")
  }

  private func line(_ step: Int) -> String {
    #"{"step":\#(step),"time":\#(step),"label":"total\#(step)","action":{},"cause":"user","#
      + #""patch":[{"op":"replace","path":"/total","value":\#(step)}]}"# + "\n"
  }

  @Test("its new steps appear, and whoever stands at the end goes with it")
  func growing() throws {
    let session = try Retcon.inTmux([file])
    try session.wait(for: "? help")
    try session.press("G")
    try session.wait(for: "main   5/5")
    try folder.append(line(6) + line(7) + String(line(8).prefix(20)), to: "cart.retcon")
    try session.wait(until: "step 7 and its change are shown") { screen in
      screen.contains("main   7/7") && screen.contains("▸7") && screen.contains("6 → 7")
        && screen.contains("growing")
    }
    try session.press("g")
    try session.wait(for: "main   0/7")
    try folder.append(String(line(8).dropFirst(20)), to: "cart.retcon")
    try session.wait(for: "main   0/8")
    try session.type(":notices\n")
    try session.wait(for: "No problems with cart.retcon.")
  }

  @Test("that it was shortened is said in one sentence, and all keys still work")
  func truncated() throws {
    let session = try Retcon.inTmux([file], columns: 120)
    try session.wait(for: "? help")
    try folder.shorten("cart.retcon", to: 200)
    try session.wait(for: "the file was shortened or overwritten while it was open;")
    try session.press("G")
    try session.wait(for: "main   5/5")
    try session.type(":notices\n")
    try session.wait(for: "Open it again.")
    try session.press("q")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("that another file took its place is said; what was open stays readable, and R opens it")
  func replaced() throws {
    let session = try Retcon.inTmux([file])
    try session.wait(for: "? help")
    _ = try folder.write(CartSession.text + line(6), to: "other.retcon")
    try folder.move("other.retcon", to: "cart.retcon")
    try session.wait(for: "the file was replaced while it was open. Open it again.")
    try session.type("3G")
    try session.wait(until: "step 3 and its change are shown") { screen in
      screen.contains("main   3/5") && screen.contains("32.14 → -7.86")
        && screen.contains("file changed")
    }
    try session.press("R")
    try session.wait(until: "the new file is shown at step 3") { screen in
      screen.contains("main   3/6") && screen.contains("▸3") && !screen.contains("file changed")
    }
  }
}

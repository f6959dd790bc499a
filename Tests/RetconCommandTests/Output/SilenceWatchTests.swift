import Platform
import Testing

@testable import RetconCommand

@Suite("A command that says nothing for long") struct SilenceWatchTests {
  @Test("after three seconds it shows how long it runs, and clears that before anything else")
  func silence() {
    let seen = Locked("")
    let see: @Sendable (String) -> Void = { text in
      seen.withLock { $0 += text.replacing("\r", with: "<").replacing("\u{1B}[K", with: ">") }
    }
    let watch = SilenceWatch(see)
    let output = watch.heard(
      through: Output(data: see, messages: see, dataIsTerminal: true, messagesAreTerminal: true))
    watch.tick()
    watch.tick()
    output.data("one ")
    for _ in 0..<4 { watch.tick() }
    output.messages("two ")
    watch.tick()
    watch.end()
    #expect(
      seen.withLock { $0 } == "one <5 s; Ctrl-C stops it><6 s; Ctrl-C stops it><>two ")
  }
}

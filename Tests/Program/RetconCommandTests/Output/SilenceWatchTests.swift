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
    let share = Locked([Int?](arrayLiteral: nil, 42))
    let watch = SilenceWatch(
      Output(data: see, messages: see, dataIsTerminal: true, messagesAreTerminal: true),
      percent: { share.withLock { $0.popLast() ?? nil } })
    let output = watch.heard()
    watch.tick()
    watch.tick()
    output.data("one ")
    for _ in 0..<4 { watch.tick() }
    output.messages("two ")
    watch.tick()
    watch.end()
    #expect(
      seen.withLock { $0 } == "one <42 % read; 5 s; Ctrl-C stops it><6 s; Ctrl-C stops it><>two ")
  }

  @Test("without a terminal it says so every four seconds, and what it waits for")
  func piped() {
    let seen = Locked("")
    let watch = SilenceWatch(
      Output(
        data: { _ in }, messages: { text in seen.withLock { $0 += text } }, dataIsTerminal: false,
        messagesAreTerminal: false),
      doing: "waiting for 9229 to answer", percent: { nil })
    for _ in 0..<9 { watch.tick() }
    watch.end()
    #expect(
      seen.withLock { $0 } == """
        waiting for 9229 to answer: 4 s; Ctrl-C stops it
        waiting for 9229 to answer: 8 s; Ctrl-C stops it

        """)
  }
}

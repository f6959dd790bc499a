import Platform
import Testing

@testable import RetconCommand

@Suite("Progress")
struct ProgressLineTests {
  @Test("without a terminal it is a line every four seconds")
  func piped() {
    let now = Locked(Duration.zero)
    let messages = Locked("")
    let output = Output(
      data: { _ in }, messages: { text in messages.withLock { $0 += text } }, dataIsTerminal: false,
      messagesAreTerminal: false, clock: { now.withLock { $0 } })
    let progress = ProgressLine(output: output, name: "a.retcon")
    for second in 0...9 {
      now.withLock { $0 = .seconds(second) }
      progress.show("\(second) runs")
    }
    progress.clear()
    #expect(messages.withLock { $0 } == "a.retcon … 4 runs\na.retcon … 8 runs\n")
  }

  @Test("a search for orders ends after a minute, if nothing else is asked for")
  func limit() {
    let time = ExploreCommand.declaration.options.first { $0.name == "time" }
    #expect(time?.help == "the most seconds to search (60)")
  }
}

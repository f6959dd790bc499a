import SessionWords
import Testing
import ValueTree

@testable import Replay

@Suite struct OtherAnswerTests {
  @Test(
    "answers/reply: your answer counts where the recording has another one, also in flight",
    arguments: [2, 3])
  func otherAnswer(leavesAt: Int) async throws {
    let shop = try await TapeBodyTests.twoAnswers()
    let run = try shop.run(
      leavesAt: leavesAt, .reply(Reply(to: Question("answer", [2]), .value("two"))))
    #expect(run.lines.contains("4 fetched ⚡2 ←4 recorded/different"), "\(run.lines)")
    #expect(run.states.last?.log == ["answer 1", "two", "end"])
    #expect(run.report.assumptions == [] && run.report.pending == [])
  }

  @Test("answers/reply: the recorded answer, said again, changes nothing")
  func sameAnswer() async throws {
    let shop = try await TapeBodyTests.twoAnswers()
    let run = try shop.run(
      leavesAt: 2, .reply(Reply(to: Question("answer", [2]), .value("answer 2"))))
    #expect(run.states.last?.log == ["answer 1", "answer 2", "end"])
    #expect(run.report.assumptions == [])
  }
}

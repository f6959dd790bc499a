import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import TimeTravel

@Suite("A search on all processors")
struct ParallelSearchTests {
  @Test(
    "finds in its parts what one walk finds",
    arguments: [
      "state.total < 3", "previous.total > state.total", "label == 'rare'",
      "label == 'rare' && action.n > 2000", "precededBy(label == 'rare', 3)",
    ])
  func parts(text: String) async throws {
    let folder = try TemporaryFolder()
    let writer = try SessionWriter(
      path: folder("s.retcon"), header: SessionHeader(state: ["total": 0]))
    for number in 1...6_000 {
      try writer.append(
        Step(
          number: number, label: number % 97 == 0 ? "rare" : "tick",
          action: ["n": .number(Number(number))]),
        state: ["total": .number(Number(number % 11))])
    }
    try writer.finish()
    let session = OpenSession(SessionRecording(try SessionReader(path: folder("s.retcon"))))
    let question = try StepQuestion(text)
    let rare = Array(stride(from: 97, through: 6_000, by: 97))
    var one = ConditionSearch(session, "main", question, [StepAnswers(hits: rare)])
    var many = ConditionSearch(session, "main", question, [StepAnswers(hits: rare)])
    let found = try await many.allAnswers(in: 0...6_000).hits
    #expect(!found.isEmpty)
    #expect(try await one.answers(in: 0...6_000).hits == found)
  }
}

import Glibc
import HostProtocol
import RecordingSupport
import SessionFile
import SessionWords
import Synchronization
import TestSupport
import Testing
import TimeTravel
import ValueTree

/// Searching without parsing finds what searching step by step finds. `RETCON_SEED` repeats a run,
/// `RETCON_LONG` makes a hundred times as many.
@Suite("A fast search") struct FastSearchTests {
  private static let rounds = getenv("RETCON_LONG") != nil ? 1_000 : 10

  private static func random(_ offset: UInt64) -> SeededGenerator {
    let seed = getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_120
    print("searches: \(rounds) sessions, RETCON_SEED=\(seed)")
    return SeededGenerator(seed: seed &+ offset)
  }

  private func hits(
    _ search: (@escaping @Sendable (SearchBatch) async -> Void) async throws -> Void
  ) async throws -> [[Int]] {
    let hits = Mutex<[[Int]]>([[], []])
    try await search { batch in
      hits.withLock {
        $0[0] += batch.hits
        $0[1] += batch.unknown
      }
    }
    return hits.withLock { $0 }
  }

  /// Compares the two ways for some conditions and texts, from a random step.
  private func expectSame(
    _ fast: OpenSession, _ slow: OpenSession, branch: BranchID = .main,
    _ random: inout SeededGenerator, _ round: Int
  ) async throws {
    let steps = try #require(fast.branch(branch)).steps
    let start = Int.random(in: steps, using: &random)
    for text in SearchedSession.conditions.shuffled(using: &random).prefix(6) {
      let question = try StepQuestion(Bool.random(using: &random) ? text : "!(\(text))")
      let found = try await hits {
        try await fast.search(branch, from: start, for: question, report: $0)
      }
      let expected = try await hits {
        try await slow.search(branch, from: start, for: question, report: $0)
      }
      #expect(found == expected, "round \(round), \(branch) from \(start): \(text)")
    }
    for text in SearchedSession.searchedTexts.shuffled(using: &random).prefix(6) {
      let text = StepText(text)
      let found = try await hits {
        try await fast.search(branch, from: start, for: text, report: $0)
      }
      let expected = try await hits {
        try await slow.search(
          branch, from: start,
          answers: { steps in
            let hits = try steps.filter {
              text.matches(try slow.step(at: Position(branch: branch, step: $0)).step)
            }
            return StepAnswers(hits: hits)
          }, $0)
      }
      #expect(found == expected, "round \(round), \(branch) from \(start): “\(text.text)”")
    }
  }

  @Test("finds what a look at each step finds, in random sessions")
  func sessions() async throws {
    var random = Self.random(0)
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      _ = try SearchedSession(&random, to: folder("s.retcon"))
      if Bool.random(using: &random) {
        // As another program may write it.
        try folder.write(
          folder.text("s.retcon").replacing("tea", with: #"t\u0065a"#)
            .replacing("a/b", with: #"a\/b"#), to: "s.retcon")
      }
      let recording = SessionRecording(try SessionReader(path: folder("s.retcon")))
      try await expectSame(
        OpenSession(recording), OpenSession(PlainRecording(inner: recording)), &random, round)
    }
  }

  @Test("finds what a look at each step finds, in damaged sessions")
  func damage() async throws {
    var random = Self.random(1)
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      _ = try SearchedSession(&random, to: folder("s.retcon"))
      var lines = folder.text("s.retcon").split(separator: "\n").map(String.init)
      for _ in 0..<Int.random(in: 1...3, using: &random) where lines.count > 3 {
        let place = Int.random(in: 1..<lines.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: lines.remove(at: place)
        case 1: lines[place] = String(lines[place].dropLast(12))
        case 2: lines.insert(lines[place], at: place)
        case 3: lines[place] = "{\"step\":"
        default: lines.insert("\0\0tea", at: place)
        }
      }
      try folder.write(lines.joined(separator: "\n"), to: "s.retcon")
      let recording = SessionRecording(try SessionReader(path: folder("s.retcon")))
      try await expectSame(
        OpenSession(recording), OpenSession(PlainRecording(inner: recording)), &random, round)
    }
  }

  /// Runs every fork as three steps of its own, after which the parent goes on, one step later.
  private struct ShortHost: BranchHost {
    let name = "ShortHost"

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport {
      for number in step..<step + 3 {
        let own = Step(number: number, label: "added", action: ["added": ["title": "own tea"]])
        onStep(BranchStep(step: own, standing: Standing(.edited, .new)))
      }
      return BranchReport(
        lastStep: step + 2, rejoining: Rejoining(step: step + 2, parentStep: step + 1))
    }

    func state(of branch: BranchPath, after step: Int) async throws -> Value {
      ["total": .number(Number(step % 3 - 1)), "user": ["name": "tea", "age": 1]]
    }
  }

  @Test("finds what a look at each step finds, in forks of forks that meet their parents again")
  func forks() async throws {
    var random = Self.random(2)
    for round in 0..<Self.rounds / 2 {
      let folder = try TemporaryFolder()
      let written = try SearchedSession(&random, to: folder("s.retcon"))
      let recording = SessionRecording(try SessionReader(path: folder("s.retcon")))
      let sessions = [
        OpenSession(recording, host: ShortHost()),
        OpenSession(PlainRecording(inner: recording), host: ShortHost()),
      ]
      let leaving = Int.random(in: written.firstStep...written.lastStep - 2, using: &random)
      let second = Int.random(in: written.firstStep...written.lastStep, using: &random)
      for session in sessions {
        for await _ in try session.fork("a", Script(leavesAt: leaving)) {}
        for await _ in try session.fork("b", Script(parent: "a", leavesAt: second)) {}
      }
      for branch in ["a", "b"] as [BranchID] {
        try await expectSame(sessions[0], sessions[1], branch: branch, &random, round)
      }
    }
  }

  @Test("reports its progress, and ends at once when it is cancelled")
  func cancelling() async throws {
    let folder = try TemporaryFolder()
    let writer = try SessionWriter(
      path: folder("s.retcon"), header: SessionHeader(state: ["total": 0]))
    for number in 1...5_000 {
      try writer.append(
        Step(number: number, label: "tick", action: "tick"),
        state: ["total": .number(Number(number))])
    }
    try writer.finish()
    let session = OpenSession(SessionRecording(try SessionReader(path: folder("s.retcon"))))
    let question = try StepQuestion("state.total == 100")
    let batches = Mutex<[SearchBatch]>([])
    try await session.search("main", from: 0, for: question) { batch in
      batches.withLock { $0.append(batch) }
    }
    #expect(batches.withLock { $0.count } > 2)
    #expect(batches.withLock { $0.map(\.searched) == $0.map(\.searched).sorted() })
    #expect(batches.withLock { $0.last?.searched } == 5_001)
    #expect(batches.withLock { $0.flatMap(\.hits) } == [100])

    batches.withLock { $0 = [] }
    let search = Task {
      try await session.search("main", from: 0, for: question) { batch in
        batches.withLock { $0.append(batch) }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    try await search.value
    #expect(batches.withLock { $0.count } == 1)
  }
}

import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// A child records at full speed and comes to a bad end; whatever is in the file must open.
@Suite("Crashes") struct CrashTests {
  /// Each way to end comes twice; `RETCON_LONG` starts 500 children.
  private static let rounds = getenv("RETCON_LONG") == nil ? 20 : 500

  private static func seed() -> UInt64 {
    getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_120
  }

  /// The ways in which children end, one after the other.
  private static func doomed(
    _ round: Int, in folder: String, _ random: inout SeededGenerator
  ) -> DoomedRecording {
    let ends: [(DoomedRecording.End, isLimited: Bool)] = [
      (.killed, false), (.trap, false), (.finish, true), (.killed, true), (.trap, true),
    ]
    let end = ends[round / 2 % ends.count]
    var doomed = DoomedRecording(end.0, in: folder)
    doomed.isLimited = end.isLimited
    doomed.isWriteAhead = !round.isMultiple(of: 2)
    // Without write-ahead mode there need not be a file before the first flush.
    doomed.trap = (doomed.isWriteAhead ? 1 : doomed.batch + 1) + Int(random.next() % 400)
    doomed.seed = random.next()
    if doomed.end == .finish, !doomed.isWriteAhead, random.next().isMultiple(of: 2) {
      doomed.batch = 701
    }
    return doomed
  }

  @Test("A recording that ends at a random moment opens; no flushed step is missing")
  func ended() throws {
    var random = SeededGenerator(seed: Self.seed())
    print("crash tests: \(Self.rounds) children, RETCON_SEED=\(Self.seed())")
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let doomed = Self.doomed(round, in: folder.path, &random)
      let child = try ChildProcess(running: "recordsUntilItsEnd", task: doomed.text)
      if doomed.end == .killed {
        let wanted = 1 + Int(random.next() % 57)
        while doomed.flushed.count < wanted { sched_yield() }
        for _ in 0..<random.next() % 500 { sched_yield() }
        child.kill(SIGKILL)
      }
      let status = child.wait()
      switch doomed.end {
      case .killed: #expect(status & 0x7F == SIGKILL, "round \(round): \(doomed.text)")
      case .trap:
        #expect([SIGILL, SIGTRAP].contains(status & 0x7F), "round \(round): \(doomed.text)")
      case .finish: #expect(status == 0, "round \(round): \(doomed.text)")
      }
      try check(doomed, round)
    }
  }

  private func check(_ doomed: DoomedRecording, _ round: Int) throws {
    let comment = Comment(rawValue: "round \(round): \(doomed.text)")
    let session = try SessionReader(path: doomed.session)
    let whole = try session.steps.filter { try session.step($0).damage == nil }
    for number in whole {
      #expect(try session.state(after: number) == DoomedRecording.state(number), comment)
      #expect(
        try number == 0 || session.step(number).action == DoomedRecording.action(number), comment)
    }
    var missing = Set(0...session.steps.upperBound).subtracting(whole)
    for last in doomed.flushed {
      #expect(last <= session.steps.upperBound, comment)
      #expect(missing.isDisjoint(with: last - doomed.batch + 1...last), comment)
    }
    #expect(session.isFinished == (doomed.end == .finish), comment)

    try session.examine()
    var lost: Set<Int> = []
    var isListedWhole = true
    for notice in session.notices {
      switch notice.finding {
      case .lostSteps(let steps, because: "File too large") where doomed.isLimited:
        #expect(lost.isDisjoint(with: steps), comment)
        lost.formUnion(steps)
      case .missingSteps(let steps) where doomed.isLimited:
        #expect(missing.isSuperset(of: steps), comment)
      case .unfinishedStep(session.steps.upperBound, _) where doomed.isWriteAhead:
        #expect(doomed.end != .finish, comment)
        missing.remove(session.steps.upperBound)
      case .tornTail where doomed.end != .finish: break
      case .more where doomed.isLimited: isListedWhole = false
      default: Issue.record("\(notice), round \(round): \(doomed.text)")
      }
    }
    let said = lost.filter { $0 <= session.steps.upperBound }
    #expect(isListedWhole ? said == missing : missing.isSuperset(of: said), comment)
    if doomed.end == .finish, isListedWhole {
      #expect(doomed.result == [whole.count - 1 + lost.count, lost.count], comment)
    }
    if doomed.end == .trap, doomed.isWriteAhead, !doomed.isLimited {
      #expect(session.steps.upperBound == doomed.trap, comment)
      #expect(
        session.notices.map(\.finding) == [
          .unfinishedStep(doomed.trap, label: "Dictionary<String, Int>")
        ], comment)
    }
  }

  @Test("In write-ahead mode the action that ends the app is the last line, with its reads")
  func trapped() throws {
    let folder = try TemporaryFolder()
    var doomed = DoomedRecording(.trap, in: folder.path)
    doomed.isWriteAhead = true
    doomed.trap = 51
    let status = try ChildProcess(running: "recordsUntilItsEnd", task: doomed.text).wait()
    #expect(status & 0x7F == SIGILL || status & 0x7F == SIGTRAP)
    let session = try SessionReader(path: doomed.session)
    #expect(session.steps == 0...51)
    #expect(try session.state(after: 50) == DoomedRecording.state(50))
    let last = try session.step(51)
    #expect(last.action == ["boom": 51])
    #expect(last.reads == [Read(key: "dice", value: 4)])
    #expect(last.damage == "the app stopped inside its reducer: the step began and never ended")
    #expect(
      session.notices.map(\.finding) == [.unfinishedStep(51, label: "Dictionary<String, Int>")])
  }

  @Test("records until its end", .enabled(if: ChildProcess.task != nil))
  func recordsUntilItsEnd() throws {
    try #require(ChildProcess.task.flatMap(DoomedRecording.init)).record()
  }
}

import Glibc
import SessionLog
import Testing
import ValueTree

/// A child records at full speed and is killed; whatever is in the file must open.
@Suite("Crashes") struct CrashTests {
  /// `RETCON_LONG` kills 500 children, otherwise a tenth.
  private static let rounds = getenv("RETCON_LONG") == nil ? 50 : 500

  private static func seed() -> UInt64 {
    getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_120
  }

  /// Flushed steps are counted in a file beside the session, after `flush` has returned.
  private struct Child: Sendable {
    enum Way: String, CaseIterable, Sendable { case queue, writeAhead, trap }
    var way: Way
    var path: String

    var text: String { "\(way.rawValue):\(path)" }

    init(way: Way, path: String) {
      self.way = way
      self.path = path
    }

    init?(_ text: String) {
      guard let colon = text.firstIndex(of: ":"), let way = Way(rawValue: String(text[..<colon]))
      else { return nil }
      self.init(way: way, path: String(text[text.index(after: colon)...]))
    }
  }

  @Test("A recording killed at a random moment opens; no flushed step is missing")
  func killed() throws {
    var random = SeededGenerator(seed: Self.seed())
    print("crash tests: \(Self.rounds) children, RETCON_SEED=\(Self.seed())")
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let way = round.isMultiple(of: 2) ? Child.Way.queue : .writeAhead
      let path = folder("killed.retcon")
      let child = try ChildProcess(
        running: "recordsUntilKilled", task: Child(way: way, path: path).text)
      let wanted = Int(random.next() % 400)
      while flushedSteps(folder) < wanted { sched_yield() }
      for _ in 0..<random.next() % 500 { sched_yield() }
      child.kill(SIGKILL)
      child.wait()

      let flushed = flushedSteps(folder)
      let session = try SessionReader(path: path)
      #expect(session.steps.upperBound >= flushed, "round \(round)")
      #expect(!session.isFinished)
      let whole = try session.steps.filter { try session.step($0).damage == nil }
      #expect(whole.count >= session.steps.count - 1, "round \(round)")
      for number in whole {
        #expect(try session.state(after: number) == state(number), "round \(round)")
        #expect(try number == 0 || session.step(number).action == action(number))
      }
      try session.examine()
      #expect(session.notices.allSatisfy { Self.isExpected($0) }, "\(session.notices)")
    }
  }

  @Test("In write-ahead mode the action that ends the app is the last line, with its reads")
  func trapped() throws {
    let folder = try TemporaryFolder()
    let path = folder("trap.retcon")
    let status = try ChildProcess(
      running: "recordsUntilKilled", task: Child(way: .trap, path: path).text
    ).wait()
    #expect(status & 0x7F == SIGILL || status & 0x7F == SIGTRAP)
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...51)
    #expect(try session.state(after: 50) == state(50))
    let last = try session.step(51)
    #expect(last.action == ["boom": 51])
    #expect(last.reads == [Read(key: "dice", value: 4)])
    #expect(last.damage == "the app stopped inside its reducer: the step began and never ended")
    #expect(
      session.notices.map(\.finding) == [.unfinishedStep(51, label: "Dictionary<String, Int>")])
  }

  @Test("records until it is killed", .enabled(if: ChildProcess.task != nil))
  func recordsUntilKilled() throws {
    let child = try #require(ChildProcess.task.flatMap(Child.init))
    var options = RecordingOptions()
    options.isWriteAhead = child.way != .queue
    options.backPressure = .wait(beyond: 500)
    let recorder = SessionRecorder<[String: [Int]], [String: Int]>(
      to: child.path, options: options)
    recorder.start(with: ["numbers": []])
    var numbers: [Int] = []
    var flushed = child.path
    flushed.removeLast("killed.retcon".count)
    let count = open("\(flushed)count", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for number in 1... {
      let isLast = child.way == .trap && number == 51
      recorder.step([isLast ? "boom" : "step": number]) {
        if isLast {
          _ = recorder.tape.value("dice") { 4 }
          _ = numbers[number + 1_000_000]
        }
        numbers = next(numbers, number)
        return ["numbers": numbers]
      }
      guard number.isMultiple(of: 7), child.way != .trap else { continue }
      recorder.flush()
      write(count, ".......", 7)
    }
  }

  private func flushedSteps(_ folder: TemporaryFolder) -> Int {
    var status = stat()
    return stat(folder("count"), &status) == 0 ? Int(status.st_size) : 0
  }

  private func next(_ numbers: [Int], _ number: Int) -> [Int] {
    numbers.suffix(19) + [number]
  }

  private func action(_ number: Int) -> Value { ["step": .number(Number(number))] }

  private func state(_ number: Int) -> Value {
    let numbers = number == 0 ? [] : Array(max(1, number - 19)...number)
    return ["numbers": .array(ValueArray(numbers.map { .number(Number($0)) }))]
  }

  private static func isExpected(_ notice: Notice) -> Bool {
    switch notice.finding {
    case .tornTail, .unfinishedStep: true
    default: false
    }
  }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

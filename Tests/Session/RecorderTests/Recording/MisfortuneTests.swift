import Glibc
import Platform
import Recorder
import SessionFile
import TestSupport
import Testing
import ValueTree

/// A child records while all sorts of things happen to its file, and ends or is killed. Each step
/// that it knew to be flushed must be in a file, or be reported as lost.
@Suite("Misfortunes") struct MisfortuneTests {
  /// `RETCON_LONG` starts 300 children.
  private static let rounds = getenv("RETCON_LONG") == nil ? 24 : 300

  /// The place of a step in the recorder's message when it could not make a file.
  static let hasNoFile = -1

  private static func seed() -> UInt64 {
    getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_122
  }

  @Test("After any misfortunes every flushed step is there or said to be lost")
  func unlucky() throws {
    var random = SeededGenerator(seed: Self.seed())
    print("misfortunes: \(Self.rounds) children, RETCON_SEED=\(Self.seed())")
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let child = UnluckyRecording(
        isWriteAhead: round.isMultiple(of: 2), isKilled: round / 2 % 2 == 1, seed: random.next(),
        folder: folder.path)
      try run(child, folder, "round \(round)")
    }
  }

  @Test(
    "Misfortunes that once hid a loss hide none",
    arguments: [
      // A file was cut, and what was left of it removed or cut again before there was room for another.
      "false:false:2974581184565956500", "false:false:1482635914999242691",
      // The second recorder found a foreign file, and recorded without a file.
      "true:false:10729222860085544955", "true:false:3969476916248007100",
    ])
  func unluckyOnce(task: String) throws {
    let folder = try TemporaryFolder()
    try run(#require(UnluckyRecording("\(task):\(folder.path)")), folder, task)
  }

  private func run(_ child: UnluckyRecording, _ folder: TemporaryFolder, _ name: String) throws {
    let status = try ChildProcess(running: "recordsWithMisfortunes", task: child.text).wait()
    #expect(child.isKilled ? status & 0x7F == SIGKILL : status == 0, "\(name): \(child.text)")
    let comment = Comment(rawValue: "\(name): \(child.text), \(folder.text("misfortunes"))")
    let files = folder.names.filter { $0.hasSuffix(".retcon") }.compactMap {
      try? SessionReader(path: folder($0))
    }
    for recorder in 0..<2 {
      var present: Set<Int> = []
      var said: Set<Int> = []
      for session in files where session.header.started == UnluckyRecording.started(recorder) {
        try session.examine()
        for step in session.steps.dropFirst() {
          guard try session.step(step).damage == nil else { continue }
          #expect(try session.step(step).action == .number(Number(step)), comment)
          if let state = try? session.state(after: step) {
            #expect(state == .number(Number(step)), comment)
            present.insert(step)
          }
        }
        for notice in session.notices {
          if case .lostSteps(let steps, _) = notice.finding { said.formUnion(steps) }
          // Only of a file that was cut the reader cannot know better.
          if case .unfinishedStep = notice.finding {
            #expect(folder.text("misfortunes").contains("3@"), comment)
          }
        }
      }
      let flushed = Set(child.flushed(by: recorder).flatMap { 1...$0 })
      let reported = Set(
        folder.text("troubles\(recorder)").split(separator: "\n").compactMap { Int($0) })
      let unsaid = flushed.subtracting(present).subtracting(said)
      if let first = reported.min(), child.isKilled || first == Self.hasNoFile {
        // A killed recorder had no time to write it into the file, and another had no file to write
        // to: the app got the message.
        #expect(unsaid.allSatisfy { $0 >= first }, comment)
      } else {
        #expect(unsaid.isEmpty, comment)
      }
      guard !child.isKilled, let result = child.result(of: recorder) else { continue }
      let missing = (1...result.steps).filter { !present.contains($0) }.count
      #expect(result.lost >= missing, comment)
      #expect(missing == 0 || !result.isComplete, comment)
      if folder.text("misfortunes").isEmpty { #expect(result.isComplete, comment) }
    }
  }

  @Test("records with misfortunes", .enabled(if: ChildProcess.task != nil))
  func recordsWithMisfortunes() throws {
    try #require(ChildProcess.task.flatMap(UnluckyRecording.init)).record()
  }
}

/// The recording of such a child.
struct UnluckyRecording {
  var isWriteAhead: Bool
  var isKilled: Bool
  var seed: UInt64
  var folder: String

  private static let steps = 160

  var text: String { "\(isWriteAhead):\(isKilled):\(seed):\(folder)" }

  static func started(_ recorder: Int) -> String { "2026-11-20T10:56:0\(recorder).000Z" }

  func flushed(by recorder: Int) -> [Int] { numbers("flushed\(recorder)") }

  /// The result of `finish`.
  func result(of recorder: Int) -> (steps: Int, lost: Int, isComplete: Bool)? {
    let found = numbers("result\(recorder)")
    return found.count == 3 ? (found[0], found[1], found[2] == 1) : nil
  }

  private func numbers(_ name: String) -> [Int] {
    let file = open("\(folder)/\(name)", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let bytes = WholeTransfer.readAll(from: file) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }

  private static func append(_ text: String, _ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = text.withCString { write(file, $0, strlen($0)) }
    close(file)
  }

  private func recorder(_ number: Int) -> SessionRecorder<Int, Int> {
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.started = Self.started(number)
    options.report = { [folder] trouble in
      switch trouble.problem {
      case .cannotWrite(_, let step): Self.append("\(step)\n", "\(folder)/troubles\(number)")
      case .fileHarmed: Self.append("1\n", "\(folder)/troubles\(number)")
      case .cannotOpen:
        Self.append("\(MisfortuneTests.hasNoFile)\n", "\(folder)/troubles\(number)")
      default: break
      }
    }
    let recorder = SessionRecorder<Int, Int>(to: folder + "/u.retcon", options: options)
    recorder.start(with: 0)
    return recorder
  }

  func record() {
    signal(SIGXFSZ, SIG_IGN)
    var random = SeededGenerator(seed: seed)
    var recorders = [recorder(0)]
    var counts = [0, 0]
    for step in 1...Self.steps {
      for (index, recorder) in recorders.enumerated() {
        counts[index] += 1
        let number = counts[index]
        recorder.step(number) { number }
        guard random.next().isMultiple(of: 5) || step == Self.steps else { continue }
        recorder.flush()
        Self.append("\(number)\n", "\(folder)/flushed\(index)")
      }
      if step < Self.steps - 1, random.next().isMultiple(of: 30) {
        misfortune(&random, &recorders, step)
      }
    }
    for recorder in recorders { recorder.flush() }
    if isKilled { raise(SIGKILL) }
    limitFiles(to: .max)
    for (index, recorder) in recorders.enumerated() {
      let statistics = recorder.finish()
      Self.append(
        "\(statistics.steps)\n\(statistics.lostSteps)\n\(statistics.isComplete ? 1 : 0)\n",
        "\(folder)/result\(index)")
    }
  }

  private func misfortune(
    _ random: inout SeededGenerator, _ recorders: inout [SessionRecorder<Int, Int>], _ step: Int
  ) {
    let files = namesInFolder(folder).map { "\(folder)/\($0)" }.filter(isRecorded)
    guard let path = files.randomElement(using: &random) else { return }
    var status = stat()
    stat(path, &status)
    let size = UInt64(status.st_size)
    let kind = random.next() % 8
    switch kind {
    case 0: unlink(path)
    case 1:
      Self.append("mine", "\(folder)/mine")
      rename("\(folder)/mine", path)
    case 2: rename(path, "\(folder)/moved\(step).retcon")
    case 3: truncate(path, off_t(random.next() % (size + 1)))
    case 4: limitFiles(to: rlim_t(size + random.next() % 6_000))
    case 5: limitFiles(to: .max)
    case 6 where recorders.count == 1 && step < 20: recorders.append(recorder(1))
    case 7: fork(recorders)
    default: return
    }
    Self.append("\(kind)@\(step) ", "\(folder)/misfortunes")
  }

  /// Only what is being recorded now: what becomes of other files no recorder can know.
  private func isRecorded(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(file) }
    return path.hasSuffix(".retcon") && flock(file, LOCK_EX | LOCK_NB) != 0
  }

  private func fork(_ recorders: [SessionRecorder<Int, Int>]) {
    let child = ForkedProcessTests.fork()
    guard child == 0 else {
      var status: Int32 = 0
      waitpid(child, &status, 0)
      return
    }
    for recorder in recorders {
      recorder.step(1_000) { 1_000 }
      recorder.flush()
      recorder.finish()
    }
    _exit(0)
  }

  private func limitFiles(to size: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(size, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}

extension UnluckyRecording {
  init?(_ text: String) {
    let words = text.split(separator: ":", maxSplits: 3)
    guard words.count == 4, let seed = UInt64(words[2]) else { return nil }
    self.init(
      isWriteAhead: words[0] == "true", isKilled: words[1] == "true", seed: seed,
      folder: String(words[3]))
  }
}

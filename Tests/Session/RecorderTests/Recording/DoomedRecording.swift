import Glibc
import Recorder
import TestSupport
import Testing
import ValueTree

/// The child's recording, how it is disturbed, and its report in files beside it.
struct DoomedRecording: Sendable {
  /// How the child comes to its end.
  enum End: String, Sendable { case killed, trap, finish }
  var end: End
  var isWriteAhead = false
  /// The disk is small now and then: a limit on file sizes makes writes fail.
  var isLimited = false
  /// The reducer of this step traps.
  var trap = 0
  /// So many steps between two calls of `flush`.
  var batch = 7
  var seed: UInt64 = 0
  var folder: String

  var session: String { "\(folder)/doomed.retcon" }

  var text: String {
    "\(end.rawValue):\(isWriteAhead):\(isLimited):\(trap):\(batch):\(seed):\(folder)"
  }

  init(_ end: End, in folder: String) {
    self.end = end
    self.folder = folder
  }

  init?(_ text: String) {
    let words = text.split(separator: ":", maxSplits: 6)
    guard words.count == 7, let end = End(rawValue: String(words[0])),
      let trap = Int(words[3]), let batch = Int(words[4]), let seed = UInt64(words[5])
    else { return nil }
    self.init(end, in: String(words[6]))
    isWriteAhead = words[1] == "true"
    isLimited = words[2] == "true"
    self.trap = trap
    self.batch = batch
    self.seed = seed
  }

  /// The last steps of the batches of which the child knows that they were flushed whole.
  var flushed: [Int] { numbers(in: "flushed") }
  /// The child's result of `finish`: how many steps it recorded, and how many were lost.
  var result: [Int] { numbers(in: "result") }

  private func numbers(in name: String) -> [Int] {
    let file = open("\(folder)/\(name)", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    return [Int](unsafeUninitializedCapacity: Int(status.st_size) / 8) { numbers, count in
      count = max(0, read(file, numbers.baseAddress, numbers.count * 8)) / 8
    }
  }

  private func append(_ number: Int, to name: String) {
    let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    withUnsafeBytes(of: number) { _ = write(file, $0.baseAddress, 8) }
  }
}

extension DoomedRecording {
  /// The child: records until its end.
  func record() {
    let trouble = Told()
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.backPressure = .wait(beyond: 500)
    if batch > 500 { options.flush = .never }
    options.report = { trouble.add($0.sentence) }
    let recorder = SessionRecorder<[String: [Int]], [String: Int]>(to: session, options: options)
    recorder.start(with: ["numbers": []])
    var disk = SmallDisk(
      path: session, longestPhase: batch > 500 ? 3 : 20, random: SeededGenerator(seed: seed))
    var numbers: [Int] = []
    for number in 1... {
      let isLast = end == .trap && number == trap
      recorder.step([isLast ? "boom" : "step": number]) {
        if isLast {
          _ = recorder.tape.value("dice") { 4 }
          _ = numbers[number + 1_000_000]
        }
        numbers = Self.next(numbers, number)
        return ["numbers": numbers]
      }
      guard number.isMultiple(of: batch) else { continue }
      recorder.flush()
      guard isLimited else {
        append(number, to: "flushed")
        continue
      }
      if disk.isSurelyWritten(hadTrouble: !trouble.all.isEmpty) { append(number, to: "flushed") }
      disk.change()
      guard end == .finish, disk.phases > 6 else { continue }
      disk.grow()
      let statistics = recorder.finish()
      append(statistics.steps, to: "result")
      append(statistics.lostSteps, to: "result")
      return
    }
  }

  private static func next(_ numbers: [Int], _ number: Int) -> [Int] {
    numbers.suffix(19) + [number]
  }

  static func action(_ number: Int) -> Value { ["step": .number(Number(number))] }

  static func state(_ number: Int) -> Value {
    let numbers = number == 0 ? [] : Array(max(1, number - 19)...number)
    return ["numbers": .array(ValueArray(numbers.map { .number(Number($0)) }))]
  }
}

/// A limit on the size of files that comes at a random size and goes after a random time.
private struct SmallDisk {
  private let path: String
  /// In batches.
  private let longestPhase: UInt64
  private var random: SeededGenerator
  private(set) var phases = 0
  private var isSmall = false
  private var batchesLeft = 0
  private var sizeBefore = 0
  /// Since there is room again, the file has grown by a batch before the last: nothing fails now.
  private var isWriting = true

  init(path: String, longestPhase: UInt64, random: SeededGenerator) {
    self.path = path
    self.longestPhase = longestPhase
    self.random = random
    batchesLeft = Int(self.random.next() % longestPhase)
  }

  /// Whether all steps of the batch that was just flushed are in the file.
  mutating func isSurelyWritten(hadTrouble: Bool) -> Bool {
    let size = size
    defer {
      if !isSmall, size > sizeBefore { isWriting = true }
      sizeBefore = size
    }
    return !hadTrouble || (!isSmall && isWriting)
  }

  /// Between two batches the limit comes or goes.
  mutating func change() {
    batchesLeft -= 1
    guard batchesLeft < 0 else { return }
    batchesLeft = Int(random.next() % longestPhase)
    phases += 1
    isSmall.toggle()
    isWriting = false
    set(isSmall ? rlim_t(size) + rlim_t(random.next() % 4_000) : rlim_t.max)
  }

  mutating func grow() { set(.max) }

  private var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func set(_ size: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(size, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}

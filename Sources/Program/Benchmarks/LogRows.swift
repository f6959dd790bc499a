import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// Opening and seeking in a log of 1,000,000 steps with states of 50 KB, about 570 MB.
enum LogRows {
  static let topic = Topic(name: "Log") { folder in
    let log = try LargeLog(steps: 1_000_000, in: folder)
    return [
      Row(
        "last of 1,000,000 steps and its state, warm", bar: .ratioAtMost(3),
        .lastStep(of: log.path), against: .lines(of: log.path), samples: 7),
      Row(
        "the last step with its index in the cache",
        bar: .watched("the floor is reading the index"),
        .lastStep(of: log.path, log.cache), against: .lines(of: log.path), samples: 7),
      Row(
        "private memory after opening it", bar: .atMost(30e6 + 8 * Double(log.lines)),
        .measured(unit: .bytes) { try MemoryRows.privateBytes(opening: log.path) }, samples: 3),
      Row(
        "the same with its index in the cache", bar: .atMost(30e6 + 8 * Double(log.lines)),
        .measured(unit: .bytes) {
          blackHole(try SessionReader(path: log.path, indexCache: log.cache))
          return try MemoryRows.privateBytes(opening: log.path, cache: log.cache.folder)
        }, samples: 3),
      Row(
        "seek to a random step, median", bar: .atMost(1.5e-3),
        .measured { try seekTimes(log.path)[100] }, samples: 5),
      Row(
        "seek to a random step, 99th percentile", bar: .atMost(16e-3),
        .measured { try seekTimes(log.path)[198] }, samples: 5),
      Row(
        "keyframes' share of a file", bar: .ratioAtMost(0.25),
        .measured(unit: .bytes) { Double(try writtenShare().keyframes) },
        against: .measured("file", unit: .bytes) { Double(try writtenShare().file) }, samples: 1),
    ]
      + (try SearchRows.rows(log, folder)
        + DebuggerRows.rows(
          OpenSession(SessionRecording(try SessionReader(path: log.path))),
          label: "quantityChanged",
          place: "total", shown: " 19│"))
  }

  /// The ascending times of 200 seeks in a newly opened session.
  private static func seekTimes(_ path: String) throws -> [Double] {
    let session = try SessionReader(path: path)
    var random = SystemRandomNumberGenerator()
    return try (0..<200).map { _ in
      let step = Int.random(in: session.steps, using: &random)
      let watch = Stopwatch()
      blackHole(try session.state(after: step))
      return watch.seconds
    }.sorted()
  }

  private static func writtenShare() throws -> (keyframes: Int, file: Int) {
    let folder = try BenchFolder()
    let path = folder("share.retcon")
    var state = LargeLog.state(0)
    let writer = try SessionWriter(path: path, header: SessionHeader(state: state))
    for number in 1...5_000 {
      state = try Patch(LargeLog.change(number)).applied(to: state)
      try writer.append(LargeLog.step(number), state: state)
    }
    try writer.finish()
    return (writer.keyframeCount * state.bytes().count, writer.bytesWritten)
  }
}

import Platform
import Samples
import SessionFile
import SessionWords
import StoreCore
import TerminalDriver
import ValueTree

/// A key's whole path: from the keyboard through the real program to the terminal.
enum ScreenRows {
  static let topic = Topic(name: "Screen") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    let session = "\(folder.path)/wishes.retcon"
    await WishesSample.record(moves(), to: session)
    func watched(
      _ name: String, _ limit: Double, after steps: Int, stepsPerSecond: Int
    ) -> Row {
      Row(
        "\(name): what is used of one core", bar: .atMost(limit),
        .measured(unit: .share) {
          try watching(retcon, folder, after: steps, stepsPerSecond: stepsPerSecond)
        }, samples: 1)
    }
    return [
      Row(
        "key to first output byte, median of 200 steps of Wishes at 120 × 40", bar: .atMost(2e-3),
        .measured { median(try walk(retcon, session).map(\.seconds)) }, samples: 3),
      Row(
        "bytes for one step down, median", bar: .atMost(2_000),
        .measured(unit: .bytes) { median(try walk(retcon, session).map { Double($0.bytes) }) },
        samples: 1),
      Row(
        "bytes for one step down, most", bar: .atMost(12_000),
        .measured(unit: .bytes) {
          try walk(retcon, session).map { Double($0.bytes) }.max() ?? .infinity
        }, samples: 1),
      watched("nothing happens", 0.002, after: 10, stepsPerSecond: 0),
      watched("1,000 new steps a second, a small file", 0.05, after: 10, stepsPerSecond: 1_000),
      watched(
        "1,000 new steps a second, a large file", 0.05, after: 200_000, stepsPerSecond: 1_000),
    ]
  }

  private static func watching(
    _ program: String, _ folder: BenchFolder, after steps: Int, stepsPerSecond: Int
  ) throws -> Double {
    let path = folder("growing.retcon")
    let file = try BenchFile(path)
    try file.write(SessionHeader(state: ["total": 0, "name": "Ann"]).bytes)
    for number in 1...steps { try file.write(line(number)) }
    file.flush()
    return try watching(program, path, after: steps, stepsPerSecond: stepsPerSecond, line)
  }

  private static func line(_ number: Int) -> [UInt8] {
    let step = Step(
      number: number, time: .milliseconds(number), label: "counted", action: ["counted": [:]])
    let total = Value.number(Number(number))
    let line =
      number.isMultiple(of: 300)
      ? StepLine(step, state: ["total": total, "name": "Ann"])
      : StepLine(step, patch: Patch([.replace(Pointer(tokens: ["total"]), total)]).value)
    return LogLine.step(line).bytes
  }

  /// The CPU use while the user watches the end of a growing file.
  static func watching(
    _ program: String, _ path: String, after steps: Int, stepsPerSecond: Int,
    _ line: (Int) -> [UInt8]
  ) throws -> Double {
    let file = try BenchFile(path, appending: true)
    var last = steps
    func write(upTo number: Int) throws {
      while last < number {
        last += 1
        try file.write(line(last))
      }
      file.flush()
    }
    let terminal = try PseudoTerminal(program, [path], columns: 120, rows: 40)
    // A notice may stand where the help is named.
    try terminal.wait(for: " steps ")
    terminal.type("G")
    while terminal.drain(milliseconds: 1_500) > 0 {}
    let (used, drawn) = (try KernelFigures.seconds(of: terminal.process), terminal.output.count)
    let start = Deadline.now()
    while case let time = Deadline.now() - start, time < 5 {
      try write(upTo: steps + Int(time * Double(stepsPerSecond)))
      terminal.drain(milliseconds: 10)
    }
    let seconds = try KernelFigures.seconds(of: terminal.process) - used
    guard (terminal.output.count > drawn) == (stepsPerSecond > 0) else {
      throw OptionError(text: "what was drawn does not go with what was written")
    }
    // Only the digits that changed are drawn.
    if stepsPerSecond > 0 { try terminal.wait(for: String(grouped(last).suffix(1)), after: drawn) }
    terminal.type("q")
    try terminal.waitForExit()
    return seconds / (Deadline.now() - start)
  }

  private static func moves() -> [DemoMove<Wishes.Action>] {
    let names = ["Ada", "Grace", "Barbara", "Edsger", "Tony", "Niklaus", "Donald"]
    return WishesSample.demo()
      + (0..<240).map { number in
        let name = names[number % names.count] + String(repeating: "!", count: number % 11)
        return DemoMove(after: .milliseconds(180), .binding(.set(\.name, name)))
      }
  }

  /// Goes 200 steps down, each after the screen has settled.
  private static func walk(
    _ program: String, _ session: String
  ) throws -> [(seconds: Double, bytes: Int)] {
    let terminal = try PseudoTerminal(program, ["\(session)@0"], columns: 120, rows: 40)
    try terminal.wait(for: " help")
    while terminal.drain(milliseconds: 100) > 0 {}
    var result: [(Double, Int)] = []
    for _ in 0..<200 {
      let start = Deadline.now()
      terminal.type("j")
      var bytes = terminal.drain(milliseconds: 2_000)
      let seconds = Deadline.now() - start
      while case let more = terminal.drain(milliseconds: 10), more > 0 { bytes += more }
      guard bytes > 0 else { throw OptionError(text: "a step down drew nothing") }
      result.append((seconds, bytes))
    }
    terminal.type("q")
    try terminal.waitForExit()
    return result
  }
}

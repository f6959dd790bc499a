import Samples
import StoreCore
import TerminalDriver

/// The way of a key: from the keyboard through the debugger to the terminal, in the real program.
enum ScreenRows {
  static let topic = Topic(name: "Screen") {
    let folder = try BenchFolder()
    let retcon = try ProcessRows.builtProgram("retcon")
    let session = "\(folder.path)/wishes.retcon"
    await WishesSample.record(moves(), to: session)
    return [
      Row(
        "key to first output byte, median of 200 steps of Wishes at 120 × 40", bar: .atMost(2e-3),
        .measured("one step down", unit: .seconds) {
          _ = folder  // which removes itself
          return median(try walk(retcon, session).map(\.seconds))
        }, samples: 3),
      Row(
        "bytes for one step down, median", bar: .atMost(2_000),
        .measured("one step down", unit: .bytes) {
          median(try walk(retcon, session).map { Double($0.bytes) })
        }, samples: 1),
      Row(
        "bytes for one step down, most", bar: .atMost(12_000),
        .measured("one step down", unit: .bytes) {
          try walk(retcon, session).map { Double($0.bytes) }.max() ?? .infinity
        }, samples: 1),
    ]
  }

  /// The demo, and somebody who goes on typing.
  private static func moves() -> [DemoMove<Wishes.Action>] {
    let names = ["Ada", "Grace", "Barbara", "Edsger", "Tony", "Niklaus", "Donald"]
    return WishesSample.demo()
      + (0..<240).map { number in
        let name = names[number % names.count] + String(repeating: "!", count: number % 11)
        return DemoMove(after: .milliseconds(180), .binding(.set(\.name, name)))
      }
  }

  private struct Measured {
    var seconds: Double
    var bytes: Int
  }

  /// Goes 200 steps down, each after the screen has come to rest.
  private static func walk(_ program: String, _ session: String) throws -> [Measured] {
    let terminal = try PseudoTerminal(program, ["\(session)@0"], columns: 120, rows: 40)
    try terminal.wait(for: " help")
    while terminal.drain(milliseconds: 100) > 0 {}
    var result: [Measured] = []
    for _ in 0..<200 {
      let start = Deadline.now()
      terminal.type("j")
      var bytes = terminal.drain(milliseconds: 2_000)
      let seconds = Deadline.now() - start
      while case let more = terminal.drain(milliseconds: 10), more > 0 { bytes += more }
      guard bytes > 0 else { throw OptionError(text: "a step down drew nothing") }
      result.append(Measured(seconds: seconds, bytes: bytes))
    }
    terminal.type("q")
    try terminal.waitForExit()
    return result
  }
}

import Platform
import TerminalDriver

/// Keys in the real program, while it handles a hostile file.
enum HostileRows {
  static let topic = Topic(name: "Hostile files") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    return try files.flatMap { file in
      let path = "\(folder.path)/\(file.name).retcon"
      try write(file, to: path)
      return [
        Row(
          "\(file.what): a key, at worst", bar: .atMost(0.1),
          .measured { try run(retcon, path, file.keys).keys }, samples: 1),
        Row(
          "\(file.what): q to the shell's screen", bar: .atMost(0.1),
          .measured { try run(retcon, path, file.keys).leaving }, samples: 1),
      ]
    }
  }

  private struct File {
    var name: String
    var what: String
    var state: String
    var steps: [String]
    var keys: [String]
  }

  private static let files = [
    File(
      name: "bomb", what: "a patch bomb", state: #"{"a":["x"]}"#,
      steps: Array(
        repeating: #""patch":[{"op":"copy","from":"/a","path":"/a/-"}]"#, count: 60),
      keys: ["G", "k", "k", "j"]),
    File(
      name: "deep", what: "copies 200,000 levels deep", state: #"{"a":null}"#,
      steps: [390, 390, 390].map { depth in
        let path = String(repeating: "/a", count: depth)
        let copy = #"{"op":"copy","from":"","path":"\#(path)"}"#
        let first = #"{"op":"copy","from":"","path":"/a"}"#
        return #""patch":["#
          + (Array(repeating: first, count: 400) + Array(repeating: copy, count: 200)).joined(
            separator: ",") + "]"
      }, keys: ["G", "k", "k", "j"]),
    File(
      name: "inserts", what: "200,000 inserts a step", state: #"{"a":[],"b":[]}"#,
      steps: (0..<4).map { _ in
        #""patch":["#
          + (0..<200_000).map {
            #"{"op":"add","path":"/\#($0 % 2 == 0 ? "a" : "b")/0","value":\#($0)}"#
          }.joined(separator: ",") + "]"
      }, keys: ["j", "j", "j", "k", "k"]),
    File(
      name: "huge", what: "states of 50 MB that differ everywhere", state: #"{"a":[]}"#,
      steps: (0..<4).map { step in
        #""keyframe":true,"state":{"a":["#
          + (0..<500_000).map {
            #"{"k":\#($0),"t":"\#(String(repeating: step % 2 == 0 ? "x" : "y", count: 60))","u":[\#(step)]}"#
          }.joined(separator: ",") + "]}"
      }, keys: ["j", "j", "k", "/nothing\n", "j", ":trim 1-3 /dev/null/a\n", "k"]),
  ]

  private static func write(_ file: File, to path: String) throws {
    let out = try BenchFile(path)
    try out.write("{\"retcon\":\"1.0\",\"state\":\(file.state)}\n".utf8)
    for (index, step) in file.steps.enumerated() {
      let head = step.hasPrefix(#""keyframe""#) ? #""keyframe":true,"# : ""
      let rest = step.replacing(#""keyframe":true,"#, with: "")
      let line = #"{"step":\#(index + 1),\#(head)"label":"s","action":\#(index),\#(rest)}"# + "\n"
      try out.write(line.utf8)
    }
  }

  /// Types each key as soon as the one before has an answer.
  private static func run(
    _ program: String, _ session: String, _ keys: [String]
  ) throws -> (keys: Double, leaving: Double) {
    let terminal = try PseudoTerminal(program, ["\(session)@1"], columns: 120, rows: 40)
    try terminal.wait(for: " help", seconds: 60)
    var worst = 0.0
    for key in keys {
      terminal.drain(milliseconds: 0)
      let start = Deadline.now()
      terminal.type(key)
      guard terminal.drain(milliseconds: 20_000) > 0 else { return (.infinity, .infinity) }
      worst = max(worst, Deadline.now() - start)
      while terminal.drain(milliseconds: 30) > 0, Deadline.now() - start < 0.3 {}
    }
    let end = terminal.output.count
    let start = Deadline.now()
    terminal.type("q")
    try terminal.wait(for: "\u{1B}[?1049l", after: end, seconds: 60)
    let leaving = Deadline.now() - start
    try terminal.waitForExit(seconds: 60)
    return (worst, leaving)
  }
}

import Platform
import Sockets

/// Hostile files and connections get 512 MB of memory in all, and an answer within 5 s.
enum AttackRows {
  static let topic = Topic(name: "Attacks on memory") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    var rows: [Row] = []
    for attack in attacks {
      let path = folder(attack.name)
      try attack.write(path)
      for words in attack.commands {
        let command = [retcon] + words.map { $0.replacing("FILE", with: path) }
        rows.append(
          Row(
            "\(attack.what): memory of \(words[0])", bar: .atMost(512e6), .peakBytes(command),
            samples: 1))
        guard attack.isQuick else { continue }
        rows.append(
          Row(
            "\(attack.what): time of \(words[0])", bar: .atMost(5), .process(command), samples: 1))
      }
    }
    return rows + [
      Row(
        "merge /dev/zero: memory", bar: .atMost(512e6), .peakBytes([retcon, "merge", "/dev/zero"]),
        samples: 1),
      Row(
        "listen, 32 unfinished messages of 60 MB: memory", bar: .atMost(512e6),
        .measured(unit: .bytes) { try flood(retcon, folder("flood.retcon"), sending: 60).memory },
        samples: 1),
      Row(
        "listen, 32 unfinished messages of 60 MB: Ctrl-C", bar: .atMost(2),
        .measured { try flood(retcon, folder("flood.retcon"), sending: 60).leaving }, samples: 1),
    ]
  }

  private struct Attack {
    var name: String
    var what: String
    /// `FILE` is its path.
    var commands = [["info", "--quick", "FILE"]]
    /// Whether 5 s are enough for each command. Longer work tells how far it is.
    var isQuick = true
    var write: @Sendable (_ path: String) throws -> Void
  }

  private static let attacks =
    [("retcon", "a session"), ("jsonl", "JSON Lines")].flatMap { (ending, kind) in
      [
        Attack(name: "blank.\(ending)", what: "\(kind), 300 MB of blank lines") {
          try fill($0, with: "\n", count: 300)
        },
        Attack(name: "damage.\(ending)", what: "\(kind), 100 MB of damaged lines") {
          try fill($0, with: "x\n", count: 100)
        },
        Attack(name: "sparse.\(ending)", what: "\(kind), a sparse file of 200 GB") {
          try fill($0, hole: 200 << 30)
        },
      ]
    } + [
      Attack(
        name: "reads.retcon", what: "6,000,000 reads between two steps",
        commands: [
          ["convert", "FILE", "--to", "jsonl"], ["report", "FILE", "-f", "-o", "FILE.html"],
          ["verify", "FILE", "--reducer", "FILE.mjs"],
        ], isQuick: false
      ) { path in
        try BenchFile(path + ".mjs").write("export default (state) => state\n".utf8)
        let read = #"{"read":"now","value":1}"# + "\n"
        try fill(path, step(1), with: read, count: 6 * read.utf8.count, step(2))
      },
      Attack(
        name: "line.retcon", what: "a line of 300 MB",
        commands: [["info", "--quick", "FILE"], ["steps", "FILE"]]
      ) { try fill($0, step(1), with: "x", count: 300, "\n" + step(2)) },
      Attack(
        name: "label.retcon", what: "a label of 75 MB",
        commands: [
          ["steps", "FILE"], ["show", "FILE@1"], ["report", "FILE", "-f", "-o", "FILE.html"],
        ]
      ) { try fill($0, #"{"step":1,"label":""#, with: "x", count: 75, "\",\"action\":1}\n") },
      Attack(
        name: "hole.retcon", what: "a hole of 200 GB before a step",
        commands: [["info", "--quick", "FILE"], ["steps", "FILE"]]
      ) { try fill($0, step(1), hole: 200 << 30, "\n" + step(2)) },
    ]

  private static func step(_ number: Int) -> String {
    #"{"step":\#(number),"label":"a","action":1}"# + "\n"
  }

  /// A first line and a start, then so many MB of a text or a hole, then an end.
  private static func fill(
    _ path: String, _ start: String = "", with text: String = "", count megabytes: Int = 0,
    hole: Int = 0, _ end: String = ""
  ) throws {
    let first =
      path.hasSuffix(".jsonl")
      ? #"{"action":{"type":"a"},"state":0}"# : #"{"retcon":"1.0","state":0}"#
    let file = try BenchFile(path)
    try file.write((first + "\n" + start).utf8)
    let piece = Array(String(repeating: text, count: 1_000_000 / max(1, text.utf8.count)).utf8)
    for _ in 0..<megabytes { try file.write(piece) }
    file.flush()
    guard hole == 0 || truncate(path, off_t(hole)) == 0 else {
      throw OptionError(text: errorText(errno))
    }
    try BenchFile(path, appending: true).write(end.utf8)
  }

  /// Connects 32 apps that each send so many MB of a message without end. Returns the most memory that
  /// `listen` had, and the seconds from Ctrl-C to its end.
  private static func flood(
    _ retcon: String, _ path: String, sending megabytes: Int
  ) throws -> (memory: Double, leaving: Double) {
    guard let errors = closingPipe() else { throw OptionError(text: errorText(errno)) }
    var start = ChildStart(retcon, ["listen", "--port", "0", "-o", path])
    start.files = [0: .nothing, 1: .nothing, 2: .descriptor(errors.write)]
    let child = try start.run()
    close(errors.write)
    defer { close(errors.read) }
    var told = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !told.contains("\n"), case let count = read(errors.read, &bytes, bytes.count), count > 0 {
      told += String(decoding: bytes[..<count], as: UTF8.self)
    }
    let place = told.prefix { $0 != "\n" }.split(separator: " ").last ?? ""
    let port = UInt16(place.filter(\.isNumber)) ?? 0
    let sockets = (0..<32).compactMap { _ in try? Socket.connect(to: "127.0.0.1", port: port) }
    let head = """
      GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
      """
    let frame: [UInt8] = [0x81, 0xFF, 0, 0, 0, 0, 0x03, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
    for socket in sockets { try? socket.write(Array(head.utf8) + frame) }
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<megabytes { for socket in sockets { try? socket.write(piece) } }
    let memory = try KernelFigures.mostBytes(of: child)
    let watch = Stopwatch()
    kill(child, SIGINT)
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    return (memory, watch.seconds)
  }
}

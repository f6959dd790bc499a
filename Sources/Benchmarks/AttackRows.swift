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
      rows += [
        Row(
          "\(attack.what): memory of info", bar: .atMost(512e6),
          .peakBytes([retcon, "info", "--quick", path]), samples: 1),
        Row(
          "\(attack.what): time of info", bar: .atMost(5),
          .process([retcon, "info", "--quick", path]),
          samples: 1),
      ]
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
    var write: @Sendable (_ path: String) throws -> Void
  }

  private static let attacks = [("retcon", "a session"), ("jsonl", "JSON Lines")].flatMap {
    (ending, kind) in
    [
      Attack(name: "blank.\(ending)", what: "\(kind), 300 MB of blank lines") {
        try fill($0, with: "\n", count: 300)
      },
      Attack(name: "damage.\(ending)", what: "\(kind), 100 MB of damaged lines") {
        try fill($0, with: "x\n", count: 100)
      },
      Attack(name: "sparse.\(ending)", what: "\(kind), a sparse file of 200 GB") { path in
        try BenchFile(path).write(firstLine(of: path).utf8)
        guard truncate(path, 200 << 30) == 0 else { throw OptionError(text: errorText(errno)) }
      },
    ]
  }

  private static func firstLine(of path: String) -> String {
    path.hasSuffix(".jsonl")
      ? #"{"action":{"type":"a"},"state":0}"# + "\n" : #"{"retcon":"1.0","state":0}"# + "\n"
  }

  private static func fill(_ path: String, with line: String, count megabytes: Int) throws {
    let file = try BenchFile(path)
    try file.write(firstLine(of: path).utf8)
    let piece = Array(String(repeating: line, count: (1 << 20) / line.utf8.count).utf8)
    for _ in 0..<megabytes { try file.write(piece) }
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

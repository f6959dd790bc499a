import Essentials
import Platform
import RecordingSupport
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Live
@testable import RetconCommand

/// Random sessions with a secret, through every door that something leaves Retcon by. The host
/// computes new secrets, and says them in each kind of message. `RETCON_SEED` repeats a run,
/// `RETCON_LONG` makes 10,000 sessions.
@Suite("No secret leaves by any door") struct LeakTests {
  private static let isLong = environmentVariable("RETCON_LONG") != nil
  private static let seed =
    environmentVariable("RETCON_SEED").flatMap { UInt64($0) }
    ?? (isLong ? .random(in: 0...(.max)) : 20_261_129)

  @Test func noSecretIsLeft() async throws {
    var random = SeededGenerator(seed: Self.seed)
    for round in 0..<(Self.isLong ? 10_000 : 40) {
      var source = SeededGenerator(seed: random.next())
      let way = SecretSession.Way.allCases[round % 4]
      let doors = try Doors(way) { Int.random(in: $0, using: &source) }
      let leaks = try await doors.leaks()
      guard leaks.isEmpty else {
        Issue.record("seed \(Self.seed), round \(round), \(way): \(leaks)\n\(doors.secret.text)")
        return
      }
    }
  }

  @Test("a report redacts the note of a mark before its sign stands in front of it")
  func note() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(
      #"{"state":{}}"# + "\n" + #"{"label":"a","state":{}}"# + "\n", as: "a.jsonl")
    _ = await runner.run("mark", file + "@1", #""[{\"\\u0068unter2\":1}]""#)
    let answer = await runner.run(
      "report", file, "-o", "$/a.html", "--redact-text", "hunter[0-9]", "--redact-missing-ok")
    #expect(answer.status == .yes)
    let text = try pieces(of: try runner.text(of: "$/a.html"), in: runner.folder)
    #expect(text.contains("▲ ") && !text.contains("unter2"), "\(text)")
  }
}

/// The texts that a browser unpacks out of a page.
private func pieces(of page: String, in folder: String) throws -> String {
  var packed: [UInt8] = []
  for line in page.split(separator: "\n") {
    if let bytes = Data(base64Encoded: String(line)), bytes.starts(with: [0x1F, 0x8B]) {
      packed += bytes
    }
  }
  #expect(!packed.isEmpty)
  var file = try NewFile(path: "\(folder)/page.gz")
  try file.append(packed)
  try file.commit()
  return try Subprocess.output(of: ["gzip", "-dc", "page.gz"], in: folder, showsErrors: true).text
}

private struct Doors {
  let runner: CommandRunner
  let secret: SecretSession
  let options: [String]
  private let pick: (ClosedRange<Int>) -> Int
  private let host: [String]

  /// The remains of a secret, or of one that the host made of it.
  private static let traces = [SecretSession.trace, "unter9"]

  init(_ way: SecretSession.Way, _ pick: @escaping (ClosedRange<Int>) -> Int) throws {
    runner = try CommandRunner()
    self.pick = pick
    secret = try SecretSession(way, tears: true, pick)
    let redaction =
      switch way {
      case .path: ["--redact", "/user/pass~1word"]
      case .key: ["--redact-key", "pass/word"]
      case .anyCase: ["--redact-key-any-case", "Pass/Word"]
      case .pattern: ["--redact-text", "hunter[0-9]"]
      }
    options = redaction + ["--redact-missing-ok"]
    _ = try runner.write(secret.text, as: "whole.retcon")
    try SecretHost(secret, way, pick).write(to: runner)
    host = ["--host", "/bin/sh \(runner.folder)/host.sh"]
  }

  /// The doors by which a secret came out.
  func leaks() async throws -> [String] {
    var leaks = try await trims() + live()
    leaks += try await [reports, agents, copies][pick(0...2)]()
    return leaks
  }

  private func leaks(_ door: String, _ text: String) -> [String] {
    guard let trace = Self.traces.lazy.compactMap({ text.firstRange(of: $0) }).first else {
      return []
    }
    let around = text[..<trace.lowerBound].suffix(300) + text[trace.lowerBound...].prefix(100)
    return ["\(door): …\(around)…"]
  }

  /// The output of a command, and the file that it writes.
  private func run(_ words: [String], writes name: String? = nil) async throws -> [String] {
    let answer = await runner.run(words)
    var text = answer.data + answer.messages
    // A command that fails writes nothing.
    if let name { text += (try? FileSystem.text(of: "\(runner.folder)/\(name)")) ?? "" }
    return leaks(words.joined(separator: " "), text)
  }

  private func trims() async throws -> [String] {
    let last = secret.lastStep
    let first = pick(1...last)
    let choice = [
      ["--range", "\(first)..\(pick(first...last))"], ["--keep", "step >= \(first)"],
      ["--drop", "step == \(first)"], ["--mark"],
    ][pick(0...3)]
    if choice == ["--mark"] {
      let note = secret.hidden("message").string ?? "a note"
      _ = await runner.run("mark", "$/whole.retcon@\(first)", note)
    }
    let reducer = pick(0...3) == 0 ? host : []
    var leaks = try await run(
      ["trim", "$/whole.retcon", "-o", "$/trim.retcon"] + choice + options + reducer,
      writes: "trim.retcon")
    if let marks = try? FileSystem.text(of: "\(runner.folder)/trim.retcon.sidecar") {
      leaks += self.leaks("marks of trim", marks)
    }
    return leaks
  }

  /// `attach` and `listen`, with more text than they keep.
  private func live() throws -> [String] {
    let folder = runner.folder
    let recorder = LiveRecorder(
      redaction: secret.redaction, path: { _, number in "\(folder)/live-\(number).retcon" })
    func text(_ words: String) -> String {
      let filling = String(repeating: "x", count: [0, 90, 190, 1_990, 7_990][pick(0...4)])
      let hidden = secret.hidden(words)
      if let plain = hidden.string, !plain.contains(where: { #"{["\"#.contains($0) }) {
        return filling + plain + filling
      }
      // Only inside of JSON does a redactor look behind escapes.
      return Value.array([.string(filling), hidden]).text()
    }
    var start = LiveSession.Start(
      name: text("App"), state: ["user": ["pass/word": "hunter2"]], time: 0, format: "live app")
    start.hiding = ["predicate"]
    if secret.redaction.paths.isEmpty == false { start.name = "app" }
    recorder.start("1", start)
    for _ in 0..<pick(1...4) {
      let patches: [Value] = [
        [["op": "copy", "from": "/user/pass~1word", "path": "/copy"]],
        [["op": "move", "from": "/copy", "path": "/moved"]],
        [["op": "replace", "path": "/user/pass~1word", "value": "hunter9"]],
        [["op": "replace", "path": "/nothing/there", "value": 1]],
      ]
      var entry = LiveSession.Entry(
        action: secret.hidden("action"), .patch(patches[pick(0...3)]))
      if pick(0...4) == 0 { entry.action = ["type": "@@retcon/jump", "state": start.state ?? 0] }
      (entry.label, entry.error, entry.stack) = (text("label"), text("error"), text("stack"))
      recorder.add(entry, to: "1")
      recorder.say(text("note"), in: "1")
    }
    var app = StreamedApp(ListenedStore(recorder: recorder, connection: 2))
    try app.hear(Array(#"{"retcon":"stream","session":"12345678"}"#.utf8)) { _ in }
    for line in secret.text.split(separator: "\n") {
      try? app.hear(Array("\(line)\n".utf8)) { _ in }
    }
    recorder.finish()
    return try recorder.summaries.flatMap {
      leaks("live \($0.name)", $0.name + (try CommandRunner.text(ofFile: $0.path)))
    }
  }

  private func reports() async throws -> [String] {
    var leaks = try await run(["report", "$/whole.retcon", "--markdown"] + options + host)
    leaks += try await run(["report", "$/whole.retcon", "-o", "$/report.html"] + options)
    let page = try runner.text(of: "$/report.html")
    leaks += self.leaks("report", page)
    let unpacked = try pieces(of: page, in: runner.folder)
    return leaks + self.leaks("pieces of report", unpacked)
  }

  private func agents() async throws -> [String] {
    let given = try ParsedArguments(options, for: McpCommand.declaration.options)
    let server = try runner.server(
      "\(runner.folder)/whole.retcon", host: host,
      copies: RedactedCopies(try RedactionWords(given).redaction, in: [:]))
    var leaks: [String] = []
    let last = Value(secret.lastStep)
    for (tool, arguments) in [
      ("overview", [:]), ("steps", [:]), ("steps", ["step": last]), ("state", ["step": last]),
      ("blame", ["place": "user"]), ("find", ["condition": "state.user != null"]),
      ("verify", [:]), ("fork", ["step": last, "skip": true]),
      ("fork", ["step": Value(1), "set": "/more=1"]), ("why", ["step": last, "place": "user"]),
    ] as [(String, Value)] {
      guard ["verify", "fork", "why"].contains(tool) || pick(0...2) == 0 else { continue }
      let request: Value = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": ["name": .string(tool), "arguments": arguments],
      ]
      leaks += self.leaks("mcp \(tool)", await server.answer(request.text()) ?? "")
    }
    return leaks
  }

  /// Commands that take no redaction see a redacted copy, and their host computes from that.
  private func copies() async throws -> [String] {
    _ = await runner.run(
      ["trim", "$/whole.retcon", "--range", "..", "-o", "$/copy.retcon"] + options)
    try SecretHost(secret, nil, pick).write(to: runner)
    let file = "$/copy.retcon"
    let forms = [
      "redux", "redux-lifted", "jsonl", "chrome-trace", "otlp", "asciicast",
    ]
    var leaks = try await run(["convert", file, "--to", forms[pick(0...5)]])
    leaks += try await run(["steps", file, "--json"])
    leaks += try await run(["test", file, "-o", "$/A.swift"] + host, writes: "A.swift")
    leaks += try await run(
      ["fork", file + "@1", "--skip", "-o", "$/fork.retcon"] + host, writes: "fork.retcon")
    leaks += try await run(
      ["minimize", file, "--until", "state.user != null", "-o", "$/small.retcon"] + host,
      writes: "small.retcon")
    return leaks
  }
}

import Platform
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import RetconCommand

@Suite("One state of a step at every door", .needs(.node))
struct SameStateTests {
  private let runner: CommandRunner
  private let host = ["--reducer", "$/i.mjs"]

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      "export default (s = { n: 0 }, a) => { if (a.type === 'x') process.exit(3); "
        + "return a.type === 'i' ? { n: s.n + 1 } : s };\n", as: "i.mjs")
  }

  /// A recording whose header and steps have these states; the reducer would reach others.
  private func recording(
    _ first: Int?, _ states: [Int?], line: [Int: String] = [:]
  ) throws -> String {
    func state(_ number: Int?) -> String { number.map { #","state":{"n":\#($0)}"# } ?? "" }
    var text = #"{"retcon":"1.1","can":"replay","states":3\#(state(first))}"# + "\n"
    for (index, number) in states.enumerated() {
      let start = #"{"step":\#(index + 1)"# + (number == nil ? "" : #","keyframe":true"#)
      let rest = #","label":"i","action":{"type":"i"},"cause":"user"\#(state(number))}"#
      text += (line[index + 1] ?? start + rest) + "\n"
    }
    FileSystem.remove(runner.folder + "/some.retcon")
    return try runner.write(text + #"{"end":\#(states.count)}"# + "\n", as: "some.retcon")
  }

  @Test("what is not recorded is computed for all, or unknown to all")
  func computed() async throws {
    let states = [nil, nil, 30, nil, nil, 60, nil]
    try await expect([0, 1, 2, 30, 31, 32, 60, 61], of: recording(0, states), host)
    try await expect([0, nil, nil, 30, nil, nil, 60, nil], of: recording(0, states), [])
    // The reducer's first state leads to the first recorded one.
    try await expect([0, 1, 2, 3, 4], of: recording(nil, [nil, nil, 3, nil]), host)
    try await expect([nil, nil, nil, 3, nil], of: recording(nil, [nil, nil, 3, nil]), [])
  }

  @Test("where the reducer dies, all know the recorded states and no others")
  func died() async throws {
    let line = [2: #"{"step":2,"label":"x","action":{"type":"x"},"cause":"user"}"#]
    let file = try recording(0, [nil, nil, nil, 40, nil], line: line)
    try await expect([0, 1, nil, nil, 40, nil], of: file, host)
  }

  @Test("which step is asked for first does not matter")
  func order() async throws {
    var states = [Int?](repeating: nil, count: 300)
    (states[99], states[199]) = (1_000, 2_000)
    let file = try recording(0, states)
    for order in [[150, 250], [250, 150]] {
      let session = try await session(of: file, host)
      defer { session.end() }
      for step in order {
        let state = try await session.open.state(at: Position(step: step))
        #expect(state == (step == 150 ? ["n": 1_050] : ["n": 2_050]), "\(order)")
      }
    }
  }

  @Test("a state that is lost is so for all")
  func lost() async throws {
    let file = try recording(0, [nil, nil, 30, nil], line: [2: #"{"step":2,"label":"i","a"#])
    try await expect([0, 1, nil, 30, 31], of: file, host)
    try await expect([0, nil, nil, 30, nil], of: file, [])
  }

  @Test("a file with some states has recorded ones and computed ones, and the screen says which")
  func mixed() async throws {
    let lines = [#"{"type":"i"}}"#, #"{"type":"i"},"state":{"n":30}}"#, #"{"type":"i"}}"#]
    let file = try runner.write(lines.map { "{\"action\":\($0)\n" }.joined(), as: "some.jsonl")
    for (step, word) in [(0, "computed"), (1, "computed"), (2, "recorded"), (3, "computed")] {
      let screen = await runner.run(["open", "\(file)@\(step)", "--print", "120x20"] + host)
      #expect(screen.data.prefix { $0 != "\n" }.contains(word), "@\(step): \(screen)")
    }
    let start = await runner.run(["open", file, "--print", "120x20"] + host)
    #expect(start.data.contains("i.mjs computed the states that the recording lacks"), "\(start)")
  }

  private func expect(_ states: [Int?], of file: String, _ host: [String]) async throws {
    let words = states.map { $0.map(String.init) ?? "unknown" }
    let (last, known) = (states.count - 1, states.indices.filter { states[$0] != nil })
    for (step, word) in words.enumerated() {
      let state = await runner.run(["state", "\(file)@\(step)", "n"] + host)
      #expect(state.data == (word == "unknown" ? "" : word + "\n"), "state @\(step): \(state)")
      #expect(state.status == (word == "unknown" ? .trouble : .yes), "state @\(step): \(state)")
    }
    let watched = await runner.run(["watch", file, "n", "--all"] + host).data
    #expect(
      watched.split(separator: "\n").map { $0.split(separator: " ")[1] } == words.map { $0[...] })
    let blamed = await runner.run(["blame", "\(file)@\(known.last ?? 0)", "n"] + host).data
    #expect(Self.values(in: blamed) == words, "\(blamed)")
    // True of every step with the state that is expected, and unknown elsewhere.
    let each = states.enumerated().map { "(step == \($0) && state.n == \($1 ?? 0))" }
    let condition = each.joined(separator: " || ")
    let found = await runner.run(["find", file, condition, "--json"] + host)
    #expect(found.data.split(separator: "\n").count == known.count, "\(found)")
    let unknown = states.count - known.count
    let doubt = "\(unknown) step\(unknown == 1 ? " has" : "s have") no known state"
    #expect(found.messages.contains(doubt) == (unknown > 0), "\(found)")
    let checked = await runner.run(["check", file, "--rule", condition] + host)
    #expect(checked.status == (unknown > 0 ? .trouble : .yes), "\(checked)")
    let trimmed = await runner.run(
      ["trim", file, "--drop", "!(\(condition))", "-o", "$/new.retcon", "-f"])
    #expect(trimmed.messages.contains(": \(last) of \(last) steps"), "\(trimmed)")

    let session = try await session(of: file, host)
    defer { session.end() }
    let filtered = Locked<[ScanBatch]>([])
    try await session.open.scan(
      .main, in: [0...last], for: try StepQuestion(condition), labels: true
    ) { batch in filtered.withLock { $0.append(batch) } }
    #expect(filtered.withLock { $0.flatMap(\.hits) } == known)
    #expect(filtered.withLock { $0.reduce(0) { $0 + $1.unknown } } == unknown)
    for step in 0...last {
      let moment = try await session.open.moment(at: Position(step: step))
      #expect(moment.state?["n"] == states[step].map { .number(Number($0)) }, "show @\(step)")
    }
  }

  private func session(of file: String, _ host: [String]) async throws -> QueriedSession {
    let words = host.map { $0.replacing("$", with: runner.folder) }
    return try await Asking(
      FilePosition(file.replacing("$", with: runner.folder)),
      host: HostOptions(ParsedArguments(words, for: HostOptions.declarations))
    ).session(in: runner.context(data: { _ in }, messages: { _ in }), for: .looking)
  }

  /// The values of blame by step: `/n  3–4  7`.
  private static func values(in text: String) -> [String] {
    // The asked value comes first.
    let blocks = text.split(separator: "\n").filter { $0.hasPrefix("/n") }.map { line in
      let parts = line.split(separator: "  ").map(String.init)
      let ends = parts[1].split(separator: "–").compactMap { Int($0) }
      return (ends: ends, word: parts[2] == "not known" ? "unknown" : parts[2])
    }
    return blocks.sorted { $0.ends[0] < $1.ends[0] }.flatMap { ends, word in
      [String](repeating: word, count: (ends.last ?? 0) - (ends.first ?? 0) + 1)
    }
  }
}

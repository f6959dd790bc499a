import HostProtocol
import SessionWords
import Testing
import ValueTree

@testable import RetconCommand

/// 300 sessions, of which 276 differ, for three causes.
@Suite("Findings", .needs(.node))
struct FindingTests {
  private static let words = [
    "coupon: different state at /total", "count: different state at /lines/*/count",
    "note: crash: TypeError at cart.mjs:12",
  ]
  private static let counts = [138, 92, 46]
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func makeSessions() throws -> [String] {
    _ = try runner.write(
      """
      const start = { total: 0, lines: [], note: '' };
      export default function cart(state = start, action) {
        switch (action.type) {
          case 'add':
            return { ...state, total: state.total + action.price,
              lines: [...state.lines, { id: action.id, price: action.price, count: 1 }] };
          case 'coupon':
            return { ...state, total: state.total - action.by - 1 };
          case 'count':
            return { ...state, lines: state.lines.map((line) => ({ ...line, count: 3 })) };
          case 'note':
            return { ...state, note: action.message.trim() };
          default:
            return state;
        }
      }
      """, as: "cart.mjs")
    return try (0..<300).map { try runner.write(session($0), as: "s\($0).jsonl") }
  }

  private func session(_ number: Int) -> String {
    let lines = 1 + number % 7
    func state(_ count: Int, total: Int, note: String = "", two: Int? = nil) -> String {
      let all = (0..<count).map { line in
        #"{"id":"i\#(number)-\#(line)","price":3,"count":\#(line == two ? 2 : 1)}"#
      }
      return #"{"total":\#(total),"lines":[\#(all.joined(separator: ","))],"note":"\#(note)"}"#
    }
    var text = #"{"state":\#(state(0, total: 0))}"# + "\n"
    func add(_ action: String, _ state: String) {
      text += #"{"action":\#(action),"state":\#(state)}"# + "\n"
    }
    for line in 0..<lines {
      add(
        #"{"type":"add","id":"i\#(number)-\#(line)","price":3}"#,
        state(line + 1, total: 3 * line + 3))
    }
    switch number {
    case _ where number.isMultiple(of: 13): break
    case _ where !number.isMultiple(of: 2):
      add(#"{"type":"coupon","by":1}"#, state(lines, total: 3 * lines - 1))
    case _ where number.isMultiple(of: 3):
      add(#"{"type":"note","text":"for \#(number)"}"#, state(lines, total: 3 * lines, note: "n"))
    default:
      add(#"{"type":"count"}"#, state(lines, total: 3 * lines, two: number % lines))
    }
    return text
  }

  private func rows(_ text: String) throws -> [Value] {
    try text.split(separator: "\n").map { try Value(parsing: String($0)) }
  }

  @Test("300 sessions have three findings, the same ones at every door")
  func everyDoor() async throws {
    let files = try makeSessions()
    let host = ["--reducer", "$/cart.mjs"]
    let json = await runner.run(["verify"] + files + host + ["--json", "-j", "2"])
    #expect(json.status == .no && json.messages.isEmpty, "\(json.messages)")
    let findings = try rows(json.data).suffix(3)
    #expect(findings.map { $0["finding"]?.string } == Self.words)
    #expect(findings.map { $0["count"] } == Self.counts.map { Value($0) })
    #expect(findings.map { $0["line"]?.text() } == ["7", "9", "12"])
    let shards = try (0..<3).map { shard in
      let lines = json.data.split(separator: "\n").dropLast(3).enumerated()
        .filter { $0.offset % 3 == shard }.map { $0.element + "\n" }
      return try runner.write(lines.joined(), as: "shard\(shard).jsonl")
    }
    func merged(_ words: String...) async -> String {
      await runner.run(["merge"] + shards.reversed() + words).data
    }
    #expect(try rows(await merged("--json")).suffix(3).map(\.findingWords) == Self.words)

    let text = await merged()
    #expect(
      text.hasPrefix(
        """
        300 sessions: 24 as recorded, 276 differ; 3 findings.

        (1) coupon: different state at /total, in 138 sessions
            $/s105.jsonl@2  recorded 2, today 1
            $/cart.mjs:7
            retcon '$/s105.jsonl@2' --again --host COMMAND
            retcon minimize '$/s105.jsonl' --divergence --host COMMAND
            retcon test '$/s105.jsonl@2' --host COMMAND

        (2) count: different state at /lines/*/count, in 92 sessions

        """), "\(text)")
    #expect(text.split(separator: "\n").count < 20)
    #expect(await merged("--sessions").split(separator: "\n").count > 276)

    let junit = await merged("--format", "junit")
    #expect(junit.contains(#"tests="303" failures="3" errors="0" skipped="276""#))
    let failures = junit.matches(of: /<failure message="([^"]*)"/).map { String($0.output.1) }
    #expect(failures == Self.words)
    #expect(junit.matches(of: /classname="retcon.verify"/).count == 300)
    let sarif = try Value(parsing: await merged("--format", "sarif"))["runs"]?[0]?["results"]
    for index in 0..<3 {
      let result = sarif?[index]
      #expect(result?["message"]?["text"]?.string?.hasPrefix(Self.words[index]) == true)
      #expect(result?["occurrenceCount"] == Value(Self.counts[index]))
      #expect(
        result?["fingerprints"]?["retcon/v1"]
          == findings[findings.startIndex + index]["fingerprint"])
    }
    #expect(sarif?[3] == nil)
    let notes = await merged("--format", "github").split(separator: "\n")
    #expect(notes.count == 3)
    for (note, (words, line)) in zip(notes, zip(Self.words, [7, 9, 12])) {
      #expect(
        note.hasPrefix("::error file=$/cart.mjs,line=\(line),title=retcon verify::\(words), in "),
        "\(note)")
    }
    let markdown = await merged("--format", "markdown")
    let table = markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(
      table.map { row in
        row.split(separator: " | ")[1].filter { $0 != "\\" }
      } == Self.words)
  }

  @Test("compared with a base, a finding is known, new or gone, and only a new one fails")
  func base() async throws {
    let all = try makeSessions()
    let files = [1, 2, 6].map { all[$0] }
    let host = ["--reducer", "$/cart.mjs"]
    let before = await runner.run(["verify"] + files.prefix(2) + host + ["--json"])
    let base = try runner.write(before.data, as: "findings.json")
    let same = await runner.run(["verify"] + files.prefix(2) + host + ["--base", base])
    #expect(same.status == .yes, "\(same)")
    #expect(
      same.data.hasPrefix(
        "2 sessions: 0 as recorded, 2 differ; 2 findings: 0 new, 2 known, 0 gone.\n"))
    let other = await runner.run(["verify"] + files.suffix(2) + host + ["--base", base])
    #expect(other.status == .no)
    #expect(other.data.contains("2 differ; 2 findings: 1 new, 1 known, 1 gone.\n"), "\(other.data)")
    #expect(other.data.contains(") new: note: crash: TypeError at cart.mjs:12, in 1 session\n"))
    #expect(other.data.hasSuffix("(3) gone: coupon: different state at /total\n"))
    let sarif = await runner.run(
      ["verify"] + files.suffix(2) + host + ["--base", base, "--format", "sarif"])
    let results = try Value(parsing: sarif.data)["runs"]?[0]?["results"]
    #expect(
      (0..<3).map { results?[$0]?["baselineState"]?.string } == ["unchanged", "new", "absent"])
  }

  @Test("a broken rule is a finding with commands of its own, where nothing else differs")
  func rule() async throws {
    let all = try makeSessions()
    let words = ["--reducer", "$/cart.mjs", "--rule", "state.total < 6"]
    let answer = await runner.run(["verify", all[0], all[26], all[1]] + words)
    #expect(answer.status == .no)
    #expect(
      answer.data.hasPrefix("3 sessions: 1 as recorded, 2 differ; 2 findings.\n"), "\(answer.data)")
    #expect(
      answer.data.contains(
        """
        ) add: breaks a rule: state.total < 6, in 1 session
            $/s26.jsonl@2  \("")
            $/cart.mjs:4
            retcon $/s26.jsonl@2 --reducer $/cart.mjs
            retcon minimize $/s26.jsonl --rule 'state.total < 6' --reducer $/cart.mjs
            retcon test $/s26.jsonl@2 --rule 'state.total < 6' --reducer $/cart.mjs

        """), "\(answer.data)")
    let alone = await runner.run(["verify", all[26]] + words)
    #expect(alone.status == .no)
    #expect(
      alone.data.contains("  add, sent by the user: breaks a rule\n  (state.total < 6)"), "\(alone)"
    )
    #expect(await runner.run(["verify", all[0]] + words).status == .yes)
  }

  @Test("each column of the rows has one type: the app's own values are JSON texts")
  func columns() async throws {
    let all = try makeSessions()
    let answer = await runner.run(
      ["verify"] + all.prefix(30) + ["--reducer", "$/cart.mjs", "--json", "--all"])
    let differences = try rows(answer.data).flatMap { row -> [Value] in
      if case .array(let all)? = row["divergences"] { Array(all) } else { [] }
    }
    let values = differences.flatMap { [$0["recorded"], $0["rerun"]] }.compactMap(\.self)
    #expect(values.count > 10 && values.allSatisfy { $0.string != nil }, "\(values)")
    #expect(values.contains("2") && values.contains("17"), "\(values)")
  }

  @Test(
    "positions and ids are no part of a place",
    arguments: [
      ("/lines/3/count", "/lines/*/count"), ("/byId/u17/name", "/byId/*/name"),
      ("/byId/todo-3/name", "/byId/*/name"), ("/address2/street", "/address2/street"),
      ("/byId/3F2504E0-4F89-11D3-9A0C-0305E82C3301", "/byId/*"),
    ])
  func places(place: String, general: String) throws {
    #expect("\(try Pointer(place).withoutPositions)" == general)
  }

  @Test("what could not be run or compared is a finding, too, without the file's name and numbers")
  func trouble() throws {
    var findings = try Findings(hostWords: [])
    for name in ["a.retcon", "b.retcon"] {
      let verdict = SessionVerdict.trouble("\(name), line 12: it is no session", with: name)
      findings.add(verdict.line(of: name, HandlerLines([])))
    }
    #expect(findings.exitCode == .trouble)
    #expect(
      findings.lines(withSessions: false) == [
        "2 sessions: 0 as recorded, 0 differ, 2 could not be run; 1 finding.", "",
        "(1) not run: line #: it is no session, in 2 sessions",
        "    a.retcon  a.retcon, line 12: it is no session",
      ])
  }
}

extension Value {
  fileprivate var findingWords: String? { self["finding"]?.string }
}

import Platform
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("Many sessions")
struct FleetTests {
  private let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"

  /// Sessions of which every fifth differs, and a list of their names.
  private func sessions(_ runner: CommandRunner, _ count: Int) async throws -> (
    files: [String], list: String
  ) {
    let good = try runner.text(of: await runner.recordCounter())
    let bad = good.replacing(
      #""path":"/isTimerOn","value":true"#, with: #""path":"/isTimerOn","value":false"#)
    let files = try (0..<count).map { number in
      try runner.write(number % 5 == 2 ? bad : good, as: "s\(number).retcon")
    }
    let names = files.map { $0.replacing("$", with: runner.folder) + "\n" }
    return (files, try runner.write(names.joined(), as: "list.txt"))
  }

  @Test(
    "each shard of a list is verified alone, and merging them gives the same bytes for any count")
  func shards() async throws {
    let runner = try CommandRunner()
    let (files, list) = try await sessions(runner, 12)
    var answers: Set<String> = []
    let counts = Misbehaviour.isLong ? Array(1...16) : [1, 3, 5, 13]
    for count in counts {
      var parts: [String] = []
      for number in 1...count {
        let answer = await runner.run(
          "verify", "--files-from", list, "--host", host, "--format", "json", "--shard",
          "\(number)/\(count)")
        parts.append(try runner.write(answer.data, as: "part-\(number)-of-\(count).jsonl"))
      }
      let merged = await runner.run(["merge"] + parts)
      #expect(merged.status == .no && merged.messages == "")
      answers.insert(merged.data + (await runner.run(["merge", "--json"] + parts).data))
      guard count == 3 else { continue }
      let lost = await runner.run(["merge"] + parts.dropLast())
      #expect(lost.messages == "retcon: of 3 shards these are missing: 3.\n")
      #expect(lost.status == .trouble)
      let torn = try runner.write(
        try runner.text(of: parts[0]).split(separator: "\n").dropLast().joined(separator: "\n"),
        as: "torn.jsonl")
      let unfinished = await runner.run(["merge", torn] + parts.dropFirst())
      #expect(unfinished.messages.contains("torn.jsonl ends before its last line."))
      #expect(unfinished.status == .trouble)
    }
    #expect(answers.count == 1)
    let all = try #require(answers.first)
    #expect(
      all.hasPrefix(
        """
        12 sessions: 10 as recorded, 2 differ; 1 finding.

        (1) timerTapped: different state at /isTimerOn, in 2 sessions
            $/s2.retcon@9  recorded false, today true
        """), "\(all)")
    #expect(all.split(separator: "\n").count { $0.hasPrefix(#"{"file":"#) } == files.count)
  }

  @Test("two processes of the host are enough for all sessions, however many differ")
  func starts() async throws {
    let runner = try CommandRunner()
    let (_, list) = try await sessions(runner, 19)
    let script = "#!/bin/sh\necho x >> \(runner.folder)/starts\nexec \(host)\n"
    let program = try runner.write(script, as: "host.sh").replacing("$", with: runner.folder)
    #expect(chmod(program, 0o700) == 0)
    let answer = await runner.run("verify", "--files-from", list, "--host", program)
    #expect(answer.data.hasPrefix("19 sessions: 15 as recorded, 4 differ; 1 finding."))
    #expect(try runner.text(of: "$/starts") == "x\nx\n")
  }

  @Test("a file of a job that wrote nothing is named")
  func emptyFile() async throws {
    let runner = try CommandRunner()
    _ = try runner.write("", as: "none.jsonl")
    let merged = await runner.run("merge", "$/none.jsonl")
    #expect(merged.messages == "retcon: $/none.jsonl has no result of verify --format json.\n")
    #expect(merged.status == .trouble)
  }

  @Test("a name keeps its shard when others come, whatever its folder")
  func stableShards() throws {
    let shards = try (1...7).map { try Shard("\($0)/7") }
    for name in ["a.retcon", "b.retcon", "ü.retcon"] {
      #expect(shards.count { $0.contains(name) } == 1)
      #expect(shards.first { $0.contains(name) } == shards.first { $0.contains("/x/y/" + name) })
    }
    #expect((0..<700).count { shards[2].contains("\($0).retcon") } > 60)
  }

  @Test("a run that was killed goes on with the sessions that are not done")
  func resuming() async throws {
    let runner = try CommandRunner()
    let (files, list) = try await sessions(runner, 6)
    let results = "$/results.jsonl"
    let words = ["verify", "--files-from", list, "--host", host, "--resume", results]
    let whole = await runner.run(words + ["--json"])
    let first = try runner.text(of: files[0])
    let kept = try runner.text(of: results)
    let lines = kept.split(separator: "\n")
    #expect(lines.count == 6)
    // The last line is cut off, and one session changes.
    for name in ["results.jsonl", "s0.retcon"] { unlink("\(runner.folder)/\(name)") }
    _ = try runner.write(String(kept.dropLast(lines[5].count / 2)), as: "results.jsonl")
    _ = try runner.write(first + " ", as: "s0.retcon")
    let again = await runner.run(words + ["--json"])
    #expect(again.data == whole.data)
    let after = try runner.text(of: results).split(separator: "\n")
    // The content of s5 is that of s1.
    #expect(after.count == 7 && after[6].contains("s0.retcon"))
    #expect(
      await runner.run(words).data.hasPrefix("6 sessions: 5 as recorded, 1 differ; 1 finding."))
  }

  @Test(
    "a kept result is forgotten when a file that the reducer imports changes",
    .needs(.node))
  func importedFile() async throws {
    let runner = try CommandRunner()
    let helper = try runner.write("export const by = 1;", as: "helper.mjs")
    _ = try runner.write(
      """
      import { by } from './helper.mjs';
      export default (state = { n: 0 }, { type }) => (type === 'add' ? { n: state.n + by } : state);
      """, as: "reducer.mjs")
    let file = try runner.write(
      """
      {"retcon":"1.1","state":{"n":0}}
      {"step":1,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":1}]}
      {"end":1}

      """, as: "a.retcon")
    let words = ["verify", file, "--reducer", "$/reducer.mjs", "--resume", "$/results.jsonl"]
    let first = await runner.run(words)
    #expect(first.status == .yes, "\(first)")
    let kept = "retcon: 1 of 1 result kept in $/results.jsonl: nothing was run.\n"
    #expect(await runner.run(words) == .init(status: .yes, messages: kept))
    // A copy, and one that was only touched, are the same.
    let copy = try runner.write(try runner.text(of: file), as: "copy.retcon")
    for path in [file, helper] { utimes(path.replacing("$", with: runner.folder), nil) }
    #expect(
      await runner.run(["verify", copy] + words.dropFirst(2))
        == .init(status: .yes, messages: kept))
    let fetched = await runner.run(
      ["verify", "far", "--fetch", "cat $/{}.retcon"] + words.dropFirst(2))
    #expect(fetched.status == .trouble)
    let near = await runner.run(["verify", "a", "--fetch", "cat $/{}.retcon"] + words.dropFirst(2))
    #expect(near == .init(status: .yes, messages: kept))
    FileSystem.remove(helper.replacing("$", with: runner.folder))
    _ = try runner.write("export const by = 2;", as: "helper.mjs")
    let again = await runner.run(words)
    #expect(again.status == .no && again.messages == "", "\(again)")
  }

  @Test("several files are asked as grep asks them: each line names its file, one hit is enough")
  func severalFiles() async throws {
    let runner = try CommandRunner()
    let (files, _) = try await sessions(runner, 3)
    let found = await runner.run(["find"] + files + ["label == 'timerTapped'", "--first"])
    #expect(found.status == .yes && found.data.split(separator: "\n").count == 3, "\(found)")
    #expect(found.data.hasPrefix("$/s0.retcon: "))
    let other = try runner.write(#"{"state":{"n":1}}"# + "\n", as: "other.jsonl")
    let some = await runner.run("find", other, files[0], "state.isTimerOn", "--first")
    #expect(some.status == .yes && some.data.hasPrefix("$/s0.retcon: "), "\(some)")
    let none = await runner.run(["find"] + files + ["label == 'nobody'"])
    #expect(none == .init(status: .no))
    let watched = await runner.run(["watch"] + files + ["isTimerOn"])
    #expect(watched.status == .yes && watched.data.contains("\n$/s2.retcon: "), "\(watched)")
    let info = await runner.run(["info"] + files + ["--json"])
    #expect(info.status == .yes && info.data.matches(of: /"file":/).count == 3, "\(info)")
    let misspelt = await runner.run("find", files[0], "state.isTimerOnn")
    #expect(
      misspelt.status == .trouble && misspelt.messages.contains("Did you mean"), "\(misspelt)")
  }

  @Test("a question runs for each session of a list, with NUL bytes or fetched by a command")
  func questions() async throws {
    let runner = try CommandRunner()
    let (files, _) = try await sessions(runner, 3)
    let names = files.map { $0.replacing("$", with: runner.folder) }
    let list = try runner.write(names.joined(separator: "\0"), as: "list.nul")
    let found = await runner.run(
      "find", "label == 'timerTapped'", "--files-from", list, "--json", "--first")
    #expect(found.status == .yes)
    let lines = found.data.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasPrefix(#"{"file":"$/s1.retcon","#), "\(found.data)")
    let none = await runner.run("find", "label == 'nobody'", "--files-from", list)
    #expect(none.status == .no && none.messages.isEmpty, "\(none)")

    let far = try runner.write("s0\ns1\nnone\n", as: "far.txt")
    let fetched = await runner.run(
      "info", "--files-from", far, "--fetch", "cat '$/{}.retcon'")
    #expect(fetched.status == .trouble)
    #expect(fetched.data.contains("s0: ") && fetched.data.contains("s1: "))
    #expect(fetched.messages.contains("none cannot be read: cat ended with 1"))
    let copied = await runner.run(
      "info", "--json", "--files-from", far, "--fetch", "cat '$/{}.retcon'")
    let facts = copied.data.split(separator: "\n")
    #expect(facts.count == 2 && facts[0].hasPrefix(#"{"file":"s0","app":"#), "\(copied.data)")
    #expect(facts.allSatisfy { $0.matches(of: /"file":/).count == 1 })
    #expect(
      await runner.run("info", "x", "--fetch", "cat {}").messages
        == "retcon: --shard and --fetch are for lists of sessions. Add --files-from FILE.\n")
  }
}

import Platform
import Samples
import TerminalDriver
import Testing
import ValueTree

@testable import RetconCommand

@Suite("The page on JSON")
struct JSONPageTests {
  /// The commands' output for an ordinary session and its forks, by the headings of the page.
  private static let commands: [(heading: String, commands: [String])] = [
    (
      "A step",
      [
        "steps w.retcon", "find w.retcon step>3", "steps w.retcon --branch late",
        "fork w.retcon@14 --replace destination.presented.submit.cancelTapped",
        "fork w.retcon@14 --replace destination.presented.submit.cancelTapped --diff",
      ]
    ),
    ("`show`", ["show w.retcon@5", "show w.retcon@14", "show w.retcon@18"]),
    (
      "`check`",
      ["check w.retcon --rule step<500", "check w.retcon --rule 'state.name != \"Stf\"'"]
    ),
    ("`diff`", ["diff w.retcon@3 w.retcon@12"]),
    ("`watch`", ["watch w.retcon name"]),
    (
      "`blame`",
      [
        "blame w.retcon /destination", "blame w.retcon /destination/submit",
        "blame w.retcon /name --branch late",
      ]
    ),
    ("`trace`", ["trace w.retcon 00000000-0000-0000-0000-000000000002"]),
    ("`odd`", ["odd w.retcon"]),
    ("`effects`", ["effects w.retcon"]),
    ("`reads`", ["reads w.retcon"]),
    ("`branches`", ["branches w.retcon"]),
    ("`mark`", ["mark w.retcon"]),
    ("`info`", ["info w.retcon"]),
    ("`verify`", ["verify w.retcon", "verify other.retcon"]),
    ("`minimize`", ["minimize w.retcon --until state.destination.alert"]),
    ("`why`", ["why w.retcon --until state.destination.alert"]),
    (
      "`explore`",
      ["explore w.retcon@24 --until 'state.destination.submit && label == \"binding.name\"'"]
    ),
  ]

  /// Keys that only sessions have in which something went wrong.
  private static let rare: Set<String> = [
    "skipped", "error", "stack", "damage", "remarks", "reads[].failure", "cause.output",
    "divergences[].hint", "causes[].cause.output", "trouble", "known", "first", "from", "caveat",
    "browseOnly", "states", "runsAgain",
    "redacted", "notices", "reads[].arguments", "note", "examined", "notLookedAt", "own",
    "uncompared", "unchecked[].from", "unchecked[].to", "unchecked[].reason", "source", "line",
    "standing", "parts[].was", "asked[].arguments", "asked[].failure",
  ]

  @Test("names every key that the commands write, and no other")
  func keys() async throws {
    let runner = try CommandRunner()
    let session = runner.folder + "/w.retcon"
    await WishesSample.recordDemo(to: session)
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample wishes"
    let text = try CommandRunner.text(ofFile: session)
    _ = try runner.write(text.replacing(#""loading""#, with: #""idle""#), as: "other.retcon")
    _ = await runner.run(["mark", "\(session)@3", "here"])
    _ = await runner.run([
      "fork", "\(session)@14", "--skip", "--name", "late", "--host", host,
    ])
    let sections = try sections()
    let step = try #require(sections["A step"])
    #expect(Set(sections.keys) == Set(Self.commands.map(\.heading)))
    for (heading, commands) in Self.commands {
      var documented = try #require(sections[heading], "\(heading)")
      if ["`show`", "`check`", "`trace`"].contains(heading) { documented.formUnion(step) }
      if heading == "`check`" { documented.formUnion(try #require(sections["`show`"])) }
      var written: Set<String> = []
      for command in commands {
        var words = Page.words("retcon \(command) --json", in: runner.folder)
        if !["info", "mark", "branches"].contains(words[0]) {
          words += ["--host", host]
        }
        let answer = await runner.run(words)
        #expect(!answer.data.isEmpty, "\(command): \(answer.messages)")
        for line in answer.data.split(separator: "\n") {
          Self.addKeys(of: try Value(parsing: String(line)), at: "", to: &written, documented)
        }
      }
      #expect(written.subtracting(documented) == [], "\(heading): not on the page")
      if ["`show`", "`check`", "`trace`"].contains(heading) { continue }
      #expect(
        documented.subtracting(written).subtracting(Self.rare) == [], "\(heading): not written")
    }
  }

  /// The keys in the tables, by their headings.
  private func sections() throws -> [String: Set<String>] {
    var sections: [String: Set<String>] = [:]
    for section in try Page("json.md").text.split(separator: "\n## ").dropFirst() {
      let lines = section.split(separator: "\n")
      let rows = lines.dropFirst().filter { $0.hasPrefix("| `") }
      let keys = rows.flatMap { row in
        row.split(separator: "|")[0].split(separator: " ").map { $0.filter { $0 != "`" } }
      }
      sections[String(lines[0])] = Set(keys.filter { !$0.isEmpty })
    }
    return sections
  }

  /// Adds the keys of a value; what lies in one that the page does not go into is the app's own.
  private static func addKeys(
    of value: Value, at place: String, to keys: inout Set<String>, _ documented: Set<String>
  ) {
    switch value {
    case .object(let object):
      for (key, value) in object {
        let key = place + key
        let isContainer = documented.contains {
          $0.hasPrefix(key + ".") || $0.hasPrefix(key + "[].")
        }
        if !isContainer || documented.contains(key) { keys.insert(key) }
        for below in [key + ".", key + "[]."]
        where documented.contains(where: { $0.hasPrefix(below) }) {
          addKeys(of: value, at: below.hasSuffix("[].") ? key + "[]" : below, to: &keys, documented)
        }
      }
    case .array(let array):
      for element in array { addKeys(of: element, at: place + ".", to: &keys, documented) }
    default: break
    }
  }
}

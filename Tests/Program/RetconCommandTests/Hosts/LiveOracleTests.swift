import HostProtocol
import Platform
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// Compares forks of JavaScript apps with live runs that have the same edit.
@Suite("Forks of JavaScript apps and live runs", .needs(.node))
struct LiveOracleTests {
  private let runner: CommandRunner
  private static let isLong = environmentVariable("RETCON_LONG") != nil

  init() throws { runner = try CommandRunner() }

  /// The reports of the forks of some sessions, and where a known step was untrue.
  private struct Tally {
    var forks = 0
    var known = 0
    var doubtful = 0
    var lies: [String] = []
  }

  private func compared(
    _ kind: String, seeds: [Int], edits: Int, claimingNoMiddleware: Bool = false
  ) async throws -> Tally {
    var tally = Tally()
    for seed in seeds {
      let folder = "\(runner.folder)/\(kind)-\(seed)"
      try #require(mkdir(folder, 0o700) == 0)
      for (name, text) in [
        ("retcon-recorder.mjs", ShippedHost.recorder.text), ("store.mjs", LiveApps.store),
        ("live.mjs", LiveApps.app),
        ("host.mjs", "import { define } from './store.mjs'; export const store = define();\n"),
      ] { try FileSystem.write(text, to: "\(folder)/\(name)") }
      let none = claimingNoMiddleware || kind == "plain" ? "none" : ""
      let status = try Subprocess.run(
        "/bin/sh", ["-c", "cd \(folder) && exec node live.mjs \(kind) \(seed) \(edits) \(none)"])
      try #require(status == 0, "seed \(seed)")
      try await compare(folder, kind, "\(kind), seed \(seed)", &tally)
    }
    return tally
  }

  private func compare(
    _ folder: String, _ kind: String, _ name: String, _ tally: inout Tally
  ) async throws {
    let environment = ["PATH": environmentVariable("PATH") ?? ""]
    let workFolder = WorkFolder(environment)
    defer { withExtendedLifetime(workFolder) {} }
    let reducer = kind == "zustand" ? "host.mjs#store" : "store.mjs#reducer"
    let arguments = try ParsedArguments(
      ["--reducer", "\(folder)/\(reducer)"], for: HostOptions.declarations)
    let command = try #require(
      try ReducerFile(arguments)?.command(in: workFolder, environment))
    let host = HostConnection(command, engine: ThinHost.engine)
    defer { host.end() }
    let recorded = try SessionReader(path: "\(folder)/recorded.retcon")
    try await host.load(recorded.path, as: recorded)
    let list = try Value(
      parsing: Array(FileSystem.text(of: "\(folder)/edits.json").utf8))
    guard case .array(let edits) = list else { return }
    for (number, edit) in edits.enumerated() {
      let live = try SessionReader(path: "\(folder)/live-\(number).retcon")
      let words = "\(name): \(edit.text())"
      try await compare(try Self.script(edit), recorded, live, host, words, &tally)
    }
  }

  private static func script(_ edit: Value) throws -> Script {
    let step = Int(try #require(edit["step"]?.double))
    switch edit["kind"]?.string {
    case "skip": return Script(leavesAt: step - 1, edits: [.skip(step: step)])
    case "replace":
      let action = try #require(edit["action"])
      return Script(leavesAt: step - 1, edits: [.replace(step: step, action: action)])
    default:
      return Script(
        leavesAt: step, edits: [.insert(after: step, action: try #require(edit["action"]))])
    }
  }

  private func compare(
    _ script: Script, _ recorded: SessionReader, _ live: SessionReader, _ host: HostConnection,
    _ words: String, _ tally: inout Tally
  ) async throws {
    let told = Locked<[BranchStep]>([])
    let report = try await host.run(
      RunRequest(branch: BranchPath("fork", script), from: script.leavesAt + 1)
    ) { step in told.withLock { $0.append(step) } }
    try #require(report.ending == nil, "\(words)")
    tally.forks += 1
    var state = try recorded.state(after: script.leavesAt)
    let steps = told.withLock { $0 }
    for step in steps {
      state = try Patch(try #require(step.patch)).applied(to: state)
      guard step.standing.values.areKnown else {
        tally.doubtful += 1
        continue
      }
      tally.known += 1
      let number = step.step.number
      guard live.steps.contains(number), try live.step(number).action == step.step.action,
        try live.state(after: number) == state
      else {
        tally.lies.append("\(words): step \(number) \(step.step.label)")
        break
      }
    }
    // Without a doubt, nothing else happens.
    let isKnown =
      steps.allSatisfy { $0.standing.values.areKnown }
      && !report.remarks.contains { $0.hasPrefix("the reducer runs alone") }
    let last = steps.last?.step.number ?? script.leavesAt
    if isKnown, live.steps.upperBound != last {
      tally.lies.append("\(words): ends at \(last), live at \(live.steps.upperBound)")
    }
  }

  @Test(
    "no known step of a fork is one that the app does not do",
    arguments: ["thunk", "listener", "saga", "zustand", "plain"])
  func truth(kind: String) async throws {
    let tally = try await compared(kind, seeds: Self.isLong ? Array(1...20) : [1, 20], edits: 10)
    #expect(tally.lies == [])
    #expect(tally.forks == (Self.isLong ? 200 : 20))
    // Where nothing else sends actions, nothing is in doubt.
    #expect((tally.known > 0) == (kind == "plain"), "\(tally)")
    #expect((tally.doubtful > 0) == (kind != "plain"), "\(tally)")
  }

  @Test("the comparison finds the lies of an app that wrongly says that it has no middleware")
  func falseClaim() async throws {
    let tally = try await compared(
      "saga", seeds: Array(1...4), edits: 10, claimingNoMiddleware: true)
    #expect(!tally.lies.isEmpty, "\(tally)")
  }
}

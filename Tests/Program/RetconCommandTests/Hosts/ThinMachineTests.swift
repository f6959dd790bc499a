import HostProtocol
import Platform
import Replay
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// A host's effects and reads are those of the same reducer in Swift.
@Suite("Machines in another process", .needs(.python))
struct ThinMachineTests {
  private static let isLong = environmentVariable("RETCON_LONG") != nil
  private static var seeds: Range<Int> { isLong ? 0..<400 : 0..<24 }

  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    let page = try Page("hosts.md").blocks("python")
    _ = try runner.write(try #require(page.last), as: "host.py")
    _ = try runner.write(ProgramReducer.python, as: "shop.py")
  }

  private func host(_ can: ThinAbilities) throws -> ThinHost {
    let command = HostCommand("python3", ["\(runner.folder)/host.py"])
    return ThinHost(
      try HostPipes(command, limits: HostLimits(patience: .seconds(300))), can: can)
  }

  @Test(
    "a random program in Python forks as the same program in Swift", arguments: [true, false])
  func same(runsBodies: Bool) async throws {
    var seen = Seen()
    for seed in Self.seeds {
      var program = RandomProgram(seed: UInt64(seed))
      unlink("\(runner.folder)/program.json")
      _ = try runner.write(program.actions.text(), as: "program.json")
      let file = "\(runner.folder)/\(seed).retcon"
      let reader = try await program.record(to: file, seed: seed)
      var setup = ReplaySetup(ProgramReducer(program: program.actions))
      setup.runsEffectsOnTape = runsBodies
      var can = ThinAbilities()
      (can.reads, can.effects, can.bodies) = (true, true, runsBodies)
      let host = try host(can)
      defer { host.end() }
      let swift = try SessionReplay(reader, setup)
      let python = try SessionReplay(reader, host, from: host.start(of: reader))
      let (one, other) = (try swift.verify(), try python.verify())
      #expect(one == other, "seed \(seed): \(one) in Swift, \(other) in Python")
      for _ in 0..<8 {
        var scripts = [try program.script(of: reader)]
        if program.number(in: 0...3) == 0 {
          scripts.append(try program.script(of: reader, parent: "first"))
        }
        let one = Outcome(swift, scripts)
        let other = Outcome(python, scripts)
        seen.note(one)
        if one != other {
          Issue.record(
            """
            seed \(seed), bodies \(runsBodies), \(file): \(scripts)
            Swift:  \(one.difference(from: other))
            Python: \(other.difference(from: one))
            """)
        }
        let step = program.number(in: reader.steps)
        let states = [swift, python].map { replay in
          do { return try replay.state(of: scripts, after: step).text() } catch {
            return "\(error)"
          }
        }
        #expect(states[0] == states[1], "seed \(seed): the state after step \(step)")
      }
    }
    // The programs do what they are to try out.
    #expect(seen.isEnough, "\(seen)")
  }

  private struct Seen: CustomStringConvertible {
    private var forks = 0
    private var kinds: [String: Int] = [:]

    mutating func note(_ outcome: Outcome) {
      forks += 1
      for step in outcome.steps {
        for assumption in step.standing.assumptions { add(assumption.kind.rawValue) }
        if step.standing.values == .recorded { add("known") }
        if !step.step.reads.isEmpty { add("reads") }
        for event in step.effects {
          if case .started = event.kind { add("starts") } else { add("ends") }
        }
        if step.descendsFrom == nil, case .effect = step.step.cause { add("emissions") }
      }
    }

    private mutating func add(_ kind: String) { kinds[kind, default: 0] += 1 }

    var isEnough: Bool {
      ["known", "reads", "starts", "ends", "open", "substituted", "stale"].allSatisfy {
        kinds[$0, default: 0] > 5
      }
    }

    var description: String {
      "\(forks) forks: \(kinds.sorted { $0.key < $1.key })"
    }
  }
}

/// The result of a fork.
private struct Outcome: Equatable {
  var steps: [BranchStep] = []
  var report: BranchReport?
  var error: String?

  init(_ replay: SessionReplay, _ scripts: [Script]) {
    var told: [BranchStep] = []
    do { report = try replay.run(scripts) { told.append($0) } } catch { self.error = "\(error)" }
    steps = told
  }

  func difference(from other: Outcome) -> String {
    for (one, another) in zip(steps, other.steps) where one != another { return one.value.text() }
    if steps.count != other.steps.count {
      return steps.dropFirst(other.steps.count).first?.value.text() ?? "\(steps.count) steps"
    }
    if let error { return error }
    let places = differences(
      from: report?.value ?? .null, to: other.report?.value ?? .null, limit: 4)
    return places.map { "\($0.path): \($0.left?.text() ?? "nothing")" }.joined(separator: "; ")
  }
}

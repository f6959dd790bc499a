import HostProtocol
import Platform
import SessionFile
import SessionImports
import SessionWords
import TimeTravel

enum MemoryRows {
  static let topic = Topic(name: "Memory") { folder in
    let short = try figures(of: folder("short.retcon"), steps: 100_000)
    let long = try figures(of: folder("long.retcon"), steps: 1_000_000)
    return [
      Row(
        "100,000 steps of 50 KB, five forks open, debugger and host", bar: .atMost(128e6),
        .measured(unit: .bytes) { short.memory }, samples: 1),
      Row(
        "the same with 10 × the steps, time of all cores", bar: .ratioAtMost(12),
        .measured { long.seconds },
        against: .measured("100,000") { short.seconds }, samples: 1),
      Row(
        "the same with 10 × the steps, memory", bar: .ratioAtMost(4),
        .measured(unit: .bytes) { long.memory },
        against: .measured("100,000", unit: .bytes) { short.memory }, samples: 1),
    ]
  }

  static let opening = Probe(name: "opening") { arguments in
    let before = try KernelFigures.privateBytes()
    var opener = SessionOpener.standard
    opener.indexCache = arguments.dropFirst().first.map(IndexCache.init(folder:))
    let session = try opener.open(arguments[0])
    let after = try KernelFigures.privateBytes()
    blackHole(session)
    return [after - before, Double(session.stepCount)]
  }

  static func privateBytes(opening path: String, cache: String? = nil) throws -> Double {
    let figures = try opening.run([path] + (cache.map { [$0] } ?? []))
    guard figures.count == 2, figures[0] > 0, figures[1] > 0 else {
      throw OptionError(text: "opening \(path) was not measured: \(figures)")
    }
    return figures[0]
  }

  /// The most memory of a command. A system counts the memory of who started it, which is little here.
  static let peaking = Probe(name: "peaking") { [try ChildProcess.run($0).peakBytes] }

  /// Opens a session like the debugger, makes five forks and shows each.
  static let forking = Probe(name: "forking") { arguments in
    let host = ReplayRows.host(patience: .seconds(600))
    _ = try await host.load(arguments[0])
    let session = OpenSession(
      SessionRecording(try SessionReader(path: arguments[0])), host: host)
    let last = session.summary.steps.upperBound
    for part in 0..<5 {
      let id = BranchID("fork \(part)")
      let leavesAt = last * (2 * part + 1) / 10
      for await _ in try session.fork(
        id, Script(leavesAt: leavesAt, edits: [.skip(step: leavesAt + 1)]))
      {}
      guard let fork = session.branch(id), fork.progress == .complete,
        fork.steps.upperBound == last - 1
      else { throw OptionError(text: "\(id.firstName) did not come to its end") }
      for step in [fork.steps.upperBound, (leavesAt + last) / 2] {
        let moment = try await session.moment(at: Position(branch: id, step: step))
        guard moment.state != nil, moment.previousState != nil else {
          throw OptionError(text: "\(id.firstName) has no state after step \(step): \(moment)")
        }
      }
      blackHole(try session.rows(last - 40...last - 1, of: id))
    }
    // CPU time, because the wall clock would include the machine's other work.
    let processes = KernelFigures.children() + [getpid()]
    let seconds = try processes.reduce(0) { try $0 + KernelFigures.seconds(of: $1) }
    let memory = try processes.map(KernelFigures.proportionalBytes(of:))
    // This process, its host, and the shell that kills the host if this process dies.
    guard memory.count == 3 else { throw OptionError(text: "there is not one host: \(memory)") }
    blackHole(session)
    return [seconds, memory.reduce(0, +)]
  }

  private static func figures(
    of path: String, steps: Int
  ) throws -> (seconds: Double, memory: Double) {
    ReplayRows.record(ReplayRows.actions(steps), to: path)
    let figures = try forking.run([path])
    guard figures.count == 2 else { throw OptionError(text: "not measured: \(figures)") }
    return (figures[0], figures[1])
  }
}

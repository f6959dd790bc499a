import Platform

/// `make bench`: every bar as a ratio to a baseline taken in the same run.
@main struct Benchmarks {
  static let topics = [
    ProcessRows.topic,
    ValueRows.topic,
    DebuggerRows.topic,
    ScreenRows.topic,
    HostileRows.topic,
    AttackRows.topic,
    DifferenceRows.topic,
    TestKitRows.topic,
    StoreRows.topic,
    LogRows.topic,
    ForeignRows.topic,
    LifeRows.topic,
    ImportRows.topic,
    RecordingRows.topic,
    JavaScriptRows.topic,
    LongSessionRows.topic,
    ReplayRows.topic,
    ForkSearchRows.topic,
    MemoryRows.topic,
  ]

  static func main() async {
    if CommandLine.arguments.dropFirst().first == ReplayRows.hostOption {
      return ReplayRows.serve()
    }
    if CommandLine.arguments.dropFirst().first == Probe.option {
      await Probe.serve(Array(CommandLine.arguments.dropFirst(2)))
    }
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      let report = await run(options)
      report.printSummary()
      if let path = options.jsonPath { try BenchFile(path).write(report.json.utf8) }
      exit(report.isMet ? 0 : 1)
    } catch {
      print("bench: \(error)")
      exit(2)
    }
  }

  private static func run(_ options: Options) async -> Report {
    var report = Report()
    let runner = Runner()
    for topic in topics where options.wants(topic: topic.name) {
      print("\n\(topic.name)")
      do {
        let folder = try BenchFolder()
        defer { withExtendedLifetime(folder) {} }
        for row in try await topic.rows(folder) where options.wants(row: row.name) {
          do {
            report.add(try await runner.run(row, topic: topic.name))
          } catch { report.addTrouble("\(topic.name), \(row.name)", error) }
        }
      } catch { report.addTrouble(topic.name, error) }
    }
    return report
  }
}

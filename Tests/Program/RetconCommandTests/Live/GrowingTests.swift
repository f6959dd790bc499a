import HostProtocol
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("A host of a session that grows", .needs(.node))
struct GrowingTests {
  @Test func aForkTakesWhatWasRecordedSinceTheHostLoaded() async throws {
    let runner = try CommandRunner()
    _ = try runner.write(
      "export default (s = { n: 0 }, { type }) => (type === 'add' ? { n: s.n + 1 } : s);",
      as: "reducer.mjs")
    let path = "\(runner.folder)/growing.retcon"
    let writer = try SessionWriter(path: path, header: SessionHeader(state: ["n": 0]))
    func add(_ number: Int) throws {
      let step = Step(number: number, label: "add", action: ["type": "add"])
      try writer.append(step, state: ["n": .number(Number(number))])
      try writer.flush()
    }
    try add(1)
    let options = try HostOptions(
      ParsedArguments(
        ["--reducer", "\(runner.folder)/reducer.mjs"], for: HostOptions.declarations))
    let context = runner.context(data: { _ in }, messages: { _ in })
    let workFolder = WorkFolder([:])
    let host = try #require(try options.connection(in: context, workFolder))
    defer { host.end() }
    let reader = try SessionReader(path: path)
    try await host.load(path, as: reader)
    for number in 2...5 { try add(number) }
    _ = try reader.refresh()
    let fork = BranchPath("fork", Script(leavesAt: 1))
    let report = try await host.run(RunRequest(branch: fork, from: nil))
    #expect(report.lastStep == 5)
    // A request that is cancelled while the host loads leaves it with a session.
    for number in 6...40 {
      try add(number)
      _ = try reader.refresh()
      let cancelled = Task { try? await host.run(RunRequest(branch: fork, from: nil)) }
      for _ in 0..<number { await Task.yield() }
      cancelled.cancel()
      _ = await cancelled.value
      let report = try await host.run(RunRequest(branch: fork, from: nil))
      #expect(report.lastStep == number)
    }
    try writer.finish()
    withExtendedLifetime(workFolder) {}
  }
}

import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct TrimTests {
  @Test(
    "rule 26: every range of a session carries its effects in flight and verifies like the whole")
  func ranges() async throws {
    let shop = try await RecordedShop(VerifyTests.everything)
    let last = shop.session.steps.upperBound
    for first in 0..<last {
      let file = TemporaryFile()
      try SessionTrimmer(shop.session).trim(first...last, to: file.path)
      let session = try SessionReader(path: file.path)
      let report = try SessionReplay(session, RecordedShop.setup).verify(.all)
      #expect(
        report == VerifyReport(steps: last - first),
        "from \(first): \(report.text(title: "trimmed"))")
    }
  }

  @Test("rule 26: the end of an effect that was in flight is its end in a branch, too")
  func branch() async throws {
    let shop = try await RecordedShop([
      .send(.poll), .wait(.seconds(1)), .send(.add(1)), .wait(.seconds(2)), .send(.add(1)),
    ])
    let file = TemporaryFile()
    try SessionTrimmer(shop.session).trim(3...6, to: file.path)
    let session = try SessionReader(path: file.path)
    #expect(session.header.effects.map(\.effect) == [1])
    let replay = try SessionReplay(session, RecordedShop.setup)
    var lines: [String] = []
    let report = try replay.run([Script(leavesAt: 3, edits: [.skip(step: 6)])]) {
      lines.append($0.line)
    }
    #expect(
      lines == ["4 polled ⚡1 ←4 recorded/equal", "5 polled ⚡1 ←5 recorded/equal"])
    #expect(report.pending == [])
  }
}

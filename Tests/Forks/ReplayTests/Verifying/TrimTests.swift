import Platform
import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct TrimTests {
  @Test(
    "forks/exported: every range of a session carries its effects in flight and verifies like the whole"
  )
  func ranges() async throws {
    let shop = try await RecordedShop(VerifyTests.everything)
    let last = shop.session.steps.upperBound
    for first in 0..<last {
      let file = TemporaryFile()
      try SessionTrimmer(shop.session).trim(first + 1...last, to: file.path)
      let session = try SessionReader(path: file.path)
      let report = try SessionReplay(session, RecordedShop.setup).verify(.all)
      #expect(
        report == VerifyReport(steps: last - first),
        "from \(first): \(report.text(title: "trimmed"))")
    }
  }

  @Test("forks/exported: a range verifies wherever it ends, inside a turn too")
  func ends() async throws {
    let shop = try await RecordedShop(VerifyTests.everything)
    var cut = 0
    let file = TemporaryFile()
    for last in shop.session.steps.dropFirst() {
      for first in Set([1, last]) {
        unlink(file.path)
        let written = try SessionTrimmer(shop.session).trim(first...last, to: file.path)
        if written.endsInsideTurn { cut += 1 }
        let session = try SessionReader(path: file.path)
        let report = try SessionReplay(session, RecordedShop.setup).verify(.all)
        #expect(
          report == VerifyReport(steps: last - first + 1),
          "\(first) to \(last): \(report.text(title: "trimmed"))")
      }
    }
    #expect(cut > 4)
  }

  @Test("what the reducer of the last step sends too much is found where the recording has its end")
  func extraAtTheEnd() async throws {
    let shop = try await RecordedShop([.send(.announce)])
    let file = TemporaryFile()
    let writer = try SessionWriter(path: file.path, header: shop.session.header)
    for number in 1...2 {
      try writer.append(
        try shop.session.step(number), state: try shop.session.state(after: number))
    }
    try writer.finish()
    let report = try SessionReplay(SessionReader(path: file.path), RecordedShop.setup).verify(.all)
    #expect(report.divergences.map(\.kind) == [.extraStep])
  }

  @Test("forks/exported: an export keeps a cancellation inside a chain")
  func cancelledByHand() async throws {
    let shop = try await RecordedShop([
      .send(.add(2)), .send(.fan), .send(.chain), .wait(.seconds(1)), .send(.noted("end")),
    ])
    for effect in [1, 2, 3] as [EffectID] {
      let script = Script(
        leavesAt: 3, edits: [.answer(EffectAnswer(effect: effect, after: 3, outcome: .cancel))])
      let (session, file) = try shop.exported(script)
      let events = try session.effectEvents(in: session.steps)
      #expect(events.filter(\.isAlone).map(\.effect) == [effect])
      let report = try SessionReplay(session, RecordedShop.setup).verify(.all)
      #expect(report.isEqual, "\(report.text(title: "exported"))")
      let own = try shop.run([script]).states
      #expect(
        try session.steps.suffix(own.count).map { try session.state(after: $0) }
          == own.map { try Value.encoding($0) })
      withExtendedLifetime(file) {}
    }
  }

  @Test("forks/exported: what a branch rests on, its forks rest on when it has become a session")
  func inheritedDoubt() async throws {
    let shop = try await RecordedShop([
      .send(.add(2)), .send(.rate), .send(.noted("a")), .send(.noted("b")),
    ])
    let (session, file) = try shop.exported(
      Script(leavesAt: 1, edits: [.insert(after: 1, action: try .encoding(Shop.Action.roll))]))
    let known = try session.assumptions().assumptions(at: session.steps.upperBound)
    #expect(known.map(\.step) == [2])
    func forked(_ session: SessionReader) throws -> [String] {
      var lines: [String] = []
      _ = try SessionReplay(session, RecordedShop.setup).run([
        Script(leavesAt: 3, edits: [.skip(step: 4)])
      ]) { step in lines += [step.line] + step.standing.assumptions.map(\.sentence) }
      return lines
    }
    #expect(try forked(session) == ["4 noted ←5 assumed/different", known[0].sentence])
    let trimmed = TemporaryFile()
    try SessionTrimmer(session).trim(4...5, to: trimmed.path)
    let part = try SessionReader(path: trimmed.path)
    let sentence = "this session was exported from a fork with unknown steps before"
    #expect(try forked(part) == ["4 noted ←5 assumed/different", sentence])
    withExtendedLifetime((file, trimmed)) {}
  }

  @Test(
    "what came in with a step of such a session is not looked for: it is one list, whoever asks")
  func oneIndex() async throws {
    let shop = try await RecordedShop([.send(.add(2)), .send(.rate), .send(.noted("a"))])
    let (session, file) = try shop.exported(
      Script(leavesAt: 1, edits: [.insert(after: 1, action: try .encoding(Shop.Action.roll))]))
    func list() -> UnsafePointer<Assumption>? {
      SessionSource(session).assumptions(raisedAt: 2).withUnsafeBufferPointer(\.baseAddress)
    }
    let first = SessionSource(session).assumptions(raisedAt: 2)
    #expect(first.count == 1)
    #expect(list() == first.withUnsafeBufferPointer(\.baseAddress))
    let source = SessionSource(session)
    #expect(!source.isKnown(after: 2) && source.isKnown(after: 1))
    withExtendedLifetime(file) {}
  }

  @Test("forks/exported: the end of an effect that was in flight is its end in a branch, too")
  func branch() async throws {
    let shop = try await RecordedShop([
      .send(.poll), .wait(.seconds(1)), .send(.add(1)), .wait(.seconds(2)), .send(.add(1)),
    ])
    let file = TemporaryFile()
    try SessionTrimmer(shop.session).trim(4...6, to: file.path)
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

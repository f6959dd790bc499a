import Platform
import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Steps that were skipped when they were recorded.
@Suite struct SkippedStepTests {
  private static func add(_ number: Int) -> Shop.Action { .add(number) }

  /// Five steps that add one, the second of them skipped.
  private func session() throws -> (
    replay: SessionReplay, file: TemporaryFile
  ) {
    let file = TemporaryFile()
    let action = try Value.encoding(Shop.Action.add(1)).text()
    var text = #"{"retcon":"1.0","state":\#(try Value.encoding(Shop.State()).text())}"# + "\n"
    var total = 0
    for step in 1...5 {
      text += #"{"step":\#(step),"label":"add","action":\#(action),"cause":"user","#
      if step == 2 {
        text += #""skipped":true,"patch":[]}"# + "\n"
      } else {
        total += 1
        text += #""patch":[{"op":"replace","path":"/total","value":\#(total)}]}"# + "\n"
      }
    }
    let stream = try #require(fopen(file.path, "w"))
    fputs(text, stream)
    fclose(stream)
    return (try SessionReplay(try SessionReader(path: file.path), RecordedShop.setup), file)
  }

  private func lines(
    _ replay: SessionReplay, _ scripts: [Script]
  ) throws -> [String] {
    var lines: [String] = []
    _ = try replay.run(scripts) { lines.append($0.line + ($0.step.isSkipped ? " skipped" : "")) }
    return lines
  }

  @Test("edits/recorded-skip: a recorded skip stays a step with the state before")
  func stays() throws {
    let (replay, file) = try session()
    #expect(
      try lines(replay, []) == [
        "1 add ←1 recorded/equal", "2 add ←2 recorded/equal skipped", "3 add ←3 recorded/equal",
        "4 add ←4 recorded/equal", "5 add ←5 recorded/equal",
      ])
    #expect(try replay.verify().isEqual)
    withExtendedLifetime(file) {}
  }

  @Test("a fork behind a skipped step is numbered on from where it leaves")
  func numbering() throws {
    let (replay, file) = try session()
    let script = Script(
      leavesAt: 3, edits: [.insert(after: 3, action: try .encoding(Self.add(10)))])
    #expect(
      try lines(replay, [script]) == [
        "4 add new edited/new", "5 add ←4 recorded/different", "6 add ←5 recorded/different",
      ])
    #expect(try replay.state(of: [script], after: 4)["total"] == 12)
    #expect(try replay.state(of: [script], after: 6)["total"] == 14)
    withExtendedLifetime(file) {}
  }

  @Test("after a run without steps told, a state is that of the step of the same number")
  func reportOnly() throws {
    let (replay, file) = try session()
    #expect(try replay.run([], from: nil).lastStep == 5)
    for (step, total) in [1, 1, 2, 3, 4].enumerated() {
      #expect(try replay.state(of: [], after: step + 1)["total"] == .number(Number(total)))
    }
    withExtendedLifetime(file) {}
  }

  @Test("a skipped step that gets an action again is run")
  func takenBackIn() throws {
    let (replay, file) = try session()
    let script = Script(
      leavesAt: 1, edits: [.replace(step: 2, action: try .encoding(Self.add(1)))])
    #expect(
      try lines(replay, [script]) == [
        "2 add ←2 edited/different", "3 add ←3 recorded/different", "4 add ←4 recorded/different",
        "5 add ←5 recorded/different",
      ])
    #expect(try replay.state(of: [script], after: 5)["total"] == 5)
    withExtendedLifetime(file) {}
  }

  @Test("a skipped step in a fork, and in a fork of that, stays skipped, unless it is left out")
  func inForks() throws {
    let (replay, file) = try session()
    let first = Script(leavesAt: 0, edits: [.skip(step: 1)])
    #expect(
      try lines(replay, [first]) == [
        "1 add ←2 recorded/different skipped", "2 add ←3 recorded/different",
        "3 add ←4 recorded/different", "4 add ←5 recorded/different",
      ])
    let second = Script(
      parent: "first", leavesAt: 0, edits: [.insert(after: 0, action: try .encoding(Self.add(5)))])
    #expect(
      try lines(replay, [first, second]).prefix(2) == [
        "1 add new edited/new", "2 add ←1 recorded/different skipped",
      ])
    let without = Script(leavesAt: 1, edits: [.skip(step: 2)])
    #expect(
      try lines(replay, [without]) == [
        "2 add ←3 recorded/equal", "3 add ←4 recorded/equal", "4 add ←5 recorded/equal",
      ])
    withExtendedLifetime(file) {}
  }
}

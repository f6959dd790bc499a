import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Ids that the store makes.
@Suite struct StackIDTests {
  private typealias Action = Navigation.Action

  private static func value(_ action: Navigation.Action) throws -> Value { try .encoding(action) }

  private static func open(after step: Int, _ title: String) throws -> Edit {
    .insert(after: step, action: try value(.open(title)))
  }

  @Test("answers/stack-ids: the ids of stack elements are reads of the step that makes them")
  func reads() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.count), .send(.open("b")), .send(.replace(["c", "d"])),
    ])
    #expect(app.session.tape.contains("stackID"))
    let reads = try app.session.steps.map { try app.session.step($0).reads }
    #expect(
      reads == [
        [], [Read(key: "stackID", value: 0)], [], [Read(key: "stackID", value: 1)],
        // A new stack counts on from the old one.
        [Read(key: "stackID", value: 2), Read(key: "stackID", value: 3)],
      ])
    #expect(try app.replay.verify(.all) == VerifyReport(steps: 4))
    #expect(try app.run([]).shown == "#2 c, #3 d")
  }

  @Test(
    "answers/stack-ids: without the step that pushed one element the next one keeps its recorded id"
  )
  func skipped() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.open("b")), .send(Navigation.rename(0, "A")),
      .send(Navigation.rename(1, "B")), .send(.open("c")),
    ])
    let run = try app.run(leavesAt: 0, .skip(step: 1))
    // Counted anew b would be 0, and would be given the name that was meant for a.
    #expect(run.shown == "#1 B, #2 c")
    #expect(run.state.path.nextID == 3)
    #expect(
      run.lines == [
        "1 open ←2 recorded/different", "2 path.element.rename ←3 recorded/different",
        "3 path.element.rename ←4 recorded/different", "4 open ←5 recorded/different",
      ])
  }

  @Test(
    "answers/stack-ids: a stack that replaces another keeps the ids that it had in the recording")
  func replaced() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.open("b")), .send(.replace(["c", "d"])),
      .send(Navigation.rename(3, "D")),
    ])
    #expect(try app.run(leavesAt: 0, .skip(step: 1)).shown == "#2 c, #3 D")
    #expect(try app.run(leavesAt: 0, .skip(step: 1), .skip(step: 2)).shown == "#2 c, #3 D")
  }

  @Test("answers/stack-ids: inserted steps draw unused ids and leave the counts alone")
  func inserted() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.open("b")), .send(Navigation.rename(1, "B")),
    ])
    let run = try app.run(leavesAt: 1, try Self.open(after: 1, "x"), try Self.open(after: 2, "y"))
    #expect(run.shown == "#0 a, #1000000000 x, #1 B, #1000000001 y")
    #expect(run.state.path.nextID == 2)
    #expect(
      run.lines == [
        "2 open new assumed/new", "3 open ←2 assumed/different", "4 open new assumed/new",
        "5 path.element.rename ←3 assumed/different",
      ])
  }

  @Test("answers/stack-ids: an inserted action finds the element that an inserted step pushed")
  func insertedElement() async throws {
    let app = try await RecordedNavigation([.send(.open("a"))])
    let run = try app.run(
      leavesAt: 1, try Self.open(after: 1, "x"),
      .insert(after: 1, action: try Self.value(Navigation.rename(1_000_000_000, "X"))))
    #expect(run.shown == "#0 a, #1000000000 X")
  }

  @Test(
    "answers/stack-ids: an edited step keeps the ids recorded for it; for more it draws unused ones"
  )
  func edited() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.count), .send(.open("b")), .send(Navigation.rename(1, "B")),
    ])
    let kept = try app.run(leavesAt: 0, .replace(step: 1, action: try Self.value(.open("z"))))
    #expect(kept.shown == "#0 z, #1 B")
    let more = try app.run(leavesAt: 1, .replace(step: 2, action: try Self.value(.open("z"))))
    #expect(more.shown == "#0 a, #1000000000 z, #1 B")
    #expect(more.lines.first == "2 open ←2 assumed/different")
    let fewer = try app.run(leavesAt: 0, .replace(step: 1, action: try Self.value(.count)))
    #expect(fewer.shown == "#1 B")
  }

  @Test(
    "answers/stack-ids: the counts are part of the state: a fork of a fork goes on where its parent was"
  )
  func nested() async throws {
    let app = try await RecordedNavigation([.send(.open("a")), .send(.open("b"))])
    let first = Script(leavesAt: 1, edits: [try Self.open(after: 1, "x")])
    let second = Script(
      parent: "first", leavesAt: 2, edits: [try Self.open(after: 2, "y"), .skip(step: 3)])
    let run = try app.run([first, second])
    #expect(run.shown == "#0 a, #1000000000 x, #1000000001 y")
    #expect(run.lines == ["3 open new assumed/new"])
    let again = Script(parent: "first", leavesAt: 1, edits: [try Self.open(after: 1, "w")])
    #expect(
      try app.run([first, again]).shown == "#0 a, #1000000000 w, #1000000001 x, #1 b")
  }

  @Test(
    "answers/stack-ids: effects of elements are known by their ids: a skipped push takes only its own"
  )
  func effects() async throws {
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.open("b")), .send(Navigation.load(0)), .send(Navigation.load(1)),
      .wait(.seconds(1)),
    ])
    #expect(try app.replay.verify(.all).isEqual)
    let run = try app.run(leavesAt: 0, .skip(step: 1))
    #expect(run.shown == "#1 b!")
    #expect(
      run.report.leftOut.map { "\($0.recordedStep) \($0.reason.rawValue)" } == [
        "1 it was skipped", "5 its effect was not started",
      ])
    #expect(run.report.pending == [])
  }

  @Test("answers/stack-ids: what is presented is known by its own id, which is part of the state")
  func presentation() async throws {
    let app = try await RecordedNavigation([
      .send(.present(1)), .send(.note(.presented(.wait))), .send(.present(2)),
      .send(.note(.presented(.wait))), .wait(.seconds(1)),
    ])
    #expect(try app.replay.verify(.all).isEqual)
    // Without the second one the first goes on waiting, which was cancelled in the recording; and the
    // first that comes ends nothing of the other.
    let one = try app.run(leavesAt: 2, .skip(step: 3))
    #expect(one.state.note == Navigation.Note.State(id: 1, text: "waited"))
    #expect(one.report.pending == [])
    // The effect of another note is another effect, though its place in the code is the same.
    let other = try app.run(
      leavesAt: 2, .replace(step: 3, action: try Self.value(.present(7))))
    #expect(other.state.note == Navigation.Note.State(id: 7, text: "waited"))
    #expect(other.report.pending == [])
    #expect(other.report.leftOut.map(\.reason) == [.notStarted])
  }

  @Test("answers/stack-ids, answers/unrecorded-ids: missing ids are counted")
  func older() async throws {
    let app = try await RecordedNavigation(
      [
        .send(.open("a")), .send(.count), .send(.open("b")), .send(Navigation.rename(1, "B")),
      ], stackIDs: false)
    #expect(!app.session.tape.contains("stackID"))
    #expect(try app.replay.verify(.all) == VerifyReport(steps: 4))
    let skipped = try app.run(leavesAt: 0, .skip(step: 1))
    #expect(
      skipped.lines == [
        "1 count ←2 recorded/different", "2 open ←3 assumed/different",
        "3 path.element.rename ←4 assumed/different",
      ])
    let inserted = try app.run(leavesAt: 1, try Self.open(after: 1, "x"))
    #expect(inserted.shown == "#0 a, #1000000000 x, #1 B")
    #expect(inserted.lines.first == "2 open new assumed/new")
    let edited = try app.run(leavesAt: 1, .replace(step: 2, action: try Self.value(.open("z"))))
    #expect(edited.lines.first == "2 open ←2 assumed/different")
    let first = Script(leavesAt: 1, edits: [try Self.open(after: 1, "x")])
    let second = Script(parent: "first", leavesAt: 1, edits: [try Self.open(after: 1, "w")])
    #expect(
      try app.run([first, second]).shown == "#0 a, #1000000000 w, #1000000001 x, #1 B")
  }
}

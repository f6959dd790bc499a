import SessionWords
import Testing

@testable import TimeTravel

/// Writes a branch as its steps: `5` descends from the parent's step 5, `+` is inserted by an edit,
/// `↳` was sent by a reducer, `5m` is a moved step.
@Suite("A change at a step of a fork goes into its script where it is seen")
struct ScriptEditingTests {
  private func changed(
    _ script: Script, steps: [String], _ edit: Edit, at step: Int
  ) throws -> (edits: [Edit], leavesAt: Int, shows: Int) {
    var editing = ScriptEditing(script: script, parentName: "main") { number in
      if number >= 0, number <= script.leavesAt { return Self.step(from: number) }
      let index = number - script.leavesAt - 1
      guard steps.indices.contains(index) else { return nil }
      let text = steps[index]
      return Self.step(from: Int(text.filter(\.isNumber)), isOutput: text.hasPrefix("↳"))
    }
    try editing.apply([edit], at: step)
    return (editing.script.edits, editing.script.leavesAt, editing.shows)
  }

  private static func step(
    from source: Int?, isOutput: Bool = false, isSkipped: Bool = false
  ) -> BranchStep {
    var step = Step(
      number: 0, label: "", action: "added", cause: isOutput ? .output(of: 0) : .user)
    step.isSkipped = isSkipped
    return BranchStep(step: step, descendsFrom: source, standing: Standing(.recorded, .equal))
  }

  private static let two = Script(
    leavesAt: 4, edits: [.insert(after: 5, action: "a"), .insert(after: 5, action: "b")])
  /// 5 a b 6 7
  private static let shown = ["5", "+", "+", "6", "7"]

  @Test("an action is sent between the two that it is put between")
  func between() throws {
    let result = try changed(Self.two, steps: Self.shown, .insert(after: 6, action: "x"), at: 6)
    #expect(
      result.edits == [
        .insert(after: 5, action: "a"), .insert(after: 5, action: "x"),
        .insert(after: 5, action: "b"),
      ])
    #expect(result.shows == 7)
    let first = try changed(Self.two, steps: Self.shown, .insert(after: 5, action: "x"), at: 5)
    #expect(first.edits.first == .insert(after: 5, action: "x"))
    let last = try changed(Self.two, steps: Self.shown, .insert(after: 7, action: "x"), at: 7)
    #expect(last.edits.last == .insert(after: 5, action: "x"))
    let later = try changed(Self.two, steps: Self.shown, .insert(after: 8, action: "x"), at: 8)
    #expect(later.edits.last == .insert(after: 6, action: "x"))
  }

  @Test("skipping a step that was skipped when it was recorded takes it back in")
  func takenBackIn() throws {
    var editing = ScriptEditing(script: Script(leavesAt: .max), parentName: "main") {
      Self.step(from: $0, isSkipped: $0 == 7)
    }
    try editing.apply([.skip(step: 7)], at: 7)
    #expect(editing.script.edits == [.replace(step: 7, action: "added")])
    #expect(editing.script.leavesAt == 6 && editing.shows == 7)
    var other = editing
    try other.apply([.skip(step: 9)], at: 9)
    #expect(other.script.edits.last == .skip(step: 9))
    #expect(editing.remark == "it was skipped when it was recorded, and is restored")
  }

  @Test("a change at a step that is shared lets the fork leave earlier")
  func earlier() throws {
    let result = try changed(
      Self.two, steps: Self.shown, .set(step: 2, pointer: ["n"], value: 1), at: 2)
    #expect(result.leavesAt == 2)
    #expect(result.edits.last == .set(step: 2, pointer: ["n"], value: 1))
    let skip = try changed(Self.two, steps: Self.shown, .skip(step: 3), at: 3)
    #expect(skip.leavesAt == 2)
    var stopping = Self.two
    stopping.rest = .nothing
    #expect(throws: Trouble.self) {
      try changed(stopping, steps: ["+", "+"], .set(step: 2, pointer: ["n"], value: 1), at: 2)
    }
  }

  @Test("an inserted action is replaced and left out in its edit")
  func inserted() throws {
    let replaced = try changed(Self.two, steps: Self.shown, .replace(step: 7, action: "c"), at: 7)
    #expect(
      replaced.edits == [.insert(after: 5, action: "a"), .insert(after: 5, action: "c")])
    let skipped = try changed(Self.two, steps: Self.shown, .skip(step: 6), at: 6)
    #expect(skipped.edits == [.insert(after: 5, action: "b")])
  }

  @Test("what a reducer sent belongs to the step before it")
  func outputs() throws {
    let script = Script(leavesAt: 4, edits: [.insert(after: 4, action: "a")])
    // a ↳ ↳ 5 6
    let steps = ["+", "↳", "↳", "5", "6"]
    let result = try changed(script, steps: steps, .insert(after: 7, action: "x"), at: 7)
    #expect(
      result.edits == [.insert(after: 4, action: "a"), .insert(after: 4, action: "x")])
    let moved = try changed(script, steps: steps, .move(step: 5, by: 1), at: 5)
    #expect(moved.edits == [.insert(after: 5, action: "a")])
    #expect(moved.shows == 6)
    #expect(throws: Trouble.self) {
      try changed(script, steps: steps, .move(step: 6, by: 1), at: 6)
    }
  }

  @Test("an answer takes the place of one that was given later, and follows one given earlier")
  func answers() throws {
    func answer(_ action: String) -> Edit {
      .answer(EffectAnswer(effect: 3, after: 4, outcome: .emit(action: .string(action))))
    }
    let script = Script(leavesAt: 4, edits: [answer("failure")])
    func given(at step: Int) throws -> [Edit] {
      let answer = EffectAnswer(effect: 3, after: step, outcome: .emit(action: "success"))
      return try changed(script, steps: ["+", "5"], .answer(answer), at: step).edits
    }
    #expect(try given(at: 4) == [answer("success")])
    #expect(
      try given(at: 5) == [
        answer("failure"), answer("success"),
      ])
  }

  @Test("a step is moved down and up again, and is then where it was")
  func moving() throws {
    let plain = Script(leavesAt: 4)
    let down = try changed(plain, steps: ["5", "6", "7"], .move(step: 5, by: 1), at: 5)
    #expect(down.edits == [.move(step: 5, after: 6)])
    #expect(down.shows == 6)
    let moved = Script(leavesAt: 4, edits: down.edits)
    let further = try changed(moved, steps: ["6", "5", "7"], .move(step: 6, by: 1), at: 6)
    #expect(further.edits == [.move(step: 5, after: 7)])
    let back = try changed(moved, steps: ["6", "5", "7"], .move(step: 6, by: -1), at: 6)
    #expect(back.edits == [])
    #expect(back.shows == 5)
    let up = try changed(plain, steps: ["5", "6", "7"], .move(step: 6, by: -1), at: 6)
    #expect(up.edits == [.move(step: 6, after: 4)])
    #expect(throws: Trouble.self) {
      try changed(plain, steps: ["5", "6", "7"], .move(step: 7, by: 1), at: 7)
    }
    #expect(throws: Trouble.self) {
      try changed(plain, steps: ["5"], .move(step: 0, by: -1), at: 0)
    }
  }

  @Test("a moved step is replaced and skipped as the step that it is")
  func movedStep() throws {
    let script = Script(leavesAt: 4, edits: [.move(step: 5, after: 6)])
    let replaced = try changed(
      script, steps: ["6", "5", "7"], .replace(step: 6, action: "c"), at: 6)
    #expect(replaced.edits == [.move(step: 5, after: 6), .replace(step: 5, action: "c")])
    let skipped = try changed(script, steps: ["6", "5", "7"], .skip(step: 6), at: 6)
    #expect(skipped.edits == [.skip(step: 5)])
  }

  @Test("what is read at a step of the fork's own cannot be changed in its script")
  func reads() throws {
    func read(_ step: Int) -> Edit {
      .read(step: step, key: "now", index: 0, outcome: .value(1))
    }
    let result = try changed(Self.two, steps: Self.shown, read(8), at: 8)
    #expect(result.edits.last == read(6))
    #expect {
      try changed(Self.two, steps: Self.shown, read(6), at: 6)
    } throws: {
      "\($0)".hasPrefix("step 6 is no step of “main”")
    }
  }

  @Test("a new fork leaves where its first change needs it to")
  func newFork() throws {
    var editing = ScriptEditing(script: Script(leavesAt: .max), parentName: "main") { step in
      (0...9).contains(step) ? Self.step(from: step, isOutput: step == 7) : nil
    }
    try editing.apply([.move(step: 5, by: 1)], at: 5)
    #expect(editing.script == Script(leavesAt: 4, edits: [.move(step: 5, after: 7)]))
    #expect(editing.shows == 7)
  }
}

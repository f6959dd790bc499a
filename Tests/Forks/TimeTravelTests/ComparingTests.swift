import SessionFile
import SessionWords
import Testing

@testable import TimeTravel

@Suite("Two branches are compared at the same places")
struct ComparingTests {
  /// A table with forks told as their own steps: `5` descends from the parent's step 5, `+` from
  /// none.
  private func table(_ forks: [(String, Script, [String])]) -> BranchTable {
    var table = BranchTable(main: Branch(.main, steps: 0...9))
    for (name, script, steps) in forks {
      let id = BranchID(name)
      table.add(id, name: name, script)
      let run = table.begin(id, inFlight: []) ?? 0
      for (index, text) in steps.enumerated() {
        let step = Step(number: script.leavesAt + 1 + index, label: text, action: .null)
        table.append(
          BranchStep(
            step: step, descendsFrom: Int(text), standing: Standing(.recorded, .equal)), to: id,
          run: run)
      }
      table.finish(id, BranchReport(lastStep: script.leavesAt + steps.count), run: run)
    }
    return table
  }

  private func beside(
    _ table: BranchTable, _ step: Int, of name: BranchID, on other: BranchID
  ) -> Int? {
    table.step(at: table.place(of: Position(branch: name, step: step)), of: other)?.step
  }

  @Test("beside a recorded step stands the one that descends from it, wherever it is now")
  func descended() {
    let table = table([
      ("a", Script(leavesAt: 2), ["3", "+", "+", "4", "5", "6", "7", "8", "9"]),
      ("b", Script(leavesAt: 4), ["6", "7", "8", "9"]),
    ])
    #expect(
      (0...11).map { beside(table, $0, of: "a", on: "main") }
        == [0, 1, 2, 3, nil, nil, 4, 5, 6, 7, 8, 9])
    #expect(
      (0...11).map { beside(table, $0, of: "a", on: "b") }
        == [0, 1, 2, 3, nil, nil, 4, nil, 5, 6, 7, 8])
    #expect(
      (0...8).map { beside(table, $0, of: "b", on: "a") }
        == [0, 1, 2, 3, 6, 8, 9, 10, 11])
    #expect(
      (0...9).map { beside(table, $0, of: "main", on: "b") }
        == [0, 1, 2, 3, 4, nil, 5, 6, 7, 8])
  }

  @Test("what two forks put behind the same step stands beside each other")
  func inserted() {
    let table = table([
      ("fails", Script(leavesAt: 9), ["+"]), ("works", Script(leavesAt: 9), ["+", "+"]),
      ("child", Script(parent: "works", leavesAt: 10), ["11", "+"]),
    ])
    #expect(beside(table, 10, of: "fails", on: "works") == 10)
    #expect(beside(table, 11, of: "works", on: "fails") == nil)
    #expect(beside(table, 11, of: "works", on: "main") == nil)
    #expect(beside(table, 11, of: "child", on: "works") == 11)
    #expect(beside(table, 12, of: "child", on: "works") == nil)
    #expect(table.lastShared("fails", "works") == 9)
    #expect(table.lastShared("child", "works") == 10)
    #expect(table.lastShared("child", "fails") == 9)
  }

  @Test("the last steps of a fork are as recorded if none of the recording is left out")
  func equalFrom() {
    func equalFrom(_ told: (Int?, Standing.Outcome)...) -> Int? {
      var steps = ForkSteps(Script(leavesAt: 4))
      for (index, (from, outcome)) in told.enumerated() {
        steps.append(
          BranchStep(
            step: Step(number: 5 + index, label: "a", action: .null), descendsFrom: from,
            standing: Standing(.recorded, outcome)))
      }
      return steps.equalFrom
    }
    #expect(equalFrom((5, .different), (6, .equal), (7, .equal)) == 6)
    #expect(equalFrom((5, .different), (6, .equal), (8, .equal)) == 7)
    #expect(equalFrom((5, .equal), (nil, .new)) == nil)
    #expect(equalFrom((6, .equal)) == 5)
  }
}

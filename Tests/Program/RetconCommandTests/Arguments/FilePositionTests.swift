import Testing
import TimeTravel

@testable import RetconCommand

struct FilePositionTests {
  private func position(_ file: String, _ branch: String, _ step: Int?) -> FilePosition {
    var position = FilePosition(file: file)
    position.branch = branch
    position.step = step
    return position
  }

  @Test("a position is a file, a file at a step, at a branch, or at a step of a branch")
  func forms() throws {
    #expect(try FilePosition("a.retcon") == position("a.retcon", "main", nil))
    #expect(try FilePosition("a.retcon@12") == position("a.retcon", "main", 12))
    #expect(try FilePosition("a.retcon@no coupon/12") == position("a.retcon", "no coupon", 12))
    #expect(try FilePosition("a.retcon@no coupon") == position("a.retcon", "no coupon", nil))
  }

  @Test("an at sign inside a file name is a part of it")
  func atSigns() throws {
    #expect(try FilePosition("me@home.retcon").file == "me@home.retcon")
    #expect(try FilePosition("me@home.retcon@3") == position("me@home.retcon", "main", 3))
  }

  @Test("a file that is there is known by its whole name, whatever stands in it")
  func existing() throws {
    let files: Set = ["a@12", "b", "b@main/3.retcon", "c@d/e@f"]
    func position(of text: String) throws -> FilePosition {
      try FilePosition(text) { files.contains($0) }
    }
    #expect(try position(of: "a@12") == self.position("a@12", "main", nil))
    #expect(try position(of: "a@12@7") == self.position("a@12", "main", 7))
    #expect(try position(of: "b@fork 1.2/3") == self.position("b", "fork 1.2", 3))
    #expect(try position(of: "b@main/3.retcon") == self.position("b@main/3.retcon", "main", nil))
    #expect(try position(of: "c@d/e@f@x@y/4") == self.position("c@d/e@f", "x@y", 4))
  }

  @Test(
    "what is not a position says how one is written",
    arguments: ["a.retcon@", "a.retcon@-1", "a.retcon@main/", "@5", "a.retcon@/5"])
  func mistakes(text: String) {
    #expect(
      throws: UsageError(
        what: "\(text) is not a position", next: "Write file@step, file@branch or file@branch/step")
    ) { try FilePosition(text) }
  }
}

struct StepRangeTests {
  @Test("a range has two ends, one of them may be open")
  func forms() throws {
    #expect(try StepRange("800..812").first == 800)
    #expect(try StepRange("800..812").last == 812)
    #expect(try StepRange("800..").last == nil)
    #expect(try StepRange("..812").first == nil)
    #expect(try StepRange("800-812") == StepRange("800..812"))
    #expect(try StepRange("7").first == 7)
    #expect(try StepRange("7").last == 7)
  }

  @Test(
    "what is no range says how one is written", arguments: ["", "a..b", "1-2-3", "1..2..3", "-1"])
  func mistakes(text: String) {
    #expect(
      throws: UsageError(
        what: "\(text) is not a range of steps", next: "Write 800..812, 800.. or ..812")
    ) { try StepRange(text) }
  }

  @Test("a range that ends before it starts is turned round in the hint")
  func reversed() {
    #expect(throws: UsageError(what: "9..3 ends before it starts", next: "Write 3..9")) {
      try StepRange("9..3")
    }
  }
}

struct SuggestionTests {
  @Test("the nearest word is suggested when it is near")
  func near() {
    let known = ["open", "demo", "info", "steps", "trim"]
    #expect(suggestion(for: "opne", among: known) == "open")
    #expect(suggestion(for: "ope", among: known) == "open")
    #expect(suggestion(for: "step", among: known) == "steps")
    #expect(suggestion(for: "frobnicate", among: known) == nil)
  }
}

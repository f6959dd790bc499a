import Testing
import TextCanvas
import ValueTree

@testable import Debugger

@Suite("What was typed, in a recording of the debugger")
struct TypedInputTests {
  @Test(
    "reads back as what it was",
    arguments: [
      .event(.key(.character("j"))), .event(.key(.character(" "))), .event(.key(.character("é"))),
      .event(.key(.character("\u{200B}"))), .event(.key(.control("d"))),
      .event(.key(.control(" "))),
      .event(.key(.alt("1"))), .event(.key(.function(5))), .event(.key(.function(27))),
      .event(.key(.shiftUp)), .event(.key(.shiftLeft)), .event(.key(.backTab)),
      .event(.key(.insert)), .event(.key(.enter)), .event(.paste("two\nlines \u{1B}")),
      .event(.mouse(Mouse(.drag, column: 3, row: 20))), .event(.resize(Size(width: 9, height: 2))),
      .composed("{\n}\n"),
    ] as [TypedInput])
  func roundTrip(input: TypedInput) throws {
    let value = try ValueEncoder().encode(input)
    #expect(try ValueDecoder().decode(TypedInput.self, from: value) == input)
  }

  @Test("can be read and written by a person, and its label says what it is")
  func text() throws {
    func line(_ input: TypedInput) throws -> String {
      "\(input.actionLabel): \(try ValueEncoder().encode(input).text())"
    }
    #expect(try line(.event(.key(.control("d")))) == #"Ctrl-d: {"key":"Ctrl-d"}"#)
    #expect(
      try line(.event(.mouse(Mouse(.press, column: 4, row: 2))))
        == #"press 4,2: {"mouse":"press","at":[4,2]}"#)
    #expect(
      try line(.event(.resize(Size(width: 80, height: 24))))
        == #"resize 80x24: {"resize":[80,24]}"#)
  }

  @Test(
    "is refused where nobody could have typed it",
    arguments: [
      #"{"key":"Crtl-d"}"#, #"{"mouse":"squeak","at":[1,2]}"#, #"{"mouse":"press","at":[1]}"#,
      #"{"resize":[80,999999]}"#, #"{"resize":[-1,2]}"#, "{}",
    ])
  func refused(text: String) throws {
    let value = try Value(parsing: text)
    #expect(throws: (any Error).self) { try ValueDecoder().decode(TypedInput.self, from: value) }
  }
}

@Suite("What is typed behind something that waits")
struct WaitingInputTests {
  @Test("is kept up to a limit, and q behind it once")
  func limit() {
    var waiting = WaitingInput()
    waiting.wait(with: [], until: .forkHasRun)
    for number in 0..<5_000 {
      waiting.add(typed: .key(.character(number.isMultiple(of: 2) ? "j" : "k")))
    }
    #expect(waiting.events.count == WaitingInput.limit)
    for _ in 0..<3 { waiting.add(typed: .key(.character("q"))) }
    #expect(waiting.events.count == WaitingInput.limit + 1)
    #expect(waiting.events.last == .key(.character("q")))
  }
}

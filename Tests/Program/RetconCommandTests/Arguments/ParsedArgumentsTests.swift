import Testing

@testable import RetconCommand

struct ParsedArgumentsTests {
  private let declarations = [
    Option("print", value: "WIDTHxHEIGHT", help: ""),
    Option("output", letter: "o", value: "FILE", help: ""),
    Option("json", letter: "j", help: ""),
    Option("quiet", letter: "q", help: ""),
  ]

  private func parse(_ words: String...) throws -> ParsedArguments {
    try ParsedArguments(words, for: declarations)
  }

  @Test("options stand anywhere among the positionals")
  func mixed() throws {
    let arguments = try parse("a", "--json", "b", "-o", "out", "c")
    #expect(arguments.positionals == ["a", "b", "c"])
    #expect(arguments.has("json"))
    #expect(arguments.value("output") == "out")
    #expect(!arguments.has("quiet"))
  }

  @Test("a value is written behind a space, an equals sign, or a letter")
  func values() throws {
    #expect(try parse("--print", "80x24").value("print") == "80x24")
    #expect(try parse("--print=80x24").value("print") == "80x24")
    #expect(try parse("-oout").value("output") == "out")
    #expect(try parse("-o", "out").value("output") == "out")
    #expect(try parse("-jqo", "out").value("output") == "out")
  }

  @Test("two dashes end the options, one dash is a positional")
  func dashes() throws {
    #expect(try parse("--", "--json", "-o").positionals == ["--json", "-o"])
    #expect(try parse("-").positionals == ["-"])
    #expect(try parse("-@2").positionals == ["-@2"])
    #expect(try FilePosition("-@2").file == "-")
  }

  @Test("a mistyped option names the near one")
  func mistyped() {
    #expect(
      throws: UsageError(what: "there is no option --jsom", next: "Try --json")
    ) { try parse("--jsom") }
    #expect(throws: UsageError(what: "there is no option -x")) { try parse("-x") }
  }

  @Test("a missing or unwanted value is said")
  func valueErrors() {
    #expect(
      throws: UsageError(what: "--print needs a value", next: "Write --print WIDTHxHEIGHT")
    ) { try parse("--print") }
    #expect(throws: UsageError(what: "--json takes no value")) { try parse("--json=yes") }
    #expect(throws: UsageError(what: "-o needs a value", next: "Write -o FILE")) {
      try parse("-o")
    }
  }
}

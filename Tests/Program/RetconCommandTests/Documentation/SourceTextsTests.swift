import FoundationEssentials
import Platform
import TestSupport
import Testing

@testable import RetconCommand

/// Every text that a person can see, in one file, so that a reader can judge them in one go.
@Suite("The texts of the program")
struct SourceTextsTests {
  /// Their texts are part of no program that a user runs.
  private static let others = ["Benchmarks", "Samples", "StoreMacrosPlugin", "Platform"]

  static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  @Test("are listed, file by file, in .build/texts.txt")
  func list() throws {
    var list = ""
    let files = try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.root)/Sources")
    for file in files.filter({ $0.hasSuffix(".swift") }).sorted()
    where !Self.others.contains(where: { file.split(separator: "/").contains(Substring($0)) }) {
      let source = try CommandRunner.text(ofFile: "\(Checkout.root)/Sources/\(file)")
      let texts = SourceTexts(source).texts
      if !texts.isEmpty { list += "\n\(file)\n" + texts.map { "  \($0)\n" }.joined() }
    }
    try Self.write(list, to: "\(Checkout.root)/.build/texts.txt")
    for declaration in CommandTable.standard.commands.map({ $0.declaration }) {
      #expect(list.contains("  \(declaration.summary)\n"), "\(declaration.name)")
    }
    #expect(list.contains("  No problems with ….\n") && list.contains("  nothing changed\n"))
  }

  @Test("a text is a literal of two words or more, with … for what is filled in")
  func literals() {
    let source = #"""
      let a = "one"  // "not this one"
      tell("step \(steps[at("x y")]) of \"\(name)\" " +
        "is lost")
      let b = ["cart/items", #"a "raw" text"#]
      let c = """
        two lines, \
        as one
        """
      """#
    #expect(
      SourceTexts(source).texts
        == [#"step … of "…" is lost"#, #"a "raw" text"#, "two lines, as one"])
  }
}

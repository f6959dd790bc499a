import TestSupport
import Testing

@testable import RetconCommand

/// A page of the docs, for tests that do what it says.
struct Page {
  let text: String

  init(_ name: String) throws {
    text = try CommandRunner.text(ofFile: "\(Checkout.root)/docs/\(name)")
  }

  /// The code by its language.
  func blocks(_ language: String) -> [String] {
    text.split(separator: "```\(language)\n").dropFirst().compactMap {
      $0.split(separator: "```", maxSplits: 1).first.map(String.init)
    }
  }

  /// The command on the page, as words, with its files in the test's folder.
  func command(_ words: String, in folder: String) throws -> [String] {
    let line = try #require(
      blocks("sh").joined().split(separator: "\n").first { $0.hasPrefix(words) },
      "the page has no command `\(words)`")
    return Self.words(line, in: folder)
  }

  /// The words behind the program's name: in quotes, or between blanks and before a remark.
  static func words(_ line: Substring, in folder: String) -> [String] {
    var parts: [String] = []
    for (index, quoted) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
    {
      let inner = quoted.prefix(while: { $0 != "#" })
      parts +=
        index.isMultiple(of: 2) ? inner.split(separator: " ").map(String.init) : [String(quoted)]
    }
    return parts.dropFirst().map { part in
      part.split(separator: " ").map { word in
        let name = word.prefix { $0 != "@" }
        let isFile = ["json", "html", "mjs", "py", "retcon"].contains { name.hasSuffix(".\($0)") }
        return isFile ? "\(folder)/\(word)" : String(word)
      }.joined(separator: " ")
    }
  }
}

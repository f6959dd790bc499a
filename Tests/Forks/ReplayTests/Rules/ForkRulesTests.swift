import Platform
import TestSupport
import Testing

/// The names of the fork rules, wherever they are cited.
@Suite struct ForkRulesTests {
  private static let sources = swiftFiles(
    below: ["Sources", "Tests", "Modules"].map { "\(Checkout.root)/\($0)" })

  @Test("docs/fork-rules.md is made from the table: make frames writes it anew")
  func page() throws {
    let path = "\(Checkout.root)/docs/fork-rules.md"
    if environmentVariable("RETCON_WRITE_FRAMES") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(ForkRule.page, file)
      fclose(file)
    }
    #expect(String(decoding: TemporaryFolder.bytes(of: path), as: UTF8.self) == ForkRule.page)
  }

  @Test("seven topics have at most eight rules each, and no name comes twice")
  func names() {
    #expect(ForkRule.topics.count == 7)
    for topic in ForkRule.topics {
      #expect(topic.rules.count <= 8)
      #expect(Set(topic.rules.map { $0.topic }).count == 1)
    }
    #expect(Set(ForkRule.all.map(\.name)).count == ForkRule.all.count)
  }

  @Test(
    "every rule that code, comments and tests cite is in the table, and none is cited by number")
  func cited() {
    let rules = Set(ForkRule.all.map(\.name))
    let topics = Set(ForkRule.all.map(\.topic))
    #expect(Self.sources.count > 300)
    for (path, text) in Self.sources where !path.contains("/Rules/ForkRule") {
      for name in Self.names(in: text, of: topics) {
        #expect(rules.contains(name), "\(path) cites \(name)")
      }
      let isByNumber = text.utf8.split(separator: UInt8(ascii: "\n")).contains {
        $0.contains(UInt8(ascii: "u")) && Substring($0).contains("ule")
          && Substring($0).contains(/\b[Rr]ules? [0-9]/)
      }
      #expect(!isByNumber, "\(path) cites a rule by its number")
    }
  }

  @Test("every rule has a test that carries its name")
  func tested() {
    let topics = Set(ForkRule.all.map(\.topic))
    let tested = Self.sources.filter { $0.path.contains("/Tests/") && !$0.path.contains("/Rules/") }
      .reduce(into: Set<String>()) { $0.formUnion(Self.names(in: $1.text, of: topics)) }
    for rule in ForkRule.all { #expect(tested.contains(rule.name), "no test names \(rule.name)") }
  }

  /// Words that look like a rule's name. A pattern over all sources takes a minute here.
  private static func names(in text: String, of topics: Set<String>) -> [String] {
    let (slash, hyphen) = (UInt8(ascii: "/"), UInt8(ascii: "-"))
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let words = text.utf8.split { !letters.contains($0) && $0 != slash && $0 != hyphen }
    return words.filter { $0.contains(slash) }.flatMap { word -> [String] in
      let parts = word.split(separator: slash, omittingEmptySubsequences: false)
      return zip(parts, parts.dropFirst()).compactMap { before, name in
        let topic = String(Substring(before.split(separator: hyphen).last ?? before))
        guard topics.contains(topic), name.first.map(letters.contains) == true else { return nil }
        return "\(topic)/\(Substring(name))"
      }
    }
  }

  private static func swiftFiles(below folders: [String]) -> [(path: String, text: String)] {
    folders.flatMap { folder in
      namesInFolder(folder).flatMap { name in
        let path = "\(folder)/\(name)"
        if name.hasSuffix(".swift") {
          return [(path, String(decoding: TemporaryFolder.bytes(of: path), as: UTF8.self))]
        }
        return name.contains(".") ? [] : swiftFiles(below: [path])
      }
    }
  }
}

extension ForkRule {
  fileprivate var topic: String { String(name.prefix { $0 != "/" }) }

  fileprivate static var page: String {
    """
    # Fork rules

    Code and tests cite each rule by its name, so search the tests for a name to see its proof.
    [Why you can trust a fork](trust.md) explains the ideas. *Doubt* says when a step rests on an
    assumption.

    \(topics.map { topic in
      "## \(topic.title)\n\n" + topic.rules.map(\.entry).joined(separator: "\n\n")
    }.joined(separator: "\n\n"))

    """
  }

  private var entry: String {
    let doubt = doubt.map { "\n\n*Doubt:* \($0)" } ?? ""
    return "### \(name)\n\n\(text)\(doubt)"
  }
}

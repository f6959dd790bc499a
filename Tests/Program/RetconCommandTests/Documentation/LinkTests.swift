import FoundationEssentials
import TestSupport
import Testing

@testable import RetconCommand

@Suite("The links of the pages")
struct LinkTests {

  private static var pages: [String] {
    let files =
      (try? FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.root)/docs")) ?? []
    return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
      + files.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }.sorted()
  }

  /// The text of a page outside of its code.
  private static func prose(_ page: String) throws -> String {
    try CommandRunner.text(ofFile: "\(Checkout.root)/\(page)").split(separator: "```").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
  }

  private static func links(_ page: String) throws -> [(file: String, heading: String?)] {
    let folder = page.split(separator: "/").dropLast().joined(separator: "/")
    return try prose(page).split(separator: "](").dropFirst().compactMap { rest in
      let target = rest.prefix { $0 != ")" }
      guard !target.contains(":") else { return nil }
      let parts = target.split(separator: "#", omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? page : folder + "/" + parts[0]
      return (standardized(path), parts.count > 1 ? String(parts[1]) : nil)
    }
  }

  private static func standardized(_ path: String) -> String {
    var names: [Substring] = []
    for name in path.split(separator: "/") {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names.joined(separator: "/")
  }

  /// The names by which a browser finds the headings of a page.
  private static func headings(_ page: String) throws -> [String] {
    try prose(page).split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      line.drop { $0 == "#" }.dropFirst().lowercased()
        .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
    }
  }

  @Test("each leads to a file, and to a heading if it names one", arguments: pages)
  func targets(page: String) throws {
    for (file, heading) in try Self.links(page) {
      #expect(FileSystem.exists("\(Checkout.root)/\(file)"), "\(page) names \(file)")
      guard let heading, file.hasSuffix(".md") else { continue }
      #expect(try Self.headings(file).contains(heading), "\(page) names \(file)#\(heading)")
    }
  }

  @Test("the index names every page, but for those that only say where they went")
  func index() throws {
    let named = try Set(Self.links("docs/README.md").map(\.file))
    for page in Self.pages where page.split(separator: "/").count == 2 && page != "docs/README.md" {
      let isMoved = try Self.prose(page).split(separator: " ").count < 30
      #expect(isMoved || named.contains(page), "docs/README.md does not name \(page)")
    }
  }
}

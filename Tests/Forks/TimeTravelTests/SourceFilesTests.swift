import Platform
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Files of the sources")
struct SourceFilesTests {
  private let folder: TemporaryFolder
  private let sources: SourceFiles
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    for file in [
      "app/Cart.swift", "app/Sources/Cart/Effects/Save.swift",
      "app/Features/Deep/Cart/a/Load.swift",
      "app/.build/Cart/Load.swift", "app/node_modules/Cart/Load.swift", "secret/Cart/Key.swift",
    ] {
      makeFolders(above: folder(file))
      try folder.write("", to: file)
    }
    symlink(folder("secret"), folder("app/Sources/Cart/linked"))
    symlink(folder("secret/Cart/Key.swift"), folder("app/Sources/Cart/Key.swift"))
    sources = SourceFiles(under: folder("app"))
    root = try #require(sources.find("Cart.swift")).path.replacing("/app/Cart.swift", with: "")
  }

  private func find(_ name: String) -> String? {
    sources.find(name).map {
      ($0.isOutside ? "outside: " : "") + $0.path.replacing(root + "/", with: "")
    }
  }

  @Test("are found in the folder, in that of a module, and however deep below one of that name")
  func found() {
    #expect(find("Cart.swift") == "app/Cart.swift")
    #expect(find("Cart/Effects/Save.swift") == "app/Sources/Cart/Effects/Save.swift")
    #expect(find("Cart/Save.swift") == "app/Sources/Cart/Effects/Save.swift")
    #expect(find("Cart/Load.swift") == "app/Features/Deep/Cart/a/Load.swift")
    #expect(find("\(root)/app/Cart.swift") == "app/Cart.swift")
    #expect(find("Shop/Save.swift") == nil)
    #expect(find("Save.swift") == "app/Sources/Cart/Effects/Save.swift")
    #expect(find("Cart/Missing.swift") == nil)
  }

  @Test("that lie elsewhere are told as such, whichever way leads there")
  func outside() {
    #expect(find("\(root)/secret/Cart/Key.swift") == "outside: secret/Cart/Key.swift")
    #expect(find("../secret/Cart/Key.swift") == "outside: secret/Cart/Key.swift")
    #expect(find("Cart/Key.swift") == "outside: secret/Cart/Key.swift")
    #expect(find("Cart/linked/Cart/Key.swift") == "outside: secret/Cart/Key.swift")
  }

  @Test(
    "are not looked for by what is no name of a file",
    arguments: [
      "", "Cart", "/dev/null", "Cart\u{1B}]8;;http://x\u{7}.swift", "Cart.swift\u{0}",
      "Cart\u{9B}31m",
      String(repeating: "x/", count: 600),
    ])
  func names(name: String) {
    #expect(sources.find(name) == nil)
  }
}

import Platform
import TestSupport
import Testing

@testable import RetconCommand

/// The code of the page is the code of the first example, which `.ci/run` builds and runs.
@Suite("The page on a Swift app")
struct SwiftAppPageTests {
  private var example: String {
    get throws {
      let folder = "\(Checkout.root)/docs/examples/cart"
      return try [
        "Package.swift", "Sources/CartFeature/Cart.swift", "Sources/CartApp/CartApp.swift",
        "Sources/CartDebugger/CartDebugger.swift",
      ].map { try CommandRunner.text(ofFile: "\(folder)/\($0)") }.joined()
    }
  }

  @Test("its code is the code of an example, line by line, but for the address of the package")
  func code() throws {
    let page = try CommandRunner.text(ofFile: "\(Checkout.root)/docs/swift-app.md")
    let lines = try Set(example.split(separator: "\n").map { $0.drop { $0 == " " } })
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    #expect(blocks.count == 4)
    for line in blocks.joined().split(separator: "\n") where !line.contains(".package(url:") {
      #expect(lines.contains(line.drop { $0 == " " }), "docs/swift-app.md says: \(line)")
    }
  }
}

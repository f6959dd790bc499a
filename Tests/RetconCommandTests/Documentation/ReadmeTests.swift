import Platform
import SessionLog
import StoreCore
import StoreRecording
import Testing

@testable import RetconCommand

private struct Cart: Reducer {
  struct State: Codable, Sendable { var total = 0 }
  enum Action: Codable, Sendable { case added(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .added(let price) = action { state.total += price }
    return .none
  }
}

private enum CartDebugger {
  static func main() async { await RetconCommand.main(hosting: Cart()) }
}

@Suite("The README")
struct ReadmeTests {
  private var root: String {
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  }

  @Test("its code is the code of this test, and works")
  func code() throws {
    let readme = try CommandRunner.text(ofFile: "\(root)/README.md")
    let test = try CommandRunner.text(ofFile: #filePath)
    let blocks = readme.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    #expect(blocks.count == 2)
    for line in blocks.joined().split(separator: "\n") {
      let code = line.drop { $0 == " " }.replacing("@main struct", with: "private enum")
        .replacing("\"cart.retcon\"", with: "path")
      #expect(test.contains(code), "README says: \(line)")
    }

    let folder = try FileSystem.temporaryFolder(in: [:])
    defer { FileSystem.removeFolder(folder) }
    let path = folder + "/cart.retcon"
    do {
      let store = Store(initialState: Cart.State(), hooks: StoreRecorder(to: path)) {
        Cart()
      }
      store.send(.added(5))
    }
    let session = try SessionReader(path: path)
    #expect(session.stepCount == 1)
    #expect(try session.state(after: 1)["total"] == 5)
  }

  @Test("every page that it names is there")
  func pages() throws {
    let readme = try CommandRunner.text(ofFile: "\(root)/README.md")
    for link in readme.split(separator: "](").dropFirst() {
      let page = link.prefix { $0 != ")" }
      #expect(FileSystem.exists("\(root)/\(page)"), "README names \(page)")
    }
  }
}

import Platform
import TestSupport
import Testing

/// `make test WITHOUT="tmux node"` can leave out only what says that it needs them.
@Suite("What tests need") struct NeedTests {
  @Test(
    "a file of tests that starts one of these says so",
    arguments: [
      ("tmux", ["inTmux(", "TmuxSession(", "Retcon.shell("]),
      ("node", ["run(\"node\"", "LaunchedApp.node(", "\"--\", \"node\"", "\"--reducer\", "]),
      ("python", ["\"python3"]),
      ("compiler", ["compilerErrors(in:"]),
    ])
  func said(need: String, words: [String]) {
    let silent = Self.files(below: "\(Checkout.root)/Tests").filter { path in
      let text = String(decoding: TemporaryFolder.bytes(of: path), as: UTF8.self)
      return text.contains("@Test") && words.contains { text.contains($0) }
        && !text.contains(".\(need)") && !path.hasSuffix("/NeedTests.swift")
    }
    #expect(silent == [])
  }

  @Test("what is not there is not met")
  func missing() {
    #expect(!Need("nothing") { false }.isMet)
    #expect(Need("something") { true }.isMet)
  }

  private static func files(below folder: String) -> [String] {
    namesInFolder(folder).sorted().flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : files(below: "\(folder)/\(name)")
    }
  }
}

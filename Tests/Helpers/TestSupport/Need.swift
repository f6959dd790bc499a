import Platform

#if canImport(Testing)
  import Testing
#endif

/// Something beside this package that a test needs: a program, a module of Python, sample files.
///
/// ```swift
/// @Suite("A reducer in JavaScript", .needs(.node))
/// ```
package struct Need: Sendable {
  let name: String
  private let check: @Sendable () -> Bool

  package init(_ name: String, _ check: @escaping @Sendable () -> Bool) {
    self.name = name
    self.check = check
  }

  private init(program: String, _ name: String? = nil) {
    self.init(name ?? program) { programPath(program, in: environmentVariable("PATH")) != nil }
  }

  package static let tmux = Need(program: "tmux")
  package static let node = Need(program: "node")
  package static let python = Need(program: "python3", "python")
  package static let compiler = Need(program: "swiftc", "compiler")
  package static let esbuild = Need(program: "esbuild")
  package static let jest = Need(program: "jest")
  package static let git = Need(program: "git")
  /// On a build server, tests without their samples fail.
  package static let samples = Need("samples") {
    getenv("CI") != nil || access(SampleFiles.path("redux-shop.lifted.json"), R_OK) == 0
  }

  /// The needs that a run leaves out, though they may be there: `make test WITHOUT="tmux node"`.
  private static let without = (environmentVariable("RETCON_WITHOUT") ?? "").split(separator: " ")

  package var isMet: Bool { !Self.without.contains(name[...]) && check() }

  private static let missing = Locked<Set<String>>([])
  private static let tellsAtExit: Void = {
    atexit {
      print(
        "SKIPPED: tests that need", Need.missing.withLock { $0.sorted() }.joined(separator: ", "))
    }
  }()

  fileprivate func isMetOrTold() -> Bool {
    if isMet { return true }
    Self.tellsAtExit
    Self.missing.withLock { _ = $0.insert(name) }
    return false
  }
}

#if canImport(Testing)
  extension Trait where Self == ConditionTrait {
    /// Skips the test where something that it needs is missing or left out. The run says so at its end.
    package static func needs(_ needs: Need...) -> Self {
      .enabled("needs \(needs.map(\.name).joined(separator: ", "))") {
        needs.allSatisfy { $0.isMetOrTold() }
      }
    }
  }
#endif

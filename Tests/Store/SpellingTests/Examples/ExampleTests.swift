import Platform
import TestSupport
import Testing

/// The examples in comments are compiled, all at once, against what `AppFeature.swift` beside this file
/// takes for granted.
@Suite("Examples in comments", .needs(.compiler)) struct ExampleTests {
  private static let layers = [
    "Platform", "ValueTree", "StoreCore", "StoreMacros", "StoreTesting", "SessionWords",
    "SessionFile", "Recorder", "SessionImports", "StoreRecording", "StoreNetworking", "Replay",
    "ReplayTesting", "ReducerHost", "RetconCommand",
  ]

  private static let imports =
    (layers + ["Testing", "Foundation"]).map { "import \($0)\n" }.joined()

  private static func errors(in examples: [Example]) async throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(
      imports + examples.map(\.code).joined(separator: "\n") + "\n", to: "Examples.swift")
    let context = "Tests/Store/SpellingTests/Examples/AppFeature.swift"
    try folder.write(
      imports + "#sourceLocation(file: \"\(context)\", line: 1)\n"
        + text(of: context), to: "AppFeature.swift")
    // An optimised build makes its own of these elsewhere.
    try folder.write(
      ["CTerminal", "CBuildInfo"].map { name in
        let header = "\(Checkout.root)/\(Checkout.folder(ofLayer: name))/include/\(name).h"
        return "module \(name) { umbrella header \"\(header)\" export * }\n"
      }.joined(), to: "module.modulemap")
    let package = Checkout.root.split(separator: "/").last ?? ""
    return try await compilerErrors(
      in: folder,
      options: [
        "-parse-as-library",
        "-package-name", String(package.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }),
        "-Xcc", "-fmodule-map-file=\(folder("module.modulemap"))",
        "-Xcc", "-fmodule-map-file=\(Checkout.root)/Modules/CNcurses/module.modulemap",
      ])
  }

  @Test("each is Swift that compiles")
  func compile() async throws {
    #expect(Self.examples.count > 90)
    let found = try await Self.errors(in: Self.examples)
    #expect(found == [])
  }

  @Test("a false one is told with its file and line")
  func aFalseOne() async throws {
    let text = """
      /// A cart.
      ///
      /// ```swift
      /// let cart: Value = ["total": 3]
      /// cart.tekst()  // {"total":3}
      /// ```
      """
    let falseOne = Example.all(in: text, of: "Sources/Session/ValueTree/Cart.swift")
    #expect(
      try await Self.errors(in: Self.examples + falseOne) == [
        "Sources/Session/ValueTree/Cart.swift:5:6: error: value of type 'Value' has no member 'tekst'"
      ])
  }

  private static let examples = layers.flatMap { files(below: Checkout.folder(ofLayer: $0)) }
    .flatMap { Example.all(in: text(of: $0), of: $0) }

  private static func files(below folder: String) -> [String] {
    namesInFolder("\(Checkout.root)/\(folder)").sorted().flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : files(below: "\(folder)/\(name)")
    }
  }

  private static func text(of path: String) -> String {
    String(decoding: TemporaryFolder.bytes(of: "\(Checkout.root)/\(path)"), as: UTF8.self)
  }
}

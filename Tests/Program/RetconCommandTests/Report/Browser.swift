import Platform
import TestSupport
import Testing
import ValueTree

/// Headless Chromium without a network, driven by `browser.mjs`.
final class Browser {
  fileprivate static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy
    .compactMap { programPath($0, in: environmentVariable("PATH")) }.first

  private let folder: TemporaryFolder
  private let process: pid_t
  private let input: Int32
  private let output: UnsafeMutablePointer<FILE>

  init() throws {
    folder = try TemporaryFolder()
    let script = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let (asked, answered) = (try #require(closingPipe()), try #require(closingPipe()))
    var start = ChildStart(
      "node",
      ["/\(script)/browser.mjs", try #require(Self.chromium), folder("profile")])
    start.files = [0: .descriptor(asked.read), 1: .descriptor(answered.write)]
    process = try start.run()
    close(asked.read)
    close(answered.write)
    input = asked.write
    output = try #require(fdopen(answered.read, "r"))
  }

  deinit {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    fclose(output)
  }

  /// Asks for one thing. The console must have said nothing, and nothing may have been requested.
  @discardableResult
  func ask(_ wish: Value, _ location: SourceLocation = #_sourceLocation) throws -> Value {
    let line = wish.bytes() + [UInt8(ascii: "\n")]
    #expect(line.withUnsafeBytes { WholeTransfer.write($0, to: input) }, sourceLocation: location)
    var answer: [UInt8] = []
    while case let byte = getc(output), byte != EOF, byte != 10 { answer.append(UInt8(byte)) }
    let value = try Value(parsing: String(decoding: answer, as: UTF8.self))
    #expect(value["notes"] == [], sourceLocation: location)
    #expect(value["error"] == nil, sourceLocation: location)
    return value["value"] ?? .null
  }

  func open(_ path: String, at place: String = "", _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let answer = try ask(["open": .string("file://\(path)\(place)")], location)
    #expect(answer == "ready", sourceLocation: location)
  }

  func run(_ expression: String, _ location: SourceLocation = #_sourceLocation) throws -> Value {
    try ask(["run": .string(expression)], location)
  }

  func press(_ keys: String..., location: SourceLocation = #_sourceLocation) throws {
    try ask(["keys": .array(ValueArray(keys.map(Value.string)))], location)
  }

  func text(of selector: String) throws -> String {
    try run("document.querySelector(\(Value.string(selector).text()))?.innerText ?? ''").string
      ?? ""
  }

  /// The place and the text of each value that a state holds, from the rows that the page has.
  func leaves(of branch: Int, at step: Int) throws -> [String] {
    let found = try run(
      """
      blockOf(\(branch), \(step)).then((block) => {
        const leaves = (row, place) => row.inner.length
          ? row.inner.flatMap((one, n) => leaves(one, place + '/' + (one.key ?? n))) : [place + ' ' + row.text];
        return block ? leaves(stateRows(block, \(step))[0], '') : [];
      })
      """)
    guard case .array(let texts) = found else { return [] }
    return texts.compactMap(\.string).sorted()
  }

  static func leaves(of value: Value, at path: String = "") -> [String] {
    switch value {
    case .object(let object) where !object.isEmpty:
      object.flatMap { leaves(of: $0.value, at: "\(path)/\($0.key)") }.sorted()
    case .array(let array) where !array.isEmpty:
      array.enumerated().flatMap { leaves(of: $1, at: "\(path)/\($0)") }.sorted()
    default: ["\(path) \(value.text())"]
    }
  }

  var step: Value { get throws { try run("document.body.dataset.step") } }
}

extension Need {
  static let chromium = Need("chromium") { Browser.chromium != nil }
}

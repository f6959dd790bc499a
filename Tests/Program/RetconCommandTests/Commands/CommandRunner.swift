import Platform
import Samples
import TerminalDriver
import Testing

@testable import RetconCommand

/// Runs command lines in this process, in a folder of its own.
final class CommandRunner: Sendable {
  private let scratch = try? ScratchFolder(in: "/tmp")
  let folder: String

  init() throws { folder = try #require(scratch).path }

  struct Answer: Equatable {
    var status: ExitCode
    var data = ""
    var messages = ""
  }

  /// In a word, `$` means the folder.
  func run(_ words: String...) async -> Answer { await run(words) }

  func run(_ words: [String]) async -> Answer {
    let data = Collected()
    let messages = Collected()
    let context = context(data: { data.add($0) }, messages: { messages.add($0) })
    let status = await RetconCommand.run(
      words.map { $0 == "$" ? folder : $0.replacing("$/", with: folder + "/") }, in: context)
    return Answer(
      status: status, data: data.text.replacing(folder, with: "$"),
      messages: messages.text.replacing(folder, with: "$"))
  }

  func context(
    data: @escaping @Sendable (String) -> Void, messages: @escaping @Sendable (String) -> Void
  ) -> CommandContext {
    CommandContext(
      program: "retcon",
      environment: ["PATH": environmentVariable("PATH") ?? ""],
      output: Output(
        data: data, messages: messages, dataIsTerminal: false, messagesAreTerminal: false,
        bytes: { bytes in
          data(String(decoding: bytes, as: UTF8.self))
          return true
        }, clock: { .zero }), ownProgram: BuiltProgram.path("retcon"))
  }

  /// A recorded demo of the counter.
  func recordCounter() async -> String {
    await CounterSample.recordDemo(to: folder + "/counter.retcon")
    return "$/counter.retcon"
  }

  func write(_ text: String, as name: String) throws -> String {
    try FileSystem.write(text, to: "\(folder)/\(name)")
    return "$/\(name)"
  }

  func text(of path: String) throws -> String {
    try Self.text(ofFile: path.replacing("$", with: folder))
  }

  static func text(ofFile path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Text that is added to from any thread.
private struct Collected: Sendable {
  private let parts = Locked<[String]>([])

  func add(_ text: String) { parts.withLock { $0.append(text) } }

  var text: String { parts.withLock { $0.joined() } }
}

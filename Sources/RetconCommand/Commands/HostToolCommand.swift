import HostProtocol

struct HostToolCommand: Command {
  static let declaration = CommandDeclaration(
    name: "host", usage: "(--write node|python [-o FILE] | --check COMMAND [SESSION])",
    summary: "write a host for another language, or try one out",
    discussion: """
      --write gives the host that runs reducers of Redux (node), or the template in Python. --check
      starts a host and asks all that a debugger may ask. With SESSION, a recording of its app, it
      also runs the reducer and makes forks. Exit status 1: something is wrong.
      """,
    options: [
      Option("write", value: "node|python", help: "write a host as a file"),
      Option(
        "output", letter: "o", value: "FILE", help: "the file to write (- for standard output)"),
      Option("check", value: "COMMAND", help: "the host to try out"),
      Option("force", letter: "f", help: "write over FILE when it exists"),
    ])

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    switch (given.value("write"), given.value("check")) {
    case (let name?, nil):
      guard let host = ShippedHost(rawValue: name), [.node, .python].contains(host) else {
        throw UsageError(what: "there is no host named \(name)", next: "There are node and python")
      }
      guard given.positionals.isEmpty else {
        throw UsageError(
          what: "--write takes no file beside its name", next: "Name the file by -o FILE")
      }
      try host.write(given, in: context)
      return .yes
    case (nil, let words?):
      guard given.positionals.count < 2 else {
        throw UsageError(what: "--check takes one session", next: "Name one")
      }
      let command = try HostCommand(option: words, from: "--check")
      let workFolder = WorkFolder(context.environment)
      let session = try given.positionals.first.map { try HostedSession($0, in: workFolder) }
      let check = HostCheck(command: command, session: session) { isRight, words in
        context.output.line("\(isRight ? "ok   " : "WRONG") \(words)")
      }
      return try await check.run() ? .yes : .no
    default:
      throw UsageError(
        what: "host needs one of --write and --check",
        next: "Write retcon host --write node, or retcon host --check COMMAND SESSION")
    }
  }

}

struct RecorderCommand: Command {
  static let declaration = CommandDeclaration(
    name: "recorder", usage: "--write [-o FILE]",
    summary: "write the recorder for stores in JavaScript",
    discussion: """
      One file without packages, for Redux, Redux Toolkit, zustand, XState and stores of your own. Its first
      lines say how to use it.
      """,
    options: [
      Option("write", help: "write retcon-recorder.mjs"),
      Option(
        "output", letter: "o", value: "FILE", help: "the file to write (- for standard output)"),
      Option("force", letter: "f", help: "write over FILE when it exists"),
    ])

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    guard given.has("write"), given.positionals.isEmpty else {
      throw UsageError(what: "recorder writes a file", next: "Write retcon recorder --write")
    }
    try ShippedHost.recorder.write(given, in: context)
    return .yes
  }
}

enum ShippedHost: String, CaseIterable, Sendable {
  case node
  case python
  /// Beside the one for node.
  case loader
  case recorder

  var fileName: String { file.name }
  var text: String {
    switch self {
    case .loader: JoinedScript.loader
    case .recorder: JoinedScript.recorder
    case .node, .python: String(decoding: file.bytes, as: UTF8.self)
    }
  }

  /// Writes it where the words say, with what it needs beside it.
  func write(_ given: ParsedArguments, in context: CommandContext) throws {
    let path = given.value("output") ?? fileName
    guard path != "-" else { return context.output.data(text) }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let loader = (folder + [Substring(Self.loader.fileName)]).joined(separator: "/")
    let files = [(path, self)] + (self == .node ? [(loader, Self.loader)] : [])
    for (file, content) in files {
      try FileSystem.write(content.text, to: file, replacing: given.has("force"))
    }
    context.tell(
      files.map(\.0).joined(separator: " and ") + (files.count > 1 ? " are" : " is") + " written.")
  }

  private var file: (name: String, bytes: [UInt8]) {
    switch self {
    case .node: ("retcon-host.mjs", PackageResources.retcon_host_mjs)
    case .loader: ("retcon-load.mjs", PackageResources.retcon_load_mjs)
    case .recorder: ("retcon-recorder.mjs", PackageResources.retcon_recorder_mjs)
    case .python: ("retcon_host.py", PackageResources.retcon_host_py)
    }
  }
}

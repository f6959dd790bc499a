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
    name: "recorder", usage: "--write [node|python] [-o FILE]",
    summary: "write the recorder for stores in JavaScript or for agents in Python",
    discussion: """
      One file without packages: for Redux, Redux Toolkit, zustand, XState and stores of your own (node), or for
      agents of LangGraph and stores of your own (python). Its first lines say how to use it.
      """,
    options: [
      Option("write", help: "write retcon-recorder.mjs, or retcon_recorder.py"),
      Option(
        "output", letter: "o", value: "FILE", help: "the file to write (- for standard output)"),
      Option("force", letter: "f", help: "write over FILE when it exists"),
    ])

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let recorder: ShippedHost? =
      switch given.positionals {
      case [], ["node"]: .recorder
      case ["python"]: .pythonRecorder
      default: nil
      }
    guard given.has("write"), let recorder else {
      throw UsageError(
        what: "recorder writes a file, for node or for python",
        next: "Write retcon recorder --write node, or --write python")
    }
    try recorder.write(given, in: context)
    return .yes
  }
}

enum ShippedHost: String, CaseIterable, Sendable {
  case node
  case python
  /// Beside the one for node.
  case loader
  case recorder
  case pythonRecorder
  /// Beside the one in Python.
  case agent
  /// Calls rules in Python.
  case pythonRules

  var fileName: String {
    switch self {
    case .node: "retcon-host.mjs"
    case .loader: "retcon-load.mjs"
    case .recorder: "retcon-recorder.mjs"
    case .python: "retcon_host.py"
    case .pythonRecorder: "retcon_recorder.py"
    case .agent: "retcon_agent.py"
    case .pythonRules: "retcon_rules.py"
    }
  }

  var text: String {
    switch self {
    case .node: String(decoding: PackageResources.retcon_host_mjs, as: UTF8.self)
    case .loader: JoinedScript.loader
    case .recorder: JoinedScript.recorder
    case .python: String(decoding: PackageResources.retcon_host_py, as: UTF8.self)
    case .pythonRecorder: JoinedScript.pythonRecorder
    case .agent: JoinedScript.agent
    case .pythonRules: String(decoding: PackageResources.retcon_rules_py, as: UTF8.self)
    }
  }

  /// The files that it needs beside it.
  var companions: [ShippedHost] {
    switch self {
    case .node: [.loader]
    case .python: [.agent, .pythonRecorder]
    default: []
    }
  }

  /// Writes it where the words say, with what it needs beside it.
  func write(_ given: ParsedArguments, in context: CommandContext) throws {
    let path = given.value("output") ?? fileName
    guard path != "-" else { return context.output.data(text) }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let files =
      [(path, self)]
      + companions.map { ((folder + [Substring($0.fileName)]).joined(separator: "/"), $0) }
    for (file, content) in files {
      try FileSystem.write(content.text, to: file, replacing: given.has("force"))
    }
    context.tell(
      files.map(\.0).joined(separator: " and ") + (files.count > 1 ? " are" : " is") + " written.")
  }
}

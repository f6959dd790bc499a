import HostProtocol
import Platform
import SessionWords
import TimeTravel

struct HostOptions: Sendable {
  var command: HostCommand?
  var reducer: ReducerFile?
  var limits = HostLimits()
  /// The parts of the host's messages to hide.
  var redaction = Redaction()
  /// Whether the host hears of a single session, which its app may run whole.
  var runsWhole = true
  /// Whether a recording of the debugger may run again. It names another session, which an agent
  /// may not read.
  var servesItself = true
  /// Which functions of the user's own may run.
  var consent = HostedCode.Consent.typed

  static let declarations = [
    Option(
      "host", value: "COMMAND", help: "the program that holds the app's reducer (or $RETCON_HOST)"),
    Option(
      "reducer", value: "FILE[#NAME]",
      help: "the reducer in JavaScript, TypeScript or Python; or a store, or an agent's graph"),
    Option(
      "state", value: "FILE", help: "the first state, if the session has none"),
    Option(
      "setup", value: "FILE", help: "runs before the reducer's file: what a page defines for it"),
    Option(
      "make", value: "CODE", help: "what makes the store in the reducer's file: 'setupStore({})'"),
    Option("mode", value: "NAME", help: "the mode that chooses .env files (development)"),
    Option(
      "with", value: "vite",
      help: "load with the project's vite: its configuration runs with your rights"),
    Option("patience", value: "SECONDS", help: "how long one step of the reducer may take (5)"),
    Option(
      "start-time", value: "SECONDS",
      help: "how long the host may take to start and to load the session (60)"),
    Option("message-limit", value: "MB", help: "how large one message of the host may be (64)"),
  ]

  /// The options as they were written, for another command.
  static func words(_ given: ParsedArguments) -> [String] {
    declarations.flatMap { option in
      given.all(option.name).flatMap { ["--\(option.name)", $0] }
    }
  }

  init(command: HostCommand? = nil) { self.command = command }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let hosts = arguments.all("host")
    guard hosts.count < 2 else {
      throw UsageError(
        what: "--host is given \(hosts.count) times, and a session has one host",
        next: "Leave out all but one")
    }
    command = try hosts.first.map { words throws(UsageError) in
      try HostCommand(option: words, from: "--host")
    }
    reducer = try ReducerFile(arguments)
    func number(_ name: String) throws(UsageError) -> Double? {
      try arguments.number(name, upTo: 86_400, such: 30)
    }
    if let seconds = try number("patience") { limits.patience = .seconds(seconds) }
    if let seconds = try number("start-time") { limits.timeToStart = .seconds(seconds) }
    if let megabytes = try number("message-limit") { limits.message = Int(megabytes * 1_048_576) }
  }

  /// The runner of the functions in conditions, which loads their files as the reducer's.
  func code(in context: CommandContext, _ workFolder: WorkFolder) -> HostedCode {
    let loading = (reducer?.options ?? []).filter { ["setup", "mode", "with"].contains($0.name) }
    var files = [reducer?.file].compactMap(\.self)
    if context.ownHost != nil { files.append(RetconCommand.ownRules) }
    if case .files(let own) = consent { files = own }
    return HostedCode(files: files, consent: consent, limits: limits) { file in
      if file == RetconCommand.ownRules, let own = context.ownHost {
        return HostCommand(own.program, [RetconCommand.rulesWord])
      }
      guard FileSystem.exists(file) else { throw Trouble("there is no file \(file)") }
      guard !file.hasSuffix(".py") else {
        let script = try workFolder.path(named: ShippedHost.pythonRules.fileName)
        if !FileSystem.exists(script) {
          try FileSystem.write(ShippedHost.pythonRules.text, to: script)
        }
        let program = Subprocess.path(of: ["python3", "python"], in: context.environment)
        return HostCommand(program ?? "python3", [script, file])
      }
      var command = try ReducerFile(file, options: loading).command(
        in: workFolder, context.environment)
      command.arguments += ["--rules", "yes"]
      return command
    }
  }

  func isNamed(in environment: [String: String]) -> Bool {
    command != nil || reducer != nil || environment["RETCON_HOST"]?.isEmpty == false
  }

  /// The host of the command line, else of the environment, else the program itself if it is an
  /// app's own debugger, else of the user's configuration. A session never names one; for a demo,
  /// the program knows the sample.
  func connection(
    in context: CommandContext, _ workFolder: WorkFolder, for file: String? = nil,
    _ configuration: Configuration? = nil
  ) throws -> HostConnection? {
    var named = try reducer?.command(in: workFolder, context.environment) ?? command
    // If it holds the world, the host runs it whole before it offers that for forks.
    if reducer?.isPython == false, runsWhole, let file { named?.arguments += ["--whole", file] }
    if named == nil, let words = context.environment["RETCON_HOST"], !words.isEmpty {
      named = try HostCommand(option: words, from: "RETCON_HOST")
    }
    named = named ?? context.ownHost
    if named == nil, let file {
      let configuration = configuration ?? Configuration(in: context.environment)
      named =
        configuration.host(ofSessionAt: file)?.command
        ?? ServeSampleCommand.host(ofDemoAt: file)
        ?? (servesItself ? ServeItselfCommand.host(ofSessionAt: file) : nil)
    }
    return named.map {
      HostConnection($0, limits: limits, redaction: redaction, engine: ThinHost.engine)
    }
  }
}

extension HostCommand {
  init(option words: String, from place: String) throws(UsageError) {
    if let hint = HostCommand.shellHint(in: words) {
      throw UsageError(
        what: "\(hint) for \(place)",
        next: "Put the command into a script, and name the script's path")
    }
    guard let command = HostCommand(words: words) else {
      throw UsageError(
        what: "\(place) is not a command: a quote is open, or it is empty",
        next: "Write \(place) as you would type the command")
    }
    self = command
  }
}

struct ReducerFile: Sendable {
  let words: String
  let file: String
  /// The options of the loader beside the file.
  let options: [(name: String, value: String)]

  /// The name behind the file.
  var export: String? { file == words ? nil : String(words.dropFirst(file.count + 1)) }

  var isPython: Bool { file.hasSuffix(".py") }

  /// For tests in JavaScript.
  var script: ReducerScript? {
    guard !isPython else { return nil }
    return ReducerScript(
      file: file, export: export,
      loader: (name: ShippedHost.loader.fileName, text: ShippedHost.loader.text),
      tested: JoinedScript.tested, options: options.filter { $0.name != "state" })
  }

  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let reducers = arguments.all("reducer")
    let options = ["state", "setup", "make", "mode", "with"].compactMap { name in
      arguments.value(name).map { (name: name, value: $0) }
    }
    guard let words = reducers.first else {
      if let (name, value) = options.first {
        throw UsageError(
          what: "--\(name) needs --reducer", next: "Write --reducer FILE.js --\(name) \(value)")
      }
      return nil
    }
    if let tool = arguments.value("with"), tool != "vite" {
      throw UsageError(what: "--with takes vite, and not \(tool)", next: "Write --with vite")
    }
    guard reducers.count == 1, !arguments.has("host") else {
      throw UsageError(
        what: "a session has one reducer, and several are named",
        next: "Leave out all of --reducer and --host but one")
    }
    try self.init(words, options: options)
  }

  init(_ words: String, options: [(name: String, value: String)]) throws(UsageError) {
    self.words = words
    self.options = options
    file = FileSystem.exists(words) ? words : String(words.prefix { $0 != "#" })
    if isPython, let (name, value) = options.first(where: { $0.name != "state" }) {
      throw UsageError(
        what: "--\(name) is for reducers in JavaScript", next: "Leave out --\(name) \(value)")
    }
    let files = [file] + options.filter { ["state", "setup"].contains($0.name) }.map(\.value)
    for path in files where !FileSystem.exists(path) {
      throw UsageError(
        what: "there is no file \(path)",
        next: "Write --reducer FILE.js, or FILE.js#NAME for an export of that name")
    }
  }

  func command(
    in workFolder: WorkFolder, _ environment: [String: String]
  ) throws -> HostCommand {
    let programs = isPython ? ["python3", "python"] : ["node"]
    guard let program = Subprocess.path(of: programs, in: environment) else {
      throw UsageError(
        what: isPython
          ? "--reducer \(file) needs Python 3.8 or newer, and there is no python3 in the PATH"
          : "--reducer needs node 18 or newer, and there is no node in the PATH",
        next:
          "Install it from \(isPython ? "python" : "nodejs").org, or name another host by --host")
    }
    let shipped = isPython ? ShippedHost.python : .node
    for file in [shipped] + shipped.companions {
      let path = try workFolder.path(named: file.fileName)
      if !FileSystem.exists(path) { try FileSystem.write(file.text, to: path) }
    }
    let host = try workFolder.path(named: shipped.fileName)
    let told = options.flatMap { ["--\($0.name)", $0.value] }
    var command = HostCommand(program, [host, words] + told)
    command.isThin = true
    return command
  }
}

import HostProtocol
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// The common part of commands that ask about a session: its file and place, the host, and the form
/// of the answer.
struct Asking: Sendable {
  var position: FilePosition
  var words: [String] = []
  var host: HostOptions
  var isJSON = false
  var range: StepRange?
  /// Functions whose values are asked for in place of the states.
  var functions: [String] = []

  static func range(_ help: String) -> Option {
    Option("range", letter: "r", value: "FIRST..LAST", help: help)
  }

  static let declarations = [
    Option("json", help: "one JSON object a line"), LineColors.option,
  ]
  static let placed =
    [Option("branch", value: "NAME", help: "the fork to look at (main)")] + HostOptions.declarations
  static let hosted = declarations + placed

  init(_ position: FilePosition, host: HostOptions) {
    (self.position, self.host) = (position, host)
  }

  init(
    _ given: ParsedArguments, _ declaration: CommandDeclaration,
    behind counts: ClosedRange<Int> = 0...0, _ name: String = ""
  ) throws {
    words = Array(given.positionals.dropFirst())
    guard let file = given.positionals.first, words.count >= counts.lowerBound else {
      throw UsageError(
        what: "\(declaration.name) needs \(given.positionals.isEmpty ? "a file" : name)",
        next: "Write retcon \(declaration.name) \(declaration.usage)")
    }
    guard words.count <= counts.upperBound else {
      throw UsageError(
        what: "\(declaration.name) takes no argument \(words[counts.upperBound])",
        next: "Quote what belongs together")
    }
    position = try FilePosition(file)
    if let branch = given.value("branch") { position.branch = branch }
    // Before a search, which may take minutes.
    if let problem = given.value("name").flatMap(SavedBranch.problem) {
      throw UsageError(what: problem, next: "Write another --name")
    }
    host = try HostOptions(given)
    isJSON = given.has("json")
    range = try given.value("range").map { try StepRange($0) }
  }

  /// A condition about the session. If the first word does not parse, the error names the probable
  /// place.
  func question(_ text: String) throws -> StepQuestion {
    do throws(QueryError) {
      return try StepQuestion(text)
    } catch {
      guard error.unknownWord != nil, FileSystem.exists(position.file),
        let reader = try? SessionArgument(file: position.file).open()
      else { throw error }
      let last = try? reader.state(after: reader.steps.upperBound)
      // Where the host computes the states, a word that they lack is reported later.
      return try StepQuestion.typed(text, in: last, isComputedLater: last == nil)
    }
  }

  /// Typed places of the state, or of the values of functions.
  mutating func places(_ texts: [String]) throws -> [Pointer] {
    functions = texts.compactMap { Condition.codePlace($0)?.tokens.first }
    guard functions.isEmpty || functions.count == texts.count else {
      throw UsageError(
        what: "places of the state and values of functions cannot be asked for at once",
        next: "Ask for one kind")
    }
    return try texts.map { try Pointer(typed: $0) }
  }

  /// The use of the session: reading states alone skips the effects, and a fork always needs the
  /// host.
  enum Purpose: Sendable, Equatable {
    case states
    case looking
    case forking(isKept: Bool)

    var forks: Bool { if case .forking = self { true } else { false } }
  }

  func ask(
    in context: CommandContext, for purpose: Purpose = .looking,
    _ answer: (QueriedSession) async throws -> ExitCode
  ) async throws -> ExitCode {
    let session = try await session(
      in: context, for: functions.isEmpty ? purpose : .looking)
    defer { session.end() }
    guard !functions.isEmpty else { return try await answer(session) }
    return try await answer(try await session.withValues(of: functions))
  }

  func session(in context: CommandContext, for purpose: Purpose) async throws -> QueriedSession {
    try await QueriedSession(self, in: context, for: purpose)
  }
}

final class QueriedSession: Sendable {
  let open: OpenSession
  let reader: SessionReader
  let branch: Branch
  let step: Int?
  let context: CommandContext
  let isJSON: Bool
  private let position: FilePosition
  private let range: StepRange?
  let host: HostConnection?
  let helpers = Locked<[HostConnection]>([])
  let makeHost: @Sendable () throws -> HostConnection?
  let hostedPath: String
  let code: HostedCode
  /// The session before the host computed its states; nil if it did not.
  private let uncomputed: HostedSession?
  /// Lives as long as the session.
  let workFolder: WorkFolder
  private let local: LocalFile

  /// Starts the host on demand: for a fork, and for states that are not in the file.
  fileprivate init(
    _ asking: Asking, in context: CommandContext, for purpose: Asking.Purpose
  ) async throws {
    let (position, options) = (asking.position, asking.host)
    (self.context, isJSON, range) = (context, asking.isJSON, asking.range)
    let workFolder = WorkFolder(context.environment)
    self.workFolder = workFolder
    let local = try LocalFile(position.file, in: context.environment)
    self.local = local
    makeHost = { try options.connection(in: context, workFolder, for: local.path) }
    var hosted = try local.read { try HostedSession($0, in: workFolder, isHosted: false) }
    var uncomputed: HostedSession?
    var host: HostConnection?
    if options.isNamed(in: context.environment) || hosted.needsStates
      || !position.isOnMain || purpose.forks
    {
      host = try makeHost()
    }
    self.host = host
    self.position = position
    if let host {
      async let start: Void = host.start()
      try hosted.convert()
      try await start
      let whole = try await hosted.withMissingStates(of: host)
      if whole.path == hosted.path {
        try await host.load(hosted.path, as: hosted.reader)
      } else {
        host.loadLater(whole.path, as: whole.reader)
        uncomputed = hosted
      }
      hosted = whole
    }
    self.uncomputed = uncomputed
    reader = hosted.reader
    hostedPath = hosted.path
    let recording = SessionRecording(
      reader, recorded: hosted.recorded, path: local.original)
    if purpose != .states { try await recording.findEffects() }
    let sidecar = Sidecar(session: local.original)
    if let notice = sidecar.notice { context.warn([notice]) }
    let code = options.code(in: context, workFolder)
    open = OpenSession(
      recording, host: host, script: options.reducer?.script, code: code,
      sidecar: sidecar, threads: nil,
      keeping: purpose != .forking(isKept: false))
    self.code = code
    step = position.step
    do {
      branch = try await open.branchThatRan(position)
    } catch {
      host?.end()
      throw error
    }
  }

  /// The same with the values of functions for states: an object by the functions' names.
  fileprivate func withValues(of names: [String]) async throws -> QueriedSession {
    guard branch.isMain else {
      throw UsageError(
        what: "the values of functions are asked for on main, and not on a fork",
        next: "Ask about the recording, or use them in a condition")
    }
    let path = try workFolder.path("values.retcon")
    try await open.writeValues(of: names, to: path)
    return QueriedSession(self, try SessionReader(path: path, shownAs: file))
  }

  private init(_ other: QueriedSession, _ reader: SessionReader) {
    self.reader = reader
    (open, branch) = (OpenSession(SessionRecording(reader)), other.branch)
    (step, context, isJSON) = (other.step, other.context, other.isJSON)
    (position, range, host, makeHost) = (other.position, other.range, nil, { nil })
    (hostedPath, code, uncomputed) = (other.hostedPath, other.code, nil)
    (workFolder, local) = (other.workFolder, other.local)
  }

  func end() {
    context.warn(code.remarks())
    code.restart()
    host?.end()
    for helper in helpers.withLock({ $0 }) { helper.end() }
  }

  /// The first step whose computed state differs in a second process; nil if each is the same.
  func firstRandomStep() async throws -> Int? {
    guard let host, let uncomputed else { return nil }
    host.restart()
    let again = try await uncomputed.withStates(of: host).reader
    return reader.steps.first { (try? reader.state(after: $0)) != (try? again.state(after: $0)) }
  }

  var here: Position { at(step ?? branch.steps.upperBound) }

  func at(_ step: Int) -> Position { Position(branch: branch.id, step: step) }

  /// The steps of the range, else the named step, else all.
  var steps: ClosedRange<Int> {
    get throws {
      if range == nil, let step { return step...step }
      let all = branch.steps
      let first = range?.first ?? all.lowerBound
      // It may end behind the last step.
      let last = min(range?.last ?? all.upperBound, all.upperBound)
      for step in [first, last] where !all.contains(step) {
        throw SessionError(.noStep(step, available: all), path: position.file)
      }
      return first...last
    }
  }

  func first(_ question: StepQuestion, in steps: ClosedRange<Int>) async throws -> Int? {
    try await open.firstStep(where: question, in: steps, of: branch.id)
  }

  func show(
    _ lines: @autoclosure () throws -> [String], json: @autoclosure () throws -> Value
  ) rethrows {
    if isJSON { return context.output.json(try json()) }
    for line in try lines() { context.show(line) }
  }

  func branchReader(in workFolder: WorkFolder) async throws -> SessionReader {
    guard !branch.isMain else { return reader }
    let path = try workFolder.path("fork.retcon")
    try await open.export(branch.id, to: path)
    return try SessionReader(path: path, shownAs: position.file)
  }

  func state(at position: Position) async throws -> Value {
    try await checkReducerLived(to: position)
    if let state = try await open.state(at: position) {
      if let words = try await open.unchangedByError(at: position),
        let (step, error) = try firstError(at: position)
      {
        context.tell("\(open.text(of: position))  \(words) (step \(step): \(error))")
      }
      return state
    }
    let summary = open.summary
    throw UsageError(
      what: "\(self.position.file) holds no state after step \(open.text(of: position))",
      next: open.hostName == nil && summary.canReplay
        ? "The app's reducer can compute it: add \(summary.hostOption)"
        : "Name another step")
  }

  /// Computed states end where the reducer did not return: do not run it into that again.
  private func checkReducerLived(to position: Position) async throws {
    guard reader.header.origin?.statesBy != nil, try await open.knownState(at: position) == nil,
      let (step, error) = try firstError(at: position)
    else { return }
    throw UsageError(
      what:
        "\(self.position.file) has no state after step \(open.text(of: position)): the reducer failed at step "
        + "\(step): \(error)",
      next: "Name step \(step - 1), the last one with a state")
  }

  /// The error of a step, or of the earlier one that kept it from running.
  private func firstError(at position: Position) throws -> (step: Int, error: String)? {
    var (number, failed) = (position.step, Step?.none)
    while branch.steps.dropFirst().contains(number) {
      let step = try open.step(at: Position(branch: position.branch, step: number)).step
      if step.error == nil { break }
      failed = step
      if !step.isNotRun { break }
      number -= 1
    }
    return failed.flatMap { step in step.error.map { (step.number, $0) } }
  }

  /// Reports a fork step's assumptions, for answers that show only values.
  func reportWorth(of position: Position) throws {
    guard position.branch != .main else { return }
    context.tell("\(open.text(of: position))  \(try worth(of: position))")
  }

  func worth(of position: Position) throws -> String {
    let standing = try open.step(at: position).standing
    return "\(standing.glyphs)  \(standing.sentence)"
  }

  var file: String { position.file }

  func text(_ step: Int) -> String { "\(position.file)@\(open.text(of: at(step)))" }
}

extension OpenSession {
  /// The branch of a place, which has run and has its step.
  func branchThatRan(_ place: FilePosition) async throws -> Branch {
    let name = place.branch
    guard let id = branches[named: name]?.id else {
      let known = branches.map(\.name)
      let main = branches[0]
      throw UsageError(
        what: "\(place.file) has no branch “\(name)”",
        next: suggestion(for: name, among: known).map { "Try \($0)" }
          ?? "It has " + known.joined(separator: ", ")
          + (name == "end" || name.first?.isNumber == true
            ? ". The place of a step is its number: FILE@\(main.steps.upperBound) is the last" : "")
      )
    }
    try await runWithParents(id)
    guard let found = branch(id) else { throw Trouble("the branch “\(name)” is gone") }
    if let step = place.step, !found.steps.contains(step) {
      throw SessionError(.noStep(step, available: found.steps), path: place.file)
    }
    return found
  }
}

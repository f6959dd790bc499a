import Debugger
import HostProtocol
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// What all commands that ask a session something have in common: its file and a place in it, the host
/// for what only a reducer knows, and how the answer is written.
struct Asking: Sendable {
  let position: FilePosition
  /// What stands on the command line behind the file.
  let words: [String]
  let host: HostOptions
  let isJSON: Bool
  /// The steps that are asked about, of commands that take some.
  let range: StepRange?

  static func range(_ help: String) -> OptionDeclaration {
    OptionDeclaration("range", letter: "r", value: "FIRST..LAST", help: help)
  }

  static let declarations = [OptionDeclaration("json", help: "one JSON object a line")]
  static let hosted =
    declarations + [OptionDeclaration("branch", value: "NAME", help: "the fork to look at (main)")]
    + HostOptions.declarations

  /// `names` are what has to stand behind the file, for messages; the last one may come more than once
  /// where it ends with `…`.
  init(
    _ arguments: ParsedArguments, _ declaration: CommandDeclaration, behind names: [String] = []
  ) throws {
    let given = arguments.positionals
    guard let file = given.first else {
      throw UsageError(
        what: "\(declaration.name) needs a file",
        next: "Write retcon \(declaration.name) \(declaration.usage)")
    }
    let isOpenEnded = names.last?.hasSuffix("…") == true
    guard given.count > names.count else {
      throw UsageError(
        what: "\(declaration.name) needs \(names[given.count - 1].replacing("…", with: ""))",
        next: "Write retcon \(declaration.name) \(declaration.usage)")
    }
    guard isOpenEnded || given.count == names.count + 1 else {
      throw UsageError(
        what: "\(declaration.name) does not know what to do with \(given[names.count + 1])",
        next: "Quote what belongs together")
    }
    var position = try FilePosition(file)
    if let branch = arguments.value("branch") { position.branch = branch }
    self.position = position
    words = Array(given.dropFirst())
    host = try HostOptions(arguments)
    isJSON = arguments.has("json")
    range = try arguments.value("range").map { try StepRange($0) }
  }

  /// A condition about the session. Of a first word that is none, the place of the state is named that was
  /// probably meant.
  func question(_ text: String) throws -> StepQuestion {
    do throws(QueryError) {
      return try StepQuestion(text)
    } catch {
      var error = error
      if let word = error.unknownWord, FileSystem.exists(position.file),
        let reader = try? SessionArgument(file: position.file).open(),
        let last = try? reader.state(after: reader.steps.upperBound),
        case .object(let state) = last,
        case let names = Condition.words + state.map(\.key),
        let near = suggestion(for: word, among: names), !Condition.words.contains(near)
      {
        error.hint = "Did you mean “state.\(near)”?"
      }
      throw error
    }
  }

  /// What somebody wants of the session. For states alone no line is read for its effects; to run a fork
  /// needs the host in any case.
  enum Purpose: Sendable, Equatable {
    case states
    case looking
    case forking(isKept: Bool)

    var forks: Bool { if case .forking = self { true } else { false } }
  }

  /// Opens the session for the time of an answer.
  func ask(
    in context: CommandContext, for purpose: Purpose = .looking,
    _ answer: (AskedSession) async throws -> ExitCode
  ) async throws -> ExitCode {
    let session = try await AskedSession(position, host, in: context, for: purpose)
    defer { session.end() }
    return try await answer(session)
  }
}

/// A session that somebody asks about, with its marks and forks.
final class AskedSession: Sendable {
  let open: OpenSession
  let reader: SessionReader
  let branch: Branch
  /// The step that was named.
  let step: Int?
  private let position: FilePosition
  let host: HostConnection?
  /// Further hosts with the same session.
  let helpers = Locked<[HostConnection]>([])
  let makeHost: @Sendable () throws -> HostConnection?
  /// The file that hosts are given.
  let hostedPath: String
  private let local: LocalFile

  /// The host is started where it is needed: for a fork, and for states that the file does not hold.
  init(
    _ position: FilePosition, _ options: HostOptions, in context: CommandContext,
    for purpose: Asking.Purpose = .looking
  ) async throws {
    let workshop = Workshop(context.environment)
    let local = try LocalFile(position.file, in: context.environment)
    self.local = local
    makeHost = { try options.connection(in: context, workshop, for: local.path) }
    var hosted = try HostedSession(local.path, in: workshop)
    var host: HostConnection?
    if options.isNamed(in: context.environment) || hosted.needsStates
      || position.branch != Branch.main || purpose.forks
    {
      host = try makeHost()
    }
    self.host = host
    self.position = position
    if let host {
      if hosted.needsStates { hosted = try await hosted.withStates(of: host) }
      _ = try await host.load(hosted.path, as: hosted.reader)
    }
    reader = hosted.reader
    hostedPath = hosted.path
    let recording = SessionRecording(reader)
    if purpose != .states { try await recording.findEffects() }
    open = OpenSession(
      recording, host: host, sidecar: Sidecar(session: local.original), threads: nil,
      keeping: purpose != .forking(isKept: false))
    do {
      let branch = try await open.branchThatRan(position.branch, in: position.file)
      if let step = position.step, !branch.steps.contains(step) {
        throw SessionError(.noStep(step, available: branch.steps), path: position.file)
      }
      (self.branch, step) = (branch, position.step)
    } catch {
      host?.end()
      throw error
    }
  }

  func end() {
    host?.end()
    for helper in helpers.withLock({ $0 }) { helper.end() }
  }

  private func noStep(_ step: Int) -> SessionError {
    SessionError(.noStep(step, available: branch.steps), path: position.file)
  }

  /// The place that was named, the last step where none was.
  var here: Position { at(step ?? branch.steps.upperBound) }

  func at(_ step: Int) -> Position { Position(branch: branch.name, step: step) }

  /// The steps of a range of the command line, all of them where there is none.
  func steps(_ range: StepRange?) throws -> ClosedRange<Int> {
    if range == nil, let step { return step...step }
    let all = branch.steps
    let wanted = (range?.first ?? all.lowerBound, range?.last ?? all.upperBound)
    guard all.contains(wanted.0) else { throw noStep(wanted.0) }
    guard all.contains(wanted.1) else { throw noStep(wanted.1) }
    return wanted.0...wanted.1
  }

  /// The state after a step; where none is known, the reason.
  func state(at position: Position) async throws -> Value {
    if let state = try await open.state(at: position) { return state }
    let summary = open.summary
    throw UsageError(
      what: "\(self.position.file) holds no state after step \(position.text)",
      next: open.hostName == nil && summary.canReplay
        ? "The app's reducer can compute it: add \(summary.hostOption)"
        : "Name another step")
  }

  /// What a step of a fork rests on, for answers that are nothing but values.
  func tellWorth(of position: Position, _ context: CommandContext) throws {
    guard position.branch != Branch.main else { return }
    try context.tell("\(position.text)  \(worth(of: position))")
  }

  func worth(of position: Position) throws -> String {
    let standing = try open.step(at: position).standing
    return "\(standing.glyphs)  \(standing.sentence)"
  }

  /// `FILE@12`, to name a step in another command.
  func text(_ step: Int) -> String { "\(position.file)@\(at(step).text)" }
}

extension OpenSession {
  /// A branch, run where nobody has done so yet, after those that it leaves.
  func branchThatRan(_ name: String, in file: String) async throws -> Branch {
    guard branch(name) != nil else {
      let known = branches.map(\.name)
      throw UsageError(
        what: "\(file) has no branch “\(name)”",
        next: suggestion(for: name, among: known).map { "Try \($0)" }
          ?? "It has " + known.joined(separator: ", "))
    }
    var path: [Branch] = []
    while let branch = branch(path.last?.script?.parent ?? name), !branch.isMain,
      path.count < branches.count
    {
      path.append(branch)
    }
    for branch in path.reversed() where branch.isNotRun {
      for await _ in try runFork(branch.name) {}
    }
    return try branch(name) ?? { throw Trouble("the branch “\(name)” is gone") }()
  }
}

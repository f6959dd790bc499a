import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

@testable import Replay

/// An app with a navigation stack and something presented over it: the store makes ids in both.
struct Navigation: Reducer {
  struct Page: Reducer {
    struct State: Codable, Hashable, Sendable { var title: String }
    enum Action: Codable, Hashable, Sendable {
      case rename(String)
      case load
      case loaded(String)
    }

    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .rename(let title), .loaded(let title): state.title = title
      case .load:
        return .run(name: "load") { [clock, title = state.title] send in
          try await clock.sleep(for: .seconds(1))
          await send(.loaded("\(title)!"))
        }
      }
      return .none
    }
  }

  /// A presented note has an id from the app: two notes one after another differ.
  struct Note: Reducer {
    struct State: Codable, Hashable, Sendable, Identifiable {
      var id: Int
      var text = ""
    }
    enum Action: Codable, Hashable, Sendable {
      case wait
      case waited
    }

    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .wait:
        return .run(name: "wait") { [clock] send in
          try await clock.sleep(for: .seconds(1))
          await send(.waited)
        }
      case .waited: state.text = "waited"
      }
      return .none
    }
  }

  struct State: Codable, Equatable, Sendable {
    var path = StackState<Page.State>()
    @PresentationState var note: Note.State?
    var count = 0

    /// `#0 a, #1 b`
    var shown: String {
      zip(path.ids, path).map { "\($0) \($1.title)" }.joined(separator: ", ")
    }
  }

  enum Action: Codable, Equatable, CasePathable, Sendable {
    case open(String)
    case replace([String])
    case count
    case path(StackActionOf<Page>)
    case present(Int)
    case note(PresentationAction<Note.Action>)

    struct AllCasePaths: Sendable {
      let path = CasePath(Action.path)
      let note = CasePath(Action.note)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open(let title): state.path.append(Page.State(title: title))
      case .replace(let titles): state.path = StackState(titles.map(Page.State.init))
      case .count: state.count += 1
      case .present(let id): state.note = Note.State(id: id)
      case .path, .note: break
      }
      return .none
    }
    .ifLet(\.$note, action: \.note) { Note() }
    .forEach(\.path, action: \.path) { Page() }
  }

  static func rename(_ id: Int, _ title: String) -> Action {
    .path(.element(id: StackElementID(id), action: .rename(title)))
  }

  static func load(_ id: Int) -> Action {
    .path(.element(id: StackElementID(id), action: .load))
  }
}

/// A recorded ``Navigation``, ready to be forked.
struct RecordedNavigation {
  let session: SessionReader
  let replay: SessionReplay
  private let file: TemporaryFile

  /// With `stackIDs` off it is recorded as an older recorder did, which did not tell them.
  init(_ doing: [Doing<Navigation.Action>], stackIDs: Bool = true) async throws {
    (session, _, file) = try await record(
      Navigation(), from: Navigation.State(), doing, RecordingWays(tapesBuiltIns: stackIDs)
    ) { values, _ in values.issueReporter = IssueReporter { _ in } }
    replay = try SessionReplay(
      session, ReplaySetup(Navigation()) { $0.issueReporter = IssueReporter { _ in } })
  }

  /// A branch as text, and what its stack shows in the end.
  func run(
    _ scripts: [Script]
  ) throws -> (lines: [String], shown: String, state: Navigation.State, report: BranchReport) {
    var lines: [String] = []
    let report = try replay.run(scripts) { lines.append($0.line) }
    let value = try replay.state(of: scripts, after: report.lastStep)
    let state = try ValueDecoder().decode(Navigation.State.self, from: value)
    return (lines, state.shown, state, report)
  }

  func run(
    leavesAt: Int, _ edits: Edit...
  ) throws -> (lines: [String], shown: String, state: Navigation.State, report: BranchReport) {
    try run([Script(leavesAt: leavesAt, edits: edits)])
  }
}

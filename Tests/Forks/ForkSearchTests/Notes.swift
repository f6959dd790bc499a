import Recorder
import Samples
import SessionFile
import StoreCore
import TestSupport
import TimeTravel
import ValueTree

@testable import ForkSearch
@testable import Replay

/// A small app with answers that can come at any time, most of whose races do harm.
struct Notes: Reducer {
  struct State: Codable, Equatable, Sendable {
    var text = ""
    var saved = ""
    var isOpen = false
    var pages: [String] = []
    var likes = 0
    var flips: [Bool] = []
    var last = ""
    var parts = [Bool](repeating: false, count: 8)
  }

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case save
    case saved(String)
    case open
    case close
    case loaded(String)
    case like
    case liked
    case flip
    case look
    case fetch(Int)
    case fetched(Int)
  }

  @Dependency(\.notes) var client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let text): state.text = text
    case .save:
      return .run(name: "save") { [client, text = state.text] send in
        await send(.saved(await client.work(text, 400)))
      }
    case .saved(let text):
      state.saved = text
      state.last = "saved"
    case .open:
      state.isOpen = true
      return .run(name: "load") { [client] send in
        await send(.loaded(await client.work("page", 300)))
      }
    case .close:
      state.isOpen = false
      state.pages = []
    case .loaded(let page): state.pages.append(page)
    case .like:
      return .run(name: "like") { [client] send in
        _ = await client.work("like", 200)
        await send(.liked)
      }
    case .liked:
      state.likes += 1
      state.last = "liked"
    case .flip: state.flips.append(client.flip())
    case .look: break
    case .fetch(let part):
      return .run(name: "fetch") { [client] send in
        _ = await client.work("part \(part)", 350)
        await send(.fetched(part))
      }
    case .fetched(let part): state.parts[part] = true
    }
    return .none
  }
}

struct NotesClient: Sendable, DependencyKey {
  var work: @Sendable (_ text: String, _ time: Int) async -> String
  var flip: @Sendable () -> Bool

  static var liveValue: NotesClient {
    NotesClient { text, time in
      @Dependency(\.continuousClock) var clock
      try? await clock.sleep(for: .milliseconds(time))
      return text
    } flip: {
      true
    }
  }
}

extension DependencyValues {
  var notes: NotesClient {
    get { self[NotesClient.self] }
    set { self[NotesClient.self] = newValue }
  }
}

enum NotesSample: Sample {
  static let name = "notes"
  static let title = "Notes"
  static func app() -> Notes { Notes() }
  static func initialState() -> Notes.State { Notes.State() }
  static func demo() -> [DemoMove<Notes.Action>] { [] }

  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.notes.work = tape.closure("work", dependencies.notes.work)
    dependencies.notes.flip = tape.closure("flip", dependencies.notes.flip)
  }

  /// A session of these moves, each after so many milliseconds, and a search in it: from where the
  /// condition holds first, or of the whole session where it never does.
  static func search(
    _ moves: [(Int, Notes.Action)], for condition: String, in folder: TemporaryFolder
  ) async throws -> HostTrials {
    let path = folder("notes-\(folder.names.count).retcon")
    await record(moves.map { DemoMove(after: .milliseconds($0.0), $0.1) }, to: path)
    let reader = try SessionReader(path: path)
    let host = try MemoryHost(
      reader, ReplaySetup(app()) { putDependenciesOnTape(&$0, Tape()) })
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    let open = OpenSession(recording, host: host)
    let question = try StepQuestion(condition)
    let last = try await open.firstStep(where: question, in: reader.steps, of: .main)
    return try HostTrials(
      try SearchedSession(
        open, upTo: last ?? reader.steps.upperBound, happens: last != nil), .holds(question),
      on: [host])
  }
}

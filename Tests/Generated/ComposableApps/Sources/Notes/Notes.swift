import ComposableArchitecture
import ComposableRecording
import Foundation

/// Notes with an editor as a sheet. It counts edits in a shared value, and asks a server that can fail.
struct Notes: ComposableArchitecture.Reducer {
  struct Note: Codable, Equatable, Sendable {
    var id: UUID
    var text: String
    var edited: Date
    var tags: Set<String> = []
  }

  struct Settings: Codable, Equatable, Sendable {
    var name = ""
    var size = 12
  }

  enum Problem: Error, Codable, Equatable, Sendable {
    case offline
    case refused(reason: String)
  }

  struct State: Codable, Equatable, Sendable {
    var notes: [Note] = []
    @Shared(.inMemory("edits")) var edits = 0
    @Shared(.inMemory("settings")) var settings = Settings()
    @PresentationState var editor: Editor.State?
    var isLoading = false
    var problem: Problem?
    var counts: [String: Int] = [:]
    var pages = StackState<Page>()
  }

  struct Page: Codable, Equatable, Sendable {
    var title: String
    var visits = 0
  }

  enum PageAction: Codable, Equatable, Sendable { case visited }

  enum Action: Codable, Equatable, Sendable {
    case newTapped
    case noteTapped(Int)
    case deleteTapped(Int)
    case editor(PresentationAction<Editor.Action>)
    case loadTapped
    case loaded([String])
    case failed(Problem)
    case larger
    case syncTapped
    case synced(count: Int)
    case pushed(String)
    case pages(StackAction<Page, PageAction>)
  }

  enum CancelID { case load }

  @Dependency(\.uuid) private var uuid
  @Dependency(\.date) private var date
  @Dependency(\.continuousClock) private var clock

  func _reduce(into state: inout State, action: Action) -> ComposableArchitecture.Effect<Action> {
    switch action {
    case .newTapped:
      let note = Note(id: uuid(), text: "", edited: date.now)
      state.editor = Editor.State(note: note, size: state.$settings.size)
    case .noteTapped(let index):
      guard state.notes.indices.contains(index) else { break }
      state.editor = Editor.State(note: state.notes[index], size: state.$settings.size)
    case .deleteTapped(let index):
      guard state.notes.indices.contains(index) else { break }
      for tag in state.notes.remove(at: index).tags { state.counts[tag, default: 1] -= 1 }
      if Mistake.now == 1, !state.notes.isEmpty { state.notes.removeLast() }
    case .editor(.presented(let action)):
      guard let editor = state.editor else { break }
      var changed = editor
      let effect = Editor()._reduce(into: &changed, action: action)
      state.editor = changed
      if case .delegate(.saved(let note)) = action { save(note, in: &state) }
      return effect.map { .editor(.presented($0)) }
    case .editor(.dismiss):
      if Mistake.now != 2 { state.editor = nil }
    case .loadTapped:
      state.isLoading = Mistake.now != 3
      state.problem = nil
      return .run(name: "load") { [clock, count = state.notes.count] send in
        try await clock.sleep(for: .milliseconds(5))
        await send(
          count % 3 == 2
            ? .failed(.refused(reason: "too many")) : .loaded(["milk", "tea “\(count)”"]))
      }
      .cancellable(id: CancelID.load, cancelInFlight: true)
    case .loaded(let texts):
      state.isLoading = false
      state.notes += texts.map { Note(id: uuid(), text: $0, edited: date.now, tags: ["server"]) }
      state.counts["server", default: 0] += Mistake.now == 4 ? 1 : texts.count
    case .failed(let problem):
      state.isLoading = false
      if Mistake.now != 5 { state.problem = problem }
    case .larger: state.$settings.withLock { $0.size += Mistake.now == 6 ? 2 : 1 }
    case .syncTapped:
      return .run(name: "sync") { [clock, edits = state.$edits] send in
        try await clock.sleep(for: .milliseconds(2))
        await MainActor.run { edits.withLock { $0 += 100 } }
        await send(.synced(count: edits.wrappedValue))
      }
    case .synced(let count):
      state.counts["synced"] = count
      if Mistake.now == 7 { state.$edits.withLock { $0 = 0 } }
    case .pushed(let title): state.pages.append(Page(title: title))
    case .pages(.element(let id, .visited)):
      state.pages[id: id]?.visits += Mistake.now == 23 ? 2 : 1
    case .pages(.popFrom(let id)): state.pages[id: id] = nil
    case .pages: break
    }
    return .none
  }

  private func save(_ note: Note, in state: inout State) {
    if let index = state.notes.firstIndex(where: { $0.id == note.id }) {
      state.notes[index] = note
    } else {
      state.notes.append(note)
    }
    if Mistake.now != 8 { state.$edits.withLock { $0 += 1 } }
    state.editor = nil
  }
}

struct Editor: ComposableArchitecture.Reducer {
  struct State: Codable, Equatable, Sendable {
    var note: Notes.Note
    @Shared(.inMemory("edits")) var edits = 0
    @Shared var size: Int
  }

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case tagged(String)
    case biggerTapped
    case saveTapped
    case delegate(Delegate)

    enum Delegate: Codable, Equatable, Sendable {
      case saved(Notes.Note)
    }
  }

  @Dependency(\.date) private var date

  func _reduce(into state: inout State, action: Action) -> ComposableArchitecture.Effect<Action> {
    switch action {
    case .typed(let text): state.note.text += text
    case .tagged(let tag): state.note.tags.insert(tag)
    case .biggerTapped: state.$size.withLock { $0 += Mistake.now == 9 ? 1 : 4 }
    case .saveTapped:
      state.note.edited = date.now
      if Mistake.now == 10 { return .none }
      return .send(.delegate(.saved(state.note)))
    case .delegate: break
    }
    return .none
  }
}

/// The planted mistake of this run; 0 without one.
enum Mistake {
  static let now = Int(ProcessInfo.processInfo.environment["RETCON_CHANGE"] ?? "") ?? 0
}

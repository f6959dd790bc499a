import SessionLog

/// An app with a store of its own, which tells a recorder what happens.
struct Notes: Codable, Sendable {
  var texts: [String] = []
  var isSaved = true
}

enum NotesAction: Codable, Sendable {
  case added(String)
  case saveTapped
  case saved
}

/// The store: forty lines that an app may have written long ago, and three that record it.
actor NotesStore {
  private(set) var state = Notes()
  private let recorder: SessionRecorder<Notes, NotesAction>
  private var steps = 0
  private var effects = 0

  init(recorder: SessionRecorder<Notes, NotesAction>) {
    self.recorder = recorder
    recorder.start(with: state)
  }

  func send(_ action: NotesAction, cause: Cause = .user) async {
    steps += 1
    let step = steps
    var next: NotesAction?
    recorder.step(number: step, action, cause: cause) {
      next = reduce(action)
      return state
    }
    if let next { await run(next, startedBy: step) }
  }

  private func reduce(_ action: NotesAction) -> NotesAction? {
    switch action {
    case .added(let text):
      state.texts.append(text)
      state.isSaved = false
    case .saveTapped:
      return .saved
    case .saved:
      state.isSaved = true
    }
    return nil
  }

  /// The only effect of this app: it waits for the disk, and says that the notes are saved.
  private func run(_ next: NotesAction, startedBy step: Int) async {
    effects += 1
    let effect = EffectID(effects)
    let origin = EffectOrigin(step: step, name: "save", file: #fileID, line: #line)
    recorder.effectChanged(effect, .started(origin))
    await recorder.effect(effect) { await Task.yield() }
    await send(next, cause: .effect(effect))
    recorder.effectChanged(effect, .finished)
  }
}

@main struct NotesApp {
  static func main() async {
    let path = CommandLine.arguments.dropFirst().first ?? "notes.retcon"
    let recorder = SessionRecorder<Notes, NotesAction>(to: path, knowsCauses: true)
    let store = NotesStore(recorder: recorder)
    await store.send(.added("milk"))
    await store.send(.saveTapped)
    recorder.finish()
    print("Recorded in \(path)")
  }
}

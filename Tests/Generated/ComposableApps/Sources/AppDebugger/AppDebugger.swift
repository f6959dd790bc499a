import ComposableArchitecture
import ComposableRecording
import ReducerHost
import Replay
import SessionLog

@testable import Basket
@testable import Kitchen
@testable import Notes

/// `AppDebugger record APP SEED FILE` records what a random user does. `AppDebugger serve APP` is the app's host.
@main struct AppDebugger {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { return print("AppDebugger record APP SEED FILE | serve APP") }
    if words[0] == "serve" { return serve(words[1]) }
    var user = User(state: UInt64(words[2]) ?? 0)
    switch words[1] {
    case "Notes": await user.record(Notes(), Notes.State(), words[3]) { $1.notesMove($0) }
    case "Basket": await user.record(Basket(), Basket.State(), words[3]) { $1.basketMove($0) }
    default: await user.record(Kitchen(), Kitchen.State(), words[3]) { $1.kitchenMove($0) }
    }
  }

  static func serve(_ app: String) {
    switch app {
    case "Notes": ReducerHost.serve(ReplaySetup(Hosted(Notes())))
    case "Basket": ReducerHost.serve(ReplaySetup(Hosted(Basket())))
    default: ReducerHost.serve(ReplaySetup(Hosted(Kitchen())))
    }
  }
}

/// A random user, the same one for the same seed.
struct User: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func one(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Waits for some answers, and taps into others.
  @MainActor mutating func record<App: ComposableArchitecture.Reducer>(
    _ app: App, _ state: App.State, _ path: String, _ move: (App.State, inout User) -> App.Action
  ) async where App.State: Codable & Sendable, App.Action: Codable & Sendable {
    let recorder = SessionRecorder<App.State, App.Action>(to: path, knowsCauses: true)
    let store = Store(initialState: state) { app.recorded(by: recorder) }
    let waits = one(4) > 0
    var tasks: [StoreTask] = []
    for _ in 0..<(12 + one(20)) {
      let task = store.send(move(store.withState { $0 }, &self))
      if one(3) > 0 { await task.finish() } else { tasks.append(task) }
    }
    if waits { for task in tasks { await task.finish() } }
    recorder.finish()
  }
}

extension User {
  mutating func notesMove(_ state: Notes.State) -> Notes.Action {
    if state.editor != nil {
      switch one(8) {
      case 0: return .editor(.presented(.typed("a\(one(9)) ")))
      case 1: return .editor(.presented(.tagged(["red", "b\"lue"][one(2)])))
      case 2: return .editor(.presented(.biggerTapped))
      case 3: return .editor(.dismiss)
      case 4: return .syncTapped
      case 5:
        // The view changes it by itself.
        state.$settings.withLock { $0.name += "x" }
        return .editor(.presented(.typed("…")))
      default: return .editor(.presented(.saveTapped))
      }
    }
    let ids = state.pages.ids
    switch one(13) {
    case 5, 7: return .pushed("p\(one(5))")
    case 6 where !ids.isEmpty, 8 where !ids.isEmpty:
      return .pages(.element(id: ids[one(ids.count)], action: .visited))
    case 9 where !ids.isEmpty: return .pages(.popFrom(id: ids[ids.count - 1]))
    case 0: return .loadTapped
    case 1: return .larger
    case 2: return .deleteTapped(one(3))
    case 3: return .syncTapped
    case 4: return .noteTapped(one(max(1, state.notes.count)))
    default: return .newTapped
    }
  }

  mutating func basketMove(_ state: Basket.State) -> Basket.Action {
    if state.offer != nil, one(2) == 0 {
      return .offer([.presented(.accepted), .presented(.declined), .dismiss][one(3)])
    }
    let ids = Array(state.rows.ids)
    switch one(9) {
    case 0 where !ids.isEmpty: return .rowTapped(id: ids[one(ids.count)])
    case 1 where !ids.isEmpty:
      return .row(.element(id: ids[one(ids.count)], action: [.more, .less][one(2)]))
    case 2: return .removeFirstTapped
    case 3: return .binding(.set(\.coupon, ["half", "none", ""][one(3)]))
    case 4: return .offerTapped
    case 5: return .checkOut
    default: return .addTapped(["pen", "ink", "cup"][one(3)])
    }
  }

  mutating func kitchenMove(_ state: Kitchen.State) -> Kitchen.Action {
    let ids = state.path.ids
    switch one(8) {
    case 0: return .resetTapped
    case 1: return .pushed("soup")
    case 2 where !ids.isEmpty: return .path(.element(id: ids[one(ids.count)], action: .visited))
    case 3 where !ids.isEmpty: return .path(.element(id: ids[ids.count - 1], action: .deeper))
    case 4 where !ids.isEmpty: return .path(.popFrom(id: ids[ids.count - 1]))
    default: return .toggled(one(2) == 0 ? .first : .second)
    }
  }
}

import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

/// Reads watched places at every step in the background, once for each branch in view, and again
/// when it grows.
struct Watch: Reducer {
  struct State: Sendable, Equatable {
    fileprivate(set) var places: [ValuePath] = []
    fileprivate(set) var series: [WatchSeries] = []
  }

  enum Action: Sendable, Equatable {
    case turned(ValuePath)
    case looked(at: [Branch], from: Int)
    case found(WatchSeries.ID, WatchBatch)
    case ended(WatchSeries.ID, failure: String?)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .turned(let place):
      if let index = state.places.firstIndex(of: place) {
        state.places.remove(at: index)
      } else {
        state.places.append(place)
      }
    case .looked(let branches, let start): return renew(&state, branches, from: start)
    case .found(let id, let batch): state.change(id) { $0.add(batch) }
    case .ended(let id, _): state.change(id) { $0.isRunning = false }
    }
    return .none
  }

  private func renew(
    _ state: inout State, _ branches: [Branch], from start: Int
  ) -> Effect<Action> {
    var effects: [Effect<Action>] = []
    for series in state.series where !state.isCurrent(series, branches) {
      if series.isRunning { effects.append(.cancel(id: series.id)) }
      state.series.removeAll { $0.id == series.id }
    }
    for branch in branches {
      for place in state.places { effects.append(renew(&state, place, of: branch, from: start)) }
    }
    return .merge(effects)
  }

  private func renew(
    _ state: inout State, _ place: ValuePath, of branch: Branch, from start: Int
  ) -> Effect<Action> {
    let id = WatchSeries.ID(path: place, branch: branch.id)
    guard let series = state.series.first(where: { $0.id == id }) else {
      let series = WatchSeries(place, of: branch, from: start)
      state.series.append(series)
      return look(series, series.parts)
    }
    let last = series.steps.upperBound
    guard !series.isRunning, branch.steps.upperBound > last else { return .none }
    state.change(id) {
      $0.grow(to: branch.steps.upperBound)
      $0.isRunning = true
    }
    return look(series, [last + 1...branch.steps.upperBound])
  }

  private func look(_ series: WatchSeries, _ parts: [ClosedRange<Int>]) -> Effect<Action> {
    let id = series.id
    return .doing("watch", orSend: { .ended(id, failure: $0) }) { session, send in
      try await session.watch(id.path.pointer, on: id.branch, in: parts) {
        await send(.found(id, $0))
      }
      await send(.ended(id, failure: nil))
    }.cancellable(id: id, cancelInFlight: true)
  }
}

extension Watch.State {
  func isCurrent(for branches: [Branch]) -> Bool {
    series.allSatisfy { isCurrent($0, branches) }
      && branches.allSatisfy { branch in
        let own = series.filter { $0.branch == branch.id }
        return own.count == places.count
          && own.allSatisfy { $0.isRunning || $0.steps.upperBound >= branch.steps.upperBound }
      }
  }

  fileprivate func isCurrent(_ series: WatchSeries, _ branches: [Branch]) -> Bool {
    places.contains(series.path)
      && branches.contains {
        series.branch == $0.id && series.run == $0.run
          && series.steps.upperBound <= $0.steps.upperBound
      }
  }

  fileprivate mutating func change(
    _ id: WatchSeries.ID, _ change: (inout WatchSeries) -> Void
  ) {
    guard let index = series.firstIndex(where: { $0.id == id }) else { return }
    change(&series[index])
  }
}

struct Watched: Sendable, Hashable {
  var path: ValuePath
  var since: Int?
  /// The value of a function, which no state holds.
  var words: String?
}

extension DebuggerState {
  var shownSeries: [WatchSeries] { watch.series.filter { $0.branch == here.branch } }

  var watchedNow: [Watched] {
    watch.places.map { path in
      let series = shownSeries.first { $0.path == path }
      var watched = Watched(path: path, since: series?.lastChange(at: here.step))
      if path.pointer.codeName != nil {
        watched.words = series?.value(at: here.step)?.words(in: 40) ?? "…"
      }
      return watched
    }
  }
}

extension DebuggerUpdate {
  /// Reads the branch in view; beside a fork, the recording too.
  mutating func renewWatch() {
    let branches = state.branch.isMain ? [state.branch] : [state.branch, state.branches[0]]
    guard !state.watch.isCurrent(for: branches) else { return }
    send(.watch(.looked(at: branches, from: state.travel.listTop)))
  }

  mutating func toggleWatch() {
    guard [.diff, .state, .watch, .compare].contains(state.pane), let path = state.view.row?.path
    else { return say("Only parts of the state can be watched.") }
    let isWatched = state.watch.places.contains(path)
    send(.watch(.turned(path)))
    say(
      isWatched
        ? "\(path.text) is no longer watched."
        : "\(path.isRoot ? "The state" : path.text) is watched: see Watch.")
  }

  /// `:watch cart.total`; a place as in a condition.
  mutating func watch(_ text: String) {
    guard !text.isEmpty else {
      return say(
        "Write :watch PATH, as in :watch cart.total; "
          + "\(self.state.key("w")) watches what is under the cursor.")
    }
    if text == "off" {
      for place in state.watch.places { send(.watch(.turned(place))) }
      return say("Nothing is watched.")
    }
    if let place = Condition.codePlace(text) {
      send(.watch(.turned(ValuePath(place, in: .null))))
      return say("\(text) is watched: see Watch.")
    }
    let value = state.moment?.state ?? .null
    guard var watched = TypedPlace.path(text, in: value) else {
      return say("“\(text)” is not a path in the state. Example: cart.items[0].total.", .warning)
    }
    // Of a list, the length is drawn.
    if let measured = value.length(at: watched.pointer) {
      watched = ValuePath(measured.of, in: value)
    } else if let words = TypedPlace.suggestion(for: text, in: value) {
      return say(words, .warning)
    }
    if !state.watch.places.contains(watched) { send(.watch(.turned(watched))) }
    let isHere = value == .null || watched.value(in: value) != nil
    say("\(watched.text) is watched\(isHere ? "" : "; this state does not have it"): see Watch.")
  }
}

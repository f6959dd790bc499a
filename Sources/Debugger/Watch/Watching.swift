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
    case looked(at: Branch, from: Int)
    case found(ValuePath, WatchBatch)
    case ended(ValuePath, failure: String?)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .turned(let place):
      if let index = state.places.firstIndex(of: place) {
        state.places.remove(at: index)
      } else {
        state.places.append(place)
      }
    case .looked(let branch, let start): return renew(&state, branch, from: start)
    case .found(let path, let batch): state.change(path) { $0.add(batch) }
    case .ended(let path, _): state.change(path) { $0.isRunning = false }
    }
    return .none
  }

  private func renew(_ state: inout State, _ branch: Branch, from start: Int) -> Effect<Action> {
    var effects: [Effect<Action>] = []
    for series in state.series where !state.keeps(series, branch) {
      if series.isRunning { effects.append(.cancel(id: series.path)) }
      state.series.removeAll { $0.path == series.path }
    }
    for place in state.places {
      guard let series = state.series.first(where: { $0.path == place }) else {
        let series = WatchSeries(place, of: branch, from: start)
        state.series.append(series)
        effects.append(look(series, series.parts))
        continue
      }
      let last = series.steps.upperBound
      guard !series.isRunning, branch.steps.upperBound > last else { continue }
      state.change(place) {
        $0.grow(to: branch.steps.upperBound)
        $0.isRunning = true
      }
      effects.append(look(series, [last + 1...branch.steps.upperBound]))
    }
    return .merge(effects)
  }

  private func look(_ series: WatchSeries, _ parts: [ClosedRange<Int>]) -> Effect<Action> {
    let path = series.path
    return .doing("watch", orSend: { .ended(path, failure: $0) }) { session, send in
      try await session.watch(path.pointer, on: series.branch, in: parts) {
        await send(.found(path, $0))
      }
      await send(.ended(path, failure: nil))
    }.cancellable(id: path, cancelInFlight: true)
  }
}

extension Watch.State {
  func isCurrent(for branch: Branch) -> Bool {
    series.count == places.count
      && series.allSatisfy {
        keeps($0, branch) && ($0.isRunning || $0.steps.upperBound >= branch.steps.upperBound)
      }
  }

  fileprivate func keeps(_ series: WatchSeries, _ branch: Branch) -> Bool {
    places.contains(series.path) && series.branch == branch.id && series.run == branch.run
      && series.steps.upperBound <= branch.steps.upperBound
  }

  fileprivate mutating func change(_ path: ValuePath, _ change: (inout WatchSeries) -> Void) {
    guard let index = series.firstIndex(where: { $0.path == path }) else { return }
    change(&series[index])
  }
}

struct Watched: Sendable, Hashable {
  var path: ValuePath
  var since: Int?
}

extension DebuggerState {
  var shownSeries: [WatchSeries] { watch.series.filter { $0.branch == here.branch } }

  var watchedNow: [Watched] {
    watch.places.map { path in
      let series = shownSeries.first { $0.path == path }
      return Watched(path: path, since: series?.lastChange(at: here.step))
    }
  }
}

extension DebuggerUpdate {
  mutating func renewWatch() {
    guard !state.watch.isCurrent(for: state.branch) else { return }
    send(.watch(.looked(at: state.branch, from: state.travel.listTop)))
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
    let value = state.moment?.state ?? .null
    guard let watched = TypedPlace.path(text, in: value) else {
      return say("“\(text)” is not a path in the state. Example: cart.items[0].total.", .warning)
    }
    if let words = TypedPlace.suggestion(for: text, in: value) { return say(words, .warning) }
    if !state.watch.places.contains(watched) { send(.watch(.turned(watched))) }
    let isHere = value == .null || watched.value(in: value) != nil
    say("\(watched.text) is watched\(isHere ? "" : "; this state does not have it"): see Watch.")
  }
}

extension Painter {
  static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  static func bar(_ level: Double) -> String { bars[min(Int(level * 8), 7)] }

  mutating func drawWatches(in area: Rectangle) {
    let here = layout.axis.column(of: state.here.step)
    for (row, series) in state.shownSeries.prefix(area.height).enumerated() {
      for column in 0..<area.width {
        let range = layout.axis.steps(at: column).clamped(to: 0..<series.steps.upperBound + 1)
        guard let levels = series.levels(in: range) else { continue }
        let (low, high) = (levels.lowerBound, levels.upperBound)
        // A column of many steps shows the farthest value, or that it has low and high ones.
        let sign = high - low > 0.5 ? "│" : Self.bar(low + high < 1 ? low : high)
        let style = Style(foreground: .cyan)
        canvas.write(
          sign, at: area.point(column, row), style: column == here ? style.bold : style)
      }
    }
  }
}

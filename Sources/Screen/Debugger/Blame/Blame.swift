import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

/// Finds who set the value under the cursor.
struct Blame: Reducer {
  struct State: Sendable, Equatable {
    fileprivate(set) var asked: Place?
    fileprivate(set) var setter: Setter?
  }

  struct Place: Sendable, Hashable {
    var position: Position
    var run: Int
    var path: ValuePath
  }

  /// The step that gave a value; nil values are missing ones.
  struct Setter: Sendable, Hashable {
    var step: Int
    var label: String
    var old: Value?
    var new: Value?
    var ago: Duration?
    var isStart = false
  }

  enum Action: Sendable, Equatable {
    case looked(at: Place?)
    case found(Place, Setter?)
    case wanted(Place, title: String)
    case traced(Entity, of: BranchID)
    case oddWanted(of: BranchID)
    case listed(title: String, [ListLine])
  }

  enum Job: Hashable, Sendable { case looking, listing }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .looked(let place):
      state = State(asked: place)
      guard let place else { return .cancel(id: Job.looking) }
      return .doing("blame") { session, send in
        await send(.found(place, try await session.setter(of: place)))
      }.cancellable(id: Job.looking, cancelInFlight: true)
    case .found(let place, let setter): if state.asked == place { state.setter = setter }
    case .wanted(let place, let title):
      let branch = place.position.branch
      return .doing("blame", orSend: { .listed(title: title, [ListLine($0)]) }) { session, send in
        let history = try await session.history(
          of: place.path.pointer, at: place.position, limit: 20)
        let later = history.periods.filter { $0.steps.lowerBound > place.position.step }
        func listed(_ period: PlacePeriod) throws -> [ListLine] {
          let first = Position(branch: branch, step: period.steps.lowerBound)
          return try session.lines(of: period, on: branch, below: place.path.pointer).map {
            ListLine($0, at: first)
          }
        }
        var lines = try history.periods.dropLast(later.count).reversed().flatMap(listed)
        if lines.isEmpty {
          lines = [
            history.isWhole
              ? "It had no value up to this step." : "It has no value in a known state up to here."
          ]
        }
        if !later.isEmpty { lines += ["Later:"] }
        lines += try later.flatMap(listed)
        lines += session.summary.caveats(of: history).map { ListLine($0) }
        await send(.listed(title: title, lines))
      }.cancellable(id: Job.listing, cancelInFlight: true)
    case .traced(let entity, let branch): return Self.trace(entity, branch)
    case .oddWanted(let branch): return Self.odd(branch)
    case .listed: break
    }
    return .none
  }
}

extension OpenSession {
  fileprivate func setter(of place: Blame.Place) async throws -> Blame.Setter? {
    let (here, pointer) = (place.position, place.path.pointer)
    let history = try await history(of: pointer, at: here, limit: 1)
    guard let period = history.periods.first(where: { $0.steps.contains(here.step) }) else {
      return nil
    }
    let first = Position(branch: here.branch, step: period.steps.lowerBound)
    let step = try step(at: first).step
    var setter = Blame.Setter(step: first.step, label: step.label, new: period.value)
    setter.isStart = first.step <= summary.steps.lowerBound
    if !setter.isStart {
      let before = Position(branch: here.branch, step: first.step - 1)
      setter.old = try await state(at: before)?[period.place]
    }
    if let then = step.time, let now = try self.step(at: here).step.time { setter.ago = now - then }
    return setter
  }
}

extension DebuggerState {
  private static let mostSteps = 20_000

  /// The value under the cursor, if it is one of the state.
  private var placeUnderCursor: Blame.Place? {
    guard paneSet.focus == .pane, [.diff, .state, .watch].contains(pane), moment != nil,
      branch.progress != .running, !view.isStale(at: here), let path = view.row?.path
    else { return nil }
    return Blame.Place(position: here, run: branch.run, path: path)
  }

  fileprivate var placeToBlame: Blame.Place? {
    session.steps.count <= Self.mostSteps && range == nil ? placeUnderCursor : nil
  }

  /// The step that set the value under the cursor, if known.
  var setter: Blame.Setter? { blame.asked == placeUnderCursor ? blame.setter : nil }

  var isSetElsewhere: Bool { setter.map { $0.step != here.step } ?? false }

  var setterWords: [Span] {
    guard let setter else { return [] }
    func text(_ value: Value?) -> String {
      value.map { ValuePreview.text($0, limit: 24) } ?? "nothing"
    }
    guard !setter.isStart else { return [Span("\(text(setter.new)) since the start", .quiet)] }
    let change = "\(text(setter.old)) → \(text(setter.new)) by "
    guard setter.step != here.step else {
      return [Span(change, .quiet), Span("this step", .place)]
    }
    let ago = setter.ago.map { ", \($0.longText) ago" } ?? ""
    return [
      Span(change, .quiet), Span("\(grouped(setter.step)) \(setter.label)", .place),
      Span("\(ago)", .quiet),
    ]
  }
}

extension DebuggerUpdate {
  mutating func renewBlame() {
    let place = state.placeToBlame
    if state.blame.asked != place { send(.blame(.looked(at: place))) }
  }

  /// Goes to the step that set the value under the cursor. False: no other step did.
  mutating func goToSetter() -> Bool {
    guard let setter = state.setter, setter.step != state.here.step else { return false }
    state.go(to: setter.step)
    return true
  }

  /// `:blame cart.total` or `cart.total@12`; without a path, of the value under the cursor.
  mutating func blame(_ text: String) {
    guard let value = state.moment?.state else { return say("No state is known at this step.") }
    var (text, here, title) = (text, state.here, "")
    let typed = TypedPlace.split(text)
    if let step = typed.step, TypedPlace.path(text, in: value)?.value(in: value) == nil {
      guard state.branch.steps.contains(step) else {
        return say("“\(state.branch.name)” has the steps \(state.branch.steps.words).", .warning)
      }
      (text, here.step, title) = (typed.place, step, ", seen from step \(grouped(step))")
    }
    let path = text.isEmpty ? state.view.row?.path : TypedPlace.path(text, in: value)
    // Another state may have the place.
    let isThere = typed.step != nil || TypedPlace.suggestion(for: text, in: value) == nil
    guard let path, isThere else {
      return say(TypedPlace.problem(with: text, in: value), .warning)
    }
    let place = Blame.Place(position: here, run: state.branch.run, path: path)
    state.searches.isLeft = false
    send(.blame(.wanted(place, title: path.shownText + title)))
  }
}

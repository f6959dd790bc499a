import StoreCore
import StoreRecording
import ValueTree

@testable import Replay

/// An event from outside that a running app gets at a time.
struct Happening<Action: Sendable>: Sendable {
  enum What: Sendable {
    case send(Action)
    /// Cancels the task of a move.
    case cancel(Int)
    /// Sets a part of the state.
    case set(pointer: Pointer, Value)
    /// Ends an effect in the middle.
    case stop(Origin)
    /// A move that went elsewhere.
    case nothing
  }

  /// The number of the move that it is, wherever it stands.
  var move: Int
  /// The recorded happening that stood here; nil for what was put in.
  var recorded: Int?
  var time: Duration
  var what: What
}

extension Happening {
  /// It is this move of the user, and not a trace of it.
  func isMove(_ number: Int) -> Bool {
    if case .cancel = what { false } else { isStep(number) }
  }

  /// It makes the step that this move is.
  func isStep(_ number: Int) -> Bool {
    switch what {
    case .send, .set: move == number
    case .cancel, .stop, .nothing: false
    }
  }
}

extension Happening: CustomStringConvertible where Action: Encodable {
  var description: String {
    let words =
      switch what {
      case .send(let action): (try? ValueEncoder().encode(action).text()) ?? "\(action)"
      case .cancel(let move): "cancels the task of move \(move)"
      case .set(let pointer, let value): "sets \(pointer) to \(value.text())"
      case .stop(let origin): "stops \(origin)"
      case .nothing: "nothing"
      }
    return "\(move) at \(time.inSeconds) s: \(words)"
  }
}

/// Another way that a live run goes, as edits do it to a branch.
struct Detour<Action: Sendable>: Sendable {
  enum Change: Sendable {
    case skip
    case replace(Action)
  }

  var changes: [Place: Change] = [:]
  var reads: [ReadPlace: UInt64] = [:]
  /// Effects of which the user says what they do, and when that is.
  var answers: [Origin: Duration] = [:]
}

/// A live app on a controlled clock, with everything noted that its reducer does.
///
/// `@unchecked Sendable`: what changes is touched inside the store's turn, or by the one who drives.
final class LiveApp<State: Codable & Equatable & Sendable, Action: Codable & Sendable>:
  StoreHooks, @unchecked Sendable
{
  private struct Detoured: Reducer {
    let base: any Reducer<State, Action>
    let world: World
    let run: Unowned

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      run.run?.reduce(into: &state, action, with: base) ?? .none
    }
  }

  /// `@unchecked Sendable`: it is set once, before the store is there.
  private final class Unowned: @unchecked Sendable { weak var run: LiveApp? }

  let world: World
  private let detour: Detour<Action>
  private let recorder: StoreRecorder<State, Action>?
  private var store: Store<State, Action>?
  private var tasks: [Int: [StoreTask]] = [:]
  private var setting: (pointer: Pointer, value: Value)?
  private var reduced: (place: Place, action: Action?)?
  private let anyAction: Action
  /// After each step, and before the first.
  private(set) var states: [State]
  /// The actions of the steps; nil where a state was set by hand.
  private(set) var actions: [Action?] = []
  private(set) var places: [Place] = []
  /// By the numbers that the store gives the steps.
  private var placesInStore: [Int: Place] = [:]
  /// When each step was.
  private(set) var times: [Duration] = []
  /// How the effects ended, by what they are.
  private(set) var origins: [EffectID: Origin] = [:]

  init(
    _ app: RandomApp<State, Action>, _ world: World, _ detour: Detour<Action> = Detour(),
    recorder: StoreRecorder<State, Action>? = nil
  ) async {
    self.world = world
    self.detour = detour
    self.recorder = recorder
    states = [app.state(of: world.seed)]
    var random = SeededRandomNumberGenerator(seed: 0)
    anyAction = app.action(states[0], &random)
    let unowned = Unowned()
    unowned.run = self
    store = Store(initialState: states[0], hooks: self) {
      Detoured(base: app.reducer, world: world, run: unowned)
    } withDependencies: {
      app.live(&$0, world)
      if let recorder { app.tapes(&$0, recorder.tape) }
    }
    await world.clock.advance()
  }

  var state: State { states[states.count - 1] }

  func perform(_ happening: Happening<Action>) async {
    await world.clock.advance(to: .init(offset: happening.time))
    switch happening.what {
    case .send(let action): send(action, happening.move)
    case .cancel(let move): for task in tasks[move] ?? [] { task.cancel() }
    case .set(let pointer, let value):
      setting = (pointer, value)
      send(anyAction, happening.move)
    case .stop(let origin): world.stop(origin)
    case .nothing: break
    }
    await world.clock.advance()
  }

  private func send(_ action: Action, _ move: Int) {
    Origin.$current.withValue(Origin(move: move)) { perform(action) }
  }

  private func perform(_ action: Action) {
    if let task = store?.send(action) { tasks[Origin.current.move, default: []].append(task) }
  }

  /// Sends the user's answer in place of everything that the effect does.
  private func answer(at time: Duration) async {
    try? await world.clock.sleep(until: .init(offset: time))
    if !Task.isCancelled { perform(anyAction) }
  }

  /// Lets the rest of the time pass, and lets the app go.
  func finish(at end: Duration) async {
    await world.clock.advance(to: .init(offset: end))
    store = nil
    recorder?.finish()
  }

  private func reduce(
    into state: inout State, _ action: Action, with base: any Reducer<State, Action>
  ) -> Effect<Action> {
    if let setting = setting.take() {
      let place = Place(origin: Origin.current, number: 0)
      switch detour.changes[place] {
      case .skip?: break
      case .replace(let other)?:
        let effect = world.reducing { place -> Effect<Action> in
          reduced = (place, other)
          return base.reduce(into: &state, action: other)
        }
        return effect ?? .none
      case nil:
        reduced = (place, nil)
        state = Self.set(setting.pointer, to: setting.value, in: state)
      }
      return .none
    }
    let effect = world.reducing { place -> Effect<Action> in
      switch detour.changes[place] {
      case .skip?: return .none
      case .replace(let other)?:
        reduced = (place, other)
        return base.reduce(into: &state, action: other)
      case nil:
        reduced = (place, action)
        return base.reduce(into: &state, action: action)
      }
    }
    return effect ?? .none
  }

  static func set(_ pointer: Pointer, to value: Value, in state: State) -> State {
    guard let before = try? ValueEncoder().encode(state),
      let after = try? Patch([.replace(pointer, value)]).applied(to: before),
      let state = try? ValueDecoder().decode(State.self, from: after)
    else { return state }
    return state
  }

  func prepare(_ dependencies: inout DependencyValues) { recorder?.prepare(&dependencies) }
  func started(with state: State) { recorder?.started(with: state) }

  func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    func noting() -> State {
      reduced = nil
      let state = reduce()
      if let reduced {
        states.append(state)
        actions.append(reduced.action)
        places.append(reduced.place)
        placesInStore[step.number] = reduced.place
        times.append(world.clock.now.offset)
      }
      return state
    }
    guard let recorder else {
      _ = noting()
      return
    }
    recorder.aroundReduce(action, in: step, before: before, reduce: noting)
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await world.running(Origin(effect, of: placesInStore[effect.step])) {
      await note(EffectID(effect.number))
      if let time = detour.answers[Origin.current] { return await answer(at: time) }
      guard let recorder else { return await body() }
      await recorder.aroundEffect(effect, body: body)
    }
  }

  /// Only a recording is asked for these, and its effects run one at a time.
  private func note(_ effect: EffectID) async { origins[effect] = Origin.current }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    recorder?.effectChanged(effect, change)
  }
  func namesCancelID(_ effect: StoreEffect, _ id: String) {
    recorder?.namesCancelID(effect, id)
  }
}

import Platform
import StoreCore
import StoreMacros
import StoreTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An hourglass, written with every call that people bring along.
@Reducer
struct Hourglass {
  struct State: Equatable {
    @PresentationState var alert: AlertState<Action.Alert>?
    @PresentationState var dialog: ConfirmationDialogState<Action.Dialog>?
    var ticks = 0
    var label = ""
    var fact: String?
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case dialog(PresentationAction<Dialog>)
    case startTapped, stopTapped, resetTapped, ticked, factTapped, labelTapped
    case factResponse(Result<String, any Error>)

    @CasePathable enum Alert { case resetTapped }
    @CasePathable enum Dialog { case slowTapped, fastTapped }
  }

  enum CancelID { case sand }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.recipes) var recipes
  @Dependency(\.calendar) var calendar
  @Dependency(\.locale) var locale
  @Dependency(\.timeZone) var timeZone

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .startTapped:
        return .run { send in
          await withTaskCancellation(id: CancelID.sand, cancelInFlight: true) {
            for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
          }
        }
      case .stopTapped:
        return .run { _ in Task.cancel(id: CancelID.sand) }
      case .ticked:
        state.ticks += 1
        return .none
      case .resetTapped:
        state.alert = AlertState {
          TextState("Turn it?")
        } actions: {
          ButtonState(role: .destructive, action: .resetTapped) { TextState("Turn") }
          if state.ticks > 0 { ButtonState(role: .cancel) { TextState("Wait") } }
        } message: {
          TextState("\(state.ticks) ticks")
        }
        return .none
      case .alert(.presented(.resetTapped)):
        state.ticks = 0
        state.dialog = ConfirmationDialogState {
          TextState("How fast?")
        } actions: {
          ButtonState(action: .slowTapped) { TextState("Slow") }
          ButtonState(action: .fastTapped) { TextState("Fast") }
        }
        return .none
      case .factTapped:
        return .run { [ticks = state.ticks] send in
          await send(.factResponse(Result { try await recipes.find(ticks) }))
        }
      case .factResponse(.success(let fact)):
        state.fact = fact
        return .none
      case .factResponse(.failure(let error)):
        state.fact = "\(error)"
        return .none
      case .labelTapped:
        state.label =
          "\(calendar.firstWeekday) \(locale.identifier) \(timeZone.secondsFromGMT())"
        return .none
      case .alert, .dialog:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$dialog, action: \.dialog)
  }
}

/// Calls in the spelling that people bring along, on a feature with a clock.
@Suite(.checkedAtEnd) struct CallsTests {
  private func store(_ clock: TestClock = TestClock()) -> TestStoreOf<Hourglass> {
    TestStore(initialState: Hourglass.State()) {
      Hourglass()
    } withDependencies: {
      $0.continuousClock = clock
      $0.recipes.find = { "\($0) grains" }
      $0.calendar = Calendar(identifier: .iso8601)
      $0.locale = Locale(identifier: "de_CH")
      $0.timeZone = TimeZone(secondsFromGMT: 3_600)!
    }
  }

  @Test func timerAndCancellation() async {
    let clock = TestClock()
    let store = store(clock)
    let task = await store.send(.startTapped)
    await clock.advance(by: .seconds(2))
    await store.receive(\.ticked) { $0.ticks = 1 }
    await store.receive(\.ticked) { $0.ticks = 2 }
    await store.send(.stopTapped)
    await task.finish(timeout: .seconds(1))
    store.assert { $0.ticks = 2 }
    await store.finish(timeout: .seconds(1))
  }

  @Test func alertAndDialog() async {
    let store = store()
    await store.send(.resetTapped) {
      $0.alert = AlertState(
        title: "Turn it?", message: "0 ticks",
        buttons: [ButtonState("Turn", role: .destructive, action: .resetTapped)])
    }
    await store.send(\.alert.presented.resetTapped) {
      $0.alert = nil
      $0.dialog = ConfirmationDialogState(
        title: "How fast?",
        buttons: [
          ButtonState("Slow", action: .slowTapped), ButtonState("Fast", action: .fastTapped),
        ])
    }
    await store.send(\.dialog.presented.fastTapped) { $0.dialog = nil }
  }

  @Test func resultsAndSurroundings() async {
    let store = store()
    await store.send(\.factTapped)
    await store.receive(\.factResponse.success, "0 grains") { $0.fact = "0 grains" }
    await store.send(.labelTapped) { $0.label = "2 de_CH 3600" }
  }

  @Test func observing() async {
    let store = Store(initialState: Hourglass.State()) { Hourglass() }
    let told = Locked<[Int]>([])
    let watching = store.observe(\.ticks) { ticks in told.withLock { $0.append(ticks) } }
    store.send(.ticked)
    store.send(.resetTapped)
    store.send(.ticked)
    #expect(told.withLock { $0 } == [0, 1, 2])
    var states = store.states(\.ticks).makeAsyncIterator()
    #expect(await states.next() == 2)
    store.send(.ticked)
    #expect(await states.next() == 3)
    watching.cancel()
  }

  @Test func escapingDependencies() async {
    let later = withDependencies {
      $0.uuid = .constant(UUID(7))
    } operation: {
      withEscapedDependencies { dependencies in
        { @Sendable in dependencies.yield { DependencyValues.current.uuid() } }
      }
    }
    #expect(await Task.detached { later() }.value == UUID(7))
  }
}

import StoreCore

extension Bazaar {
  func effects(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .announce: return announce(state)
    case .type(let text): return type(text)
    case .scroll:
      return .send(.scrolled).throttle(
        id: ID.scroll, for: .milliseconds(has(.otherWindow) ? 700 : 500), latest: true)
    case .load(let number):
      let load = Effect<Action>.run(name: has(.loadIsRenamed) ? "fetch" : "load") {
        [clock, bazaar] send in
        try await clock.sleep(for: .milliseconds(400))
        await send(.loaded(try await bazaar.load(number)))
      }
      if has(.loadIsDropped) { return .none }
      if has(.loadsTwice) { return .merge(load, load) }
      return load.cancellable(
        id: has(.otherCancelID) ? ID.otherLoad : ID.load, cancelInFlight: !has(.letsRun))
    case .loaded(let number):
      state.counter += number
      if has(.chainIsDropped) { return .none }
      return .run(name: "detail") { [bazaar] send in
        await send(.detail(await bazaar.detail(number)))
      }
    case .cancelLoad: return has(.cancelsNothing) ? .none : .cancel(id: ID.load)
    case .pair: return pair()
    default: return .none
    }
  }

  private func announce(_ state: State) -> Effect<Action> {
    let first = Effect<Action>.send(.noted("one \(state.counter)"))
    let second = Effect<Action>.send(.noted(has(.sendsAnother) ? "too" : "two"))
    let third = Effect<Action>.send(.zero)
    if has(.sendsInAnotherOrder) { return .merge(second, first, third) }
    if has(.sendsLess) { return .merge(first, third) }
    if has(.sendsMore) { return .merge(first, second, third, .send(.noted("three"))) }
    return .merge(first, second, third)
  }

  private func type(_ text: String) -> Effect<Action> {
    let search = Effect<Action>.run(name: has(.searchIsRenamed) ? "look" : "search") {
      [clock, bazaar] send in
      try await clock.sleep(for: .milliseconds(100))
      await send(.found(try await bazaar.search(text)))
    }
    return (has(.searchIsDropped) ? .none : search).debounce(
      id: ID.search, for: .milliseconds(has(.otherPause) ? 500 : 300))
  }

  private func pair() -> Effect<Action> {
    let left = Effect<Action>.run(name: "left") { [clock] send in
      try await clock.sleep(for: .milliseconds(200))
      await send(.paired("left"))
    }
    let right = Effect<Action>.run(name: "right") { [clock] send in
      try await clock.sleep(for: .milliseconds(250))
      await send(.paired("right"))
    }
    return has(.pairsBackwards) ? .merge(right, left) : .merge(left, right)
  }
}

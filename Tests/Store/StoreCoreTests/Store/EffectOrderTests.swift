import Platform
import StoreCore
import Testing

@Suite("Order of effects")
struct EffectOrderTests {
  @Test("merged sends are reduced breadth first, and the state is published once")
  func mergedSends() {
    let store = traceStore { action in
      switch action {
      case "go": .merge(.send("a"), .send("b"))
      case "a": .send("c")
      default: .none
      }
    }
    let published = Locked<[[String]]>([])
    let subscription = store.observe { state in published.withLock { $0.append(state) } }
    store.send("go")
    #expect(published.withLock { $0 } == [[], ["go", "a", "b", "c"]])
    subscription.cancel()
  }

  @Test("chained sends are reduced like merged ones")
  func chainedSends() {
    let store = traceStore { action in
      switch action {
      case "go": .concatenate(.send("a"), .send("b"))
      case "a": .send("c")
      default: .none
      }
    }
    store.send("go")
    #expect(store.state == ["go", "a", "b", "c"])
  }

  @Test("a send merged with a run comes first")
  func sendMergedWithRun() async {
    let store = traceStore { action in
      action == "go" ? .merge(.run { send in await send("a") }, .send("b")) : .none
    }
    let task = store.send("go")
    #expect(store.state.prefix(2) == ["go", "b"])
    await task.finish()
    #expect(store.state == ["go", "b", "a"])
  }

  @Test("a send chained to a run comes after it")
  func sendChainedToRun() async {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      guard action == "go" else { return .none }
      return .concatenate(
        .run { send in
          try await clock.sleep(for: .seconds(1))
          await send("a")
        },
        .send("b"))
    }
    let task = store.send("go")
    #expect(store.state == ["go"])
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["go", "a", "b"])
    await task.finish()
  }

  @Test("two merged runs of two sends each interleave in the order they were started")
  func mergedRuns() async {
    for _ in 0..<1_000 {
      let clock = TestClock()
      let store = traceStore {
        $0.continuousClock = clock
      } effects: { action in
        guard action == "go" else { return .none }
        func twoSends(_ first: String, _ second: String) -> Effect<String> {
          .run { send in
            await send(first)
            try await clock.sleep(for: .seconds(1))
            await send(second)
          }
        }
        return .merge(twoSends("a1", "a2"), twoSends("b1", "b2"))
      }
      let task = store.send("go")
      await clock.advance(by: .seconds(1))
      await task.finish()
      #expect(store.state == ["go", "a1", "b1", "a2", "b2"])
    }
  }

  @Test("in tests, all that a turn starts begins before what it starts itself")
  func startsOfOneTurn() async {
    let others = (1...50).map { "\($0)" }
    for _ in 0..<20 {
      let store = traceStore { action in
        guard action == "go" else { return .none }
        let child = Effect<String>.run { send in
          async let sent: Void = send("child")
          await sent
        }
        return .merge([child] + others.map { text in .run { await $0(text) } })
      }
      await store.send("go").finish()
      #expect(store.state == ["go"] + others + ["child"])
    }
  }

  @Test("a send inside a run returns when all it caused at once is reduced")
  func sendInsideRun() async {
    let seen = Locked<[String]>([])
    let store = traceStore { action in
      switch action {
      case "go":
        .run { send in
          await send("a")
          await send("d")
        }
      case "a": .merge(.send("b"), .send("c"))
      default: .none
      }
    }
    let subscription = store.observe { state in seen.withLock { $0 = state } }
    await store.send("go").finish()
    #expect(seen.withLock { $0 } == ["go", "a", "b", "c", "d"])
    subscription.cancel()
  }
}

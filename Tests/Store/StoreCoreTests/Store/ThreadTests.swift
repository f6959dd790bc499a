import Platform
import StoreCore
import Testing

@Suite("Threads and long work")
struct ThreadTests {
  @Test("sends from several threads return when their own action is reduced, in the store's order")
  func manySenders() async {
    let log = HookLog()
    let store = traceStore(hooks: log) { _ in .none }
    let missing = Locked<[String]>([])
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          await ThreadProbe.ofNewThread {
            for number in 0..<200 {
              let action = "\(sender)/\(number)"
              store.send(action)
              // Its own action is there, whatever the others sent meanwhile.
              if !store.state.contains(action) { missing.withLock { $0.append(action) } }
            }
          }
        }
      }
    }
    #expect(missing.withLock { $0 } == [])
    let state = store.state
    #expect(state.count == 1_600)
    for sender in 0..<8 {
      #expect(
        state.filter { $0.hasPrefix("\(sender)/") } == (0..<200).map { "\(sender)/\($0)" })
    }
    #expect(
      log.lines
        == state.enumerated().map { "step \($0 + 1) \($1) user: \($0) to \($0 + 1)" })
  }

  @Test("300,000 actions that send each other do not use up the stack")
  func longChain() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        return action > 0 ? .send(action - 1) : .none
      }
    }
    store.send(300_000)
    #expect(store.state == 300_001)
  }

  @Test("an action that sends 300,000 others at once does not use up the stack")
  func wideTurn() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        return .merge((0..<action).map { _ in .send(0) })
      }
    }
    store.send(300_000)
    #expect(store.state == 300_001)
  }

  @Test("a chain of 100,000 sends does not use up the stack")
  func longConcatenation() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        return .concatenate((0..<action).map { _ in .send(0) })
      }
    }
    store.send(100_000)
    #expect(store.state == 100_001)
  }

  /// 256 KiB in one value, without references.
  struct Wide: Sendable, Equatable {
    struct Eight<Part: Sendable & Equatable>: Sendable, Equatable {
      var a, b, c, d, e, f, g, h: Part
      init(_ part: Part) {
        (a, b, c, d, e, f, g, h) = (part, part, part, part, part, part, part, part)
      }
    }
    typealias Page = Eight<Eight<Eight<Int>>>
    var parts = Eight(Eight(Page(Eight(Eight(0)))))
    var count = 0
  }

  @Test("a state of many megabytes does not use up the stack, and is not copied for an action")
  func bigState() async {
    struct State: Sendable {
      var bytes = [UInt8](repeating: 1, count: 32 << 20)
      var address = 0
    }
    let store = Store(initialState: State()) {
      Reduce<State, Int> { state, action in
        state.bytes[action] &+= 1
        state.address = state.bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        return action > 0 ? .send(action - 1) : .none
      }
    }
    store.send(0)
    let address = store.state.address
    store.send(10_000)
    #expect(store.state.address == address)

    let wide = Store(initialState: Wide()) {
      Reduce<Wide, Int> { state, action in
        state.count += 1
        return action > 0 ? .send(action - 1) : .none
      }
    }
    wide.send(100)
    #expect(wide.state.count == 101)
  }
}

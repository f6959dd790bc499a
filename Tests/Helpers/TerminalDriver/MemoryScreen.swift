import Platform
import TerminalKit
import TextCanvas

/// A screen in memory, for tests of whatever talks to a terminal.
///
/// ```swift
/// let screen = MemoryScreen(size: Size(width: 80, height: 24))
/// screen.send(.key(.character("j")))
/// // … let the program run …
/// #expect(screen.last?.text.contains("step 1") == true)
/// ```
package final class MemoryScreen: TerminalScreen {
  private struct State {
    var size: Size
    var canvases: [Canvas] = []
    var copied: [String] = []
    var usesMouse = true
    var timesLeft = 0
    var timesSuspended = 0
    var timesRedrawn = 0
    var hasEnded = false
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state: Locked<State>
  private let input: AsyncStream<InputEvent>.Continuation
  package let events: AsyncStream<InputEvent>

  package init(size: Size) {
    state = Locked(State(size: size))
    (events, input) = AsyncStream.makeStream()
  }

  package var size: Size { state.withLock(\.size) }
  /// Every canvas that was shown, oldest first.
  package var canvases: [Canvas] { state.withLock(\.canvases) }
  package var last: Canvas? { state.withLock { $0.canvases.last } }
  package var copied: [String] { state.withLock(\.copied) }
  package var usesMouse: Bool { state.withLock(\.usesMouse) }
  package var timesLeft: Int { state.withLock(\.timesLeft) }
  package var timesSuspended: Int { state.withLock(\.timesSuspended) }
  package var timesRedrawn: Int { state.withLock(\.timesRedrawn) }
  package var hasEnded: Bool { state.withLock(\.hasEnded) }

  private func change(_ body: (inout State) -> Void) {
    let watchers = state.withLock { state in
      body(&state)
      return state.watchers
    }
    for watcher in watchers.values { watcher.yield() }
  }

  /// Waits until the screen is so. Returns false if the task is cancelled before.
  package func waits(until isTrue: @Sendable (MemoryScreen) -> Bool) async -> Bool {
    let (changes, watcher) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      let number = (state.watchers.keys.max() ?? 0) + 1
      state.watchers[number] = watcher
      return number
    }
    defer { state.withLock { $0.watchers[number] = nil } }
    watcher.yield()
    for await _ in changes where isTrue(self) { return true }
    return isTrue(self)
  }

  /// Does what a person would do at the terminal.
  package func send(_ event: InputEvent) {
    if case .resize(let size) = event { change { $0.size = size } }
    input.yield(event)
  }

  package func present(_ canvas: Canvas) {
    change { $0.canvases.append(canvas) }
  }

  package func redraw() { change { $0.timesRedrawn += 1 } }

  package func useMouse(_ isUsed: Bool) {
    change { $0.usesMouse = isUsed }
  }

  package func copy(_ text: String) {
    change { $0.copied.append(SafeText.lines(text)) }
  }

  package func suspend() async {
    change { $0.timesSuspended += 1 }
  }

  package func lend<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    change { $0.timesLeft += 1 }
    return try body()
  }

  package func end() {
    change { $0.hasEnded = true }
    input.finish()
  }
}

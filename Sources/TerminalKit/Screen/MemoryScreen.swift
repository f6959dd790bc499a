import Platform
import TextCanvas

/// A screen in memory, for tests of whatever talks to a terminal.
///
/// ```swift
/// let screen = MemoryScreen(size: Size(width: 80, height: 24))
/// screen.send(.key(.character("j")))
/// // … let the program run …
/// #expect(screen.last?.text.contains("step 1") == true)
/// ```
public final class MemoryScreen: TerminalScreen {
  private struct State {
    var size: Size
    var canvases: [Canvas] = []
    var copied: [String] = []
    var usesMouse = true
    var timesLeft = 0
    var timesSuspended = 0
    var hasEnded = false
  }

  private let state: Locked<State>
  private let input: AsyncStream<InputEvent>.Continuation
  public let events: AsyncStream<InputEvent>

  public init(size: Size) {
    state = Locked(State(size: size))
    (events, input) = AsyncStream.makeStream()
  }

  public var size: Size { state.withLock(\.size) }
  /// Every canvas that was shown, oldest first.
  public var canvases: [Canvas] { state.withLock(\.canvases) }
  public var last: Canvas? { state.withLock { $0.canvases.last } }
  public var copied: [String] { state.withLock(\.copied) }
  public var usesMouse: Bool { state.withLock(\.usesMouse) }
  public var timesLeft: Int { state.withLock(\.timesLeft) }
  public var timesSuspended: Int { state.withLock(\.timesSuspended) }
  public var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Does what a person would do at the terminal.
  public func send(_ event: InputEvent) {
    if case .resize(let size) = event { state.withLock { $0.size = size } }
    input.yield(event)
  }

  public func present(_ canvas: Canvas) {
    state.withLock { $0.canvases.append(canvas) }
  }

  public func useMouse(_ isUsed: Bool) {
    state.withLock { $0.usesMouse = isUsed }
  }

  public func copy(_ text: String) {
    state.withLock { $0.copied.append(SafeText.lines(text)) }
  }

  public func suspend() async {
    state.withLock { $0.timesSuspended += 1 }
  }

  public func leave<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    state.withLock { $0.timesLeft += 1 }
    return try body()
  }

  public func end() {
    state.withLock { $0.hasEnded = true }
    input.finish()
  }
}

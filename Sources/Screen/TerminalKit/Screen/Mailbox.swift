import CTerminal
import Platform
import TextCanvas

/// Work for the terminal's thread, and the pipe that wakes it.
final class Mailbox: Sendable {
  typealias Task = @Sendable (CursesScreen) -> Void

  struct Letters {
    var canvas: Canvas?
    var tasks: [Task] = []
    var mustEnd = false
  }

  private struct State {
    var letters = Letters()
    var size = Size(width: 80, height: 24)
    var thread: SystemThread?
    var isAwake = false
  }

  private static let knock: UInt8 = 1

  private let state = Locked(State())
  let reading: Int32
  let writing: Int32

  init() throws(TerminalError) {
    guard let ends = closingPipe() else { throw .system(what: "making a pipe", error: errno) }
    for end in [ends.read, ends.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reading, writing) = ends
  }

  deinit {
    close(reading)
    close(writing)
  }

  var size: Size {
    get { state.withLock(\.size) }
    set { state.withLock { $0.size = newValue } }
  }

  func put(_ canvas: Canvas) { wake { $0.canvas = canvas } }

  func put(_ task: @escaping Task) { wake { $0.tasks.append(task) } }

  private func wake(_ change: (inout Letters) -> Void) {
    let mustKnock = state.withLock { state in
      change(&state.letters)
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if mustKnock {
      var knock = Self.knock
      _ = write(writing, &knock, 1)
    }
  }

  func takeAll() -> Letters {
    state.withLock { state in
      state.isAwake = false
      let letters = state.letters
      state.letters = Letters()
      return letters
    }
  }

  func readSignals() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    var result: [UInt8] = []
    while case let count = read(reading, &bytes, bytes.count), count > 0 {
      result += bytes.prefix(count)
    }
    return result
  }

  func started(as thread: SystemThread) { state.withLock { $0.thread = thread } }

  /// Ends the thread and waits until the terminal is restored.
  func end() {
    guard
      let thread = state.withLock({ state in
        defer { state.thread = nil }
        return state.thread
      })
    else { return }
    wake { $0.mustEnd = true }
    thread.join()
  }
}

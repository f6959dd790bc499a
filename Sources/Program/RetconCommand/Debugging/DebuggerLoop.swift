import Debugger
import SessionWords
import Synchronization
import TerminalKit
import TextCanvas

/// Joins the debugger and a terminal: passes events in, presents frames, does the debugger's
/// outside work. Runs before the session is open, so the user need not wait for a large one.
final class DebuggerLoop: Sendable {
  private enum Event: Sendable {
    case input(InputEvent)
    case opening(Opening)
    case opened(DebuggerApp)
    case failed(any Error)
    case changed
    case output(DebuggerOutput)
  }

  private let screen: any TerminalScreen
  private let externalTools: ExternalTools
  private let colors: ColorScheme
  private let events: AsyncStream<Event>
  private let queue: AsyncStream<Event>.Continuation
  private let redraw = Flag()
  private let waiting = Atomic(0)
  /// The steps whose states the reducer has computed, before the session is open; -1 without one.
  private let computed = Atomic(-1)
  /// Whether the message about dropped keys is still to come.
  private let wasFlooded = Flag()
  private let itself: SelfRecording?

  init(
    screen: any TerminalScreen, externalTools: ExternalTools, colors: ColorScheme = .terminal,
    recording itself: SelfRecording? = nil
  ) {
    self.colors = colors
    self.itself = itself
    self.screen = screen
    self.externalTools = externalTools
    (events, queue) = AsyncStream<Event>.makeStream()
  }

  func changed() {
    if redraw.raise() { queue.yield(.changed) }
  }

  func computes(_ steps: Int) {
    computed.store(steps, ordering: .relaxed)
    changed()
  }

  func perform(_ output: DebuggerOutput) { queue.yield(.output(output)) }

  /// Opens the debugger in the background, and runs it until the user quits or the terminal is
  /// gone.
  func run(
    _ name: String, on threads: (any TaskExecutor)? = nil,
    open:
      @escaping @Sendable (
        _ wanted: DebuggerOutput?, _ progress: @escaping (String) throws -> Void
      ) async throws -> DebuggerApp
  ) async throws {
    let input = Task {
      var flood = InputFlood()
      for await event in screen.events {
        guard !flood.drops(event, waiting: waiting.load(ordering: .relaxed)) else {
          _ = wasFlooded.raise()
          continue
        }
        waiting.add(1, ordering: .relaxed)
        queue.yield(.input(event))
      }
      queue.yield(.output(.quit))
    }
    func opening(_ wanted: DebuggerOutput?) -> Task<Void, Never> {
      Task.detached(executorPreference: threads) { [queue] in
        var told = ""
        do {
          let app = try await open(wanted) { done in
            try Task.checkCancellation()
            if done != told { queue.yield(.opening(Opening(name: name, done: done))) }
            told = done
          }
          queue.yield(.opened(app))
        } catch {
          queue.yield(.failed(error))
        }
      }
    }
    var work = opening(nil)
    defer {
      input.cancel()
      work.cancel()
    }
    try await handleEvents(Opening(name: name)) { work = opening($0) }
  }

  private func handleEvents(_ start: Opening, reopen: (DebuggerOutput) -> Void) async throws {
    var opening = start
    var isReopening = false
    var app: DebuggerApp?
    present(opening.frame(screen.size))
    for await event in events {
      switch event {
      case .input(let input):
        let rest = waiting.subtract(1, ordering: .relaxed).newValue
        if let app {
          await hand(.event(input), to: app)
          if rest == 0, wasFlooded.lower() {
            app.say("Keys came faster than they could be handled; some were dropped.")
          }
        } else if Opening.quits(input) {
          return screen.end()
        } else if input == .key(.control("z")) {
          await screen.suspend()
        } else if input == .key(.control("l")) {
          screen.redraw()
        }
      case .opening(let news): opening = news
      case .opened(let opened):
        app = opened
        isReopening = false
        _ = redraw.raise()
      case .failed(let error):
        guard let app else { throw error }
        isReopening = false
        app.say(sentence(for: error), isFailure: true)
      case .changed: break
      // Quits before releasing anything large, which takes time.
      case .output(.quit): return screen.end()
      case .output(let output) where output.opens:
        if !isReopening { reopen(output) }
        isReopening = true
      case .output(let output):
        if let app { await perform(output, for: app) }
      }
      let isChanged = redraw.lower()
      if let app {
        if isChanged { present(app.frame) }
      } else {
        let steps = computed.load(ordering: .relaxed)
        opening.computed = steps < 0 ? nil : steps
        present(opening.frame(screen.size))
      }
    }
  }

  private func present(_ frame: Canvas) { screen.present(frame.colored(by: colors)) }

  private func perform(_ output: DebuggerOutput, for app: DebuggerApp) async {
    switch output {
    case .quit, .reopen, .openSession: break
    case .suspend: await screen.suspend()
    case .redraw: screen.redraw()
    case .copy(let text): await externalTools.copy(text, screen)
    case .edit(let text, let name):
      await trying(app) { _ = try await externalTools.edit(text, name: name, screen) }
    case .compose(let text, let name):
      await trying(app) {
        await hand(.composed(try await externalTools.edit(text, name: name, screen)), to: app)
      }
    case .open(let path, let line):
      await trying(app) { try await externalTools.open(path, line: line, screen) }
    }
  }

  private func hand(_ input: TypedInput, to app: DebuggerApp) async {
    guard let itself else { return _ = app.handle(input) }
    await itself.record(input, app)
  }

  private func trying(_ app: DebuggerApp, _ work: () async throws -> Void) async {
    do { try await work() } catch { app.say(sentence(for: error), isFailure: true) }
  }
}

extension DebuggerOutput {
  fileprivate var opens: Bool {
    switch self {
    case .reopen, .openSession: true
    default: false
    }
  }
}

struct Opening: Sendable {
  var name: String
  var done = ""
  var computed: Int?

  func frame(_ size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    let done = computed.map { ": \(counted($0, "state")) computed …" } ?? " … \(done)"
    canvas.write("Opening \(name)\(done)", at: Point(column: 1, row: 0), style: .plain)
    if size.height > 1 {
      canvas.write("q quit", at: Point(column: 1, row: size.height - 1), style: .plain)
    }
    return canvas
  }

  static func quits(_ event: InputEvent) -> Bool {
    [.key(.character("q")), .key(.control("c")), .key(.escape)].contains(event)
  }
}

/// Drops keys that come faster than the debugger takes them, so `q`, Escape and Ctrl-C get a quick answer.
struct InputFlood {
  /// A long text, pasted where the terminal does not mark pastes.
  static let limit = 1_000
  /// How many more may wait of the keys that leave.
  static let room: [Key: Int] = [
    .character("q"): 50, .escape: 100, .control("z"): 100, .control("c"): 150,
  ]

  private var isDropping = false

  /// From the limit on, drops until no event waits: the keys behind a dropped one would mean something else.
  mutating func drops(_ event: InputEvent, waiting: Int) -> Bool {
    if waiting >= Self.limit { isDropping = true } else if waiting == 0 { isDropping = false }
    guard isDropping else { return false }
    switch event {
    case .key(let key): return waiting >= Self.limit + (Self.room[key] ?? -Self.limit)
    case .paste: return true
    case .mouse(let mouse): return mouse.action != .release
    case .resize: return false
    }
  }
}

final class Flag: Sendable {
  private let isUp = Atomic(false)

  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }

  func lower() -> Bool { isUp.exchange(false, ordering: .acquiringAndReleasing) }
}

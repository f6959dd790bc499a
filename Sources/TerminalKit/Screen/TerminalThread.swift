import CTerminalRestore
import Platform
import TextCanvas

/// The only thread that uses ncurses: it waits for keys, canvases and signals.
struct TerminalThread {
  private let mailbox: Mailbox
  private let events: AsyncStream<InputEvent>.Continuation
  private let screen: CursesScreen
  private var decoder = InputDecoder()

  private init(screen: CursesScreen, start: ThreadStart) {
    self.screen = screen
    mailbox = start.mailbox
    events = start.events
    mailbox.size = screen.size
  }

  /// Starts the thread and waits until it has the terminal, or the reason why not.
  static func start(
    mailbox: Mailbox, options: TerminalOptions, events: AsyncStream<InputEvent>.Continuation
  ) -> TerminalError? {
    let start = ThreadStart(mailbox: mailbox, options: options, events: events)
    do throws(SystemThread.StartError) {
      let thread = try SystemThread.start { run(start) }
      if let problem = start.waitForAnswer() {
        thread.join()
        return problem
      }
      mailbox.started(as: thread)
      return nil
    } catch {
      return .system(what: "starting a thread", error: error.number)
    }
  }

  private static func run(_ start: ThreadStart) {
    terminal_restore_protect_thread()
    do throws(TerminalError) {
      let screen = try CursesScreen(options: start.options, wake: start.mailbox.writing)
      var thread = TerminalThread(screen: screen, start: start)
      start.answer(nil)
      thread.run()
      screen.end()
    } catch {
      start.answer(error)
    }
    start.events.finish()
  }

  private mutating func run() {
    var waiting = [
      pollfd(fd: screen.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mailbox.reading, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      // Input that ncurses has read by itself wakes no thread.
      _ = poll(&waiting, 2, decoder.hasMore ? 0 : -1)
      if waiting[1].revents != 0 {
        heed(mailbox.takeSignals())
        let letters = mailbox.takeAll()
        if letters.mustEnd { return }
        for task in letters.tasks { task(screen) }
        if let canvas = letters.canvas { screen.draw(canvas) }
        noteSize()
      }
      if decoder.hasMore || waiting[0].revents & Int16(POLLIN) != 0 {
        for event in decoder.events(at: Self.milliseconds(), read: screen.read) {
          events.yield(event)
        }
      }
      if waiting[0].revents & ~Int16(POLLIN) != 0 {
        // The terminal is gone; SIGHUP follows, unless ignored.
        events.finish()
        waiting[0].fd = -1
      }
    }
  }

  private func heed(_ signals: [UInt8]) {
    // Like the system: a later request to continue cancels a stop.
    if let stop = signals.lastIndex(of: UInt8(terminal_stop_asked)),
      !signals[stop...].contains(UInt8(terminal_continued))
    {
      screen.stop()
    } else if signals.contains(UInt8(terminal_continued)) {
      screen.takeBack()
    }
    if signals.contains(UInt8(terminal_resized)) { _ = screen.followSize() }
  }

  private func noteSize() {
    let size = screen.size
    if size != mailbox.size {
      mailbox.size = size
      events.yield(.resize(size))
    }
  }

  private static func milliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
  }
}

final class ThreadStart: Sendable {
  let mailbox: Mailbox
  let options: TerminalOptions
  let events: AsyncStream<InputEvent>.Continuation
  private let outcome = Locked<TerminalError?>(nil)
  private let answered = Latch()

  init(mailbox: Mailbox, options: TerminalOptions, events: AsyncStream<InputEvent>.Continuation) {
    self.mailbox = mailbox
    self.options = options
    self.events = events
  }

  func answer(_ problem: TerminalError?) {
    outcome.withLock { $0 = problem }
    answered.open()
  }

  func waitForAnswer() -> TerminalError? {
    answered.wait()
    return outcome.withLock { $0 }
  }
}

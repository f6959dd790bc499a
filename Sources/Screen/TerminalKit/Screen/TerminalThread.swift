import CTerminal
import Platform
import TextCanvas

/// The only thread that uses ncurses: it waits for keys, canvases and signals.
struct TerminalThread {
  private let mailbox: Mailbox
  private let events: AsyncStream<InputEvent>.Continuation
  private let screen: CursesScreen
  private var decoder = InputDecoder()

  private init(
    _ mailbox: Mailbox, _ options: TerminalOptions, _ events: AsyncStream<InputEvent>.Continuation
  ) throws(TerminalError) {
    screen = try CursesScreen(options: options, wake: mailbox.writing)
    (self.mailbox, self.events) = (mailbox, events)
    mailbox.size = screen.size
  }

  /// Starts the thread and waits until it has the terminal, or the reason why not.
  static func start(
    mailbox: Mailbox, options: TerminalOptions, events: AsyncStream<InputEvent>.Continuation
  ) throws(TerminalError) {
    let (outcome, isKnown) = (Locked<TerminalError?>(nil), Latch())
    let system: SystemThread
    do throws(SystemThread.StartError) {
      system = try SystemThread.start {
        terminal_restore_protect_thread()
        do throws(TerminalError) {
          var thread = try TerminalThread(mailbox, options, events)
          isKnown.open()
          thread.run()
          thread.screen.end()
        } catch {
          outcome.withLock { $0 = error }
          isKnown.open()
        }
        events.finish()
      }
    } catch {
      throw .system(what: "starting a thread", error: error.number)
    }
    isKnown.wait()
    if let problem = outcome.withLock(\.self) {
      system.join()
      throw problem
    }
    mailbox.started(as: system)
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
        heed(mailbox.readSignals())
        let letters = mailbox.takeAll()
        if letters.mustEnd { return }
        for task in letters.tasks { task(screen) }
        if let canvas = letters.canvas { screen.draw(canvas) }
        updateSize()
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
      screen.reactivate()
    }
    if signals.contains(UInt8(terminal_resized)) { _ = screen.updateSize() }
  }

  private func updateSize() {
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

import HostProtocol
import Platform
import Synchronization

/// Reports the step in which the process crashes, from a signal handler.
///
/// A handler gets no arguments, so its data is global. It is written before the handlers are set;
/// later only the page's numbers change.
enum CrashReporter {
  /// The current request and step. The debugger reads them, too, so it knows the place of any
  /// crash.
  static let page = StepPage.ofEnvironment() ?? StepPage()
  static let stackSize = 16 << 20
  /// Its approximate lowest byte; 0 before it runs.
  private static let stackEnd = Atomic<UInt>(0)

  private struct Place {
    var output: Int32
    var buffer: UnsafeMutablePointer<UInt8>
    var filled: UnsafeMutablePointer<Int>
    var line: UnsafeMutablePointer<UInt8>
  }

  nonisolated(unsafe) private static let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// The earlier handlers: the Swift runtime's backtrace, if it is on.
  nonisolated(unsafe) private static let previous = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
    actions.initialize(repeating: sigaction(), count: signals.count)
    return actions
  }()

  static func listen(output: Int32, writer: HostWriter) {
    _ = page
    place.initialize(
      to: Place(
        output: output, buffer: writer.buffer, filled: writer.filled,
        line: .allocate(capacity: 256)))
    for (index, signal) in signals.enumerated() {
      var action = sigaction()
      #if os(macOS)
        action.__sigaction_u.__sa_sigaction = { signal, info, _ in
          CrashReporter.say(signal: signal, info)
        }
      #else
        action.__sigaction_handler.sa_sigaction = { signal, info, _ in
          CrashReporter.say(signal: signal, info)
        }
      #endif
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(signal, &action, previous + index)
    }
    atexit { CrashReporter.say("exit") }
  }

  /// Gives handlers their own stack on this thread, so that a stack overflow is reported, too.
  static func useOwnStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
    // This variable is at the stack's very beginning.
    var start: UInt8 = 0
    withUnsafePointer(to: &start) {
      stackEnd.store(UInt(bitPattern: $0) - UInt(stackSize), ordering: .relaxed)
    }
  }

  /// Reports the crash, then lets the signal end the process as usual: a fault repeats with its
  /// instruction, any other signal is sent again.
  private static func say(signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
    var words: StaticString = "signal"
    if signal == SIGSEGV || signal == SIGBUS, let info {
      #if os(macOS)
        let address = UInt(bitPattern: info.pointee.si_addr)
      #else
        let address = UInt(bitPattern: info.pointee._sifields._sigfault.si_addr)
      #endif
      let end = stackEnd.load(ordering: .relaxed)
      // One frame may reach far beyond the end.
      if end > 0, address < end + (1 << 16), address > end - (1 << 20) {
        words = "the stack overflowed: a function calls itself endlessly"
      }
    }
    say(words)
    for (index, known) in signals.enumerated() where known == signal {
      sigaction(signal, previous + index, nil)
    }
    if info?.pointee.si_code ?? 0 <= 0 { raise(signal) }
  }

  /// Writes buffered lines, and one more. Must not allocate.
  private static func say(_ words: StaticString) {
    let request = page.request
    guard request > 0 else { return }
    page.set(request: 0)
    let place = place.pointee
    _ = write(place.output, place.buffer, place.filled.pointee)
    place.filled.pointee = 0
    var count = 0
    append("{\"id\":", place.line, &count)
    append(request, place.line, &count)
    append(",\"news\":\"dying\",\"step\":", place.line, &count)
    append(page.step, place.line, &count)
    append(",\"words\":\"", place.line, &count)
    append(words, place.line, &count)
    append("\"}\n", place.line, &count)
    _ = write(place.output, place.line, count)
  }

  private static func append(
    _ text: StaticString, _ line: UnsafeMutablePointer<UInt8>, _ count: inout Int
  ) {
    (line + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  private static func append(
    _ number: Int, _ line: UnsafeMutablePointer<UInt8>, _ count: inout Int
  ) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      line[count] = UInt8(48 + number / divisor % 10)
      count += 1
      divisor /= 10
    }
  }
}

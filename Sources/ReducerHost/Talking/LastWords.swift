import HostProtocol
import Platform
import Synchronization

/// Tells the debugger in which step the process ends, from within a signal handler.
///
/// A handler can be given nothing, so what it needs stands in one place for the whole process. It is
/// written once, before the handlers are in force; only the two numbers change later.
enum LastWords {
  /// The request that is being worked on; 0 for none.
  static let request = Atomic<Int>(0)
  static let step = Atomic<Int>(0)

  private struct Place {
    var output: Int32
    var buffer: UnsafeMutablePointer<UInt8>
    var filled: UnsafeMutablePointer<Int>
    var line: UnsafeMutablePointer<UInt8>
  }

  nonisolated(unsafe) private static let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  static func listen(output: Int32, voice: HostVoice) {
    place.initialize(
      to: Place(
        output: output, buffer: voice.buffer, filled: voice.filled,
        line: .allocate(capacity: 256)))
    for signal in signals { handleOnce(signal) { LastWords.say(signal: $0) } }
    atexit { LastWords.say(signal: 0) }
  }

  /// Lets handlers run on a stack of their own on this thread, so that a stack that is used up can
  /// be told, too.
  static func useOwnStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// Writes what waits, and one line. Nothing here allocates.
  private static func say(signal: Int32) {
    let request = request.load(ordering: .relaxed)
    guard request > 0 else { return }
    let place = place.pointee
    _ = write(place.output, place.buffer, place.filled.pointee)
    place.filled.pointee = 0
    var count = 0
    append("{\"id\":", place.line, &count)
    append(request, place.line, &count)
    append(",\"news\":\"dying\",\"step\":", place.line, &count)
    append(step.load(ordering: .relaxed), place.line, &count)
    append(signal == 0 ? ",\"words\":\"exit\"}\n" : ",\"words\":\"signal\"}\n", place.line, &count)
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

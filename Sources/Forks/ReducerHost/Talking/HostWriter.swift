import HostProtocol
import Platform
import StoreCore
import ValueTree

/// Writes messages to the debugger: steps in batches, answers at once.
///
/// `@unchecked Sendable`: the lock guards everything, except from ``CrashReporter`` when the process is
/// about to end.
final class HostWriter: @unchecked Sendable {
  private let lock = Lock()
  private let output: Int32
  let buffer: UnsafeMutablePointer<UInt8>
  let filled: UnsafeMutablePointer<Int>
  private var lastFlush = ContinuousClock.now
  private static let capacity = 1 << 16

  init(output: Int32) {
    self.output = output
    buffer = .allocate(capacity: Self.capacity)
    filled = .allocate(capacity: 1)
    filled.initialize(to: 0)
  }

  func say(_ id: Int, _ content: HostMessage.Content) {
    let line = HostMessage(id: id, content).value.bytes() + [10]
    lock.withLock {
      if filled.pointee + line.count > Self.capacity { flush() }
      if line.count > Self.capacity { return write(line) }
      line.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else {
          return impossible("a message ends with a line feed")
        }
        (buffer + filled.pointee).update(from: base, count: bytes.count)
      }
      filled.pointee += line.count
      if case .news(.step) = content, ContinuousClock.now - lastFlush < .milliseconds(20) { return }
      flush()
    }
  }

  private func flush() {
    write(UnsafeBufferPointer(start: buffer, count: filled.pointee))
    filled.pointee = 0
    lastFlush = .now
  }

  /// Ignores failures: without a reader, no report is possible.
  private func write(_ bytes: some Collection<UInt8>) {
    _ = bytes.withContiguousStorageIfAvailable {
      WholeTransfer.write(UnsafeRawBufferPointer($0), to: output)
    }
  }
}

/// Where requests are read and messages are written.
typealias HostStreams = (input: Int32, output: Int32)

/// Takes standard input and output for the talk: the reducer gets an empty input, and what it prints
/// goes to standard error.
func movedStreams() -> HostStreams {
  signal(SIGPIPE, SIG_IGN)
  let streams = (input: fcntl(0, F_DUPFD_CLOEXEC, 3), output: fcntl(1, F_DUPFD_CLOEXEC, 3))
  dup2(2, 1)
  let nothing = open("/dev/null", O_RDONLY)
  if nothing >= 0 {
    dup2(nothing, 0)
    close(nothing)
  }
  return streams
}

import Platform

/// A client's messages, one a line. Waiting ones take bounded memory.
final class AgentInput: Sendable {
  static let longestMessage = 16 << 20

  let messages: AsyncStream<[UInt8]>
  private let queue: AsyncStream<[UInt8]>.Continuation
  private let lock = Lock()
  private let changed = ThreadSignal()
  private let waiting = Locked(0)

  init() { (messages, queue) = AsyncStream<[UInt8]>.makeStream() }

  /// Reads until the end. Of an overlong message, keeps one byte too many and drops the rest.
  func read(from descriptor: Int32) {
    var message: [UInt8] = []
    let size = 1 << 16
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      while true {
        let count = retryingInterrupted { Platform.read(descriptor, buffer.baseAddress, size) }
        guard count > 0 else { break }
        let pieces = buffer[..<count].split(separator: 10, omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
          message += piece.prefix(Self.longestMessage + 1 - message.count)
          guard index < pieces.count - 1 else { break }
          enqueue(message)
          message = []
        }
      }
    }
    if !message.isEmpty { enqueue(message) }
    queue.finish()
  }

  func finish(_ message: [UInt8]) {
    lock.withLock { waiting.withLock { $0 -= message.count } }
    changed.wakeAll()
  }

  private func enqueue(_ message: [UInt8]) {
    lock.withLock {
      while waiting.withLock({ $0 }) > Self.longestMessage { changed.wait(in: lock) }
      waiting.withLock { $0 += message.count }
    }
    queue.yield(message)
  }
}

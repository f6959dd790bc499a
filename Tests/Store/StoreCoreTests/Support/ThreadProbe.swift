import Platform
import StoreCore

/// Names threads, and makes new ones.
enum ThreadProbe {
  static var current: UInt { ThreadID.current }

  /// Runs the work on a thread of its own, and gives that thread's name when it is done.
  @discardableResult
  static func ofNewThread(_ work: @escaping @Sendable () -> Void) async -> UInt {
    await withCheckedContinuation { continuation in
      let thread = try? SystemThread.start {
        work()
        continuation.resume(returning: current)
      }
      if thread == nil { continuation.resume(returning: 0) }
    }
  }
}

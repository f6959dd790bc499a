/// How many processors work for this process.
package let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// The time that each thread of a process has waited for a busy processor.
package struct ProcessorWait: Sendable {
  private var threads: [String: UInt64] = [:]

  package init(threads: [String: UInt64]) { self.threads = threads }

  /// Nil if the system does not report it, like Apple's.
  package init?(of process: pid_t) {
    let folder = "/proc/\(process)/task"
    for thread in namesInFolder(folder) {
      let file = open("\(folder)/\(thread)/schedstat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      // CPU time, waiting time, and the number of waits.
      let text = String(decoding: WholeTransfer.readAll(from: file) ?? [], as: UTF8.self)
      let numbers = text.split(separator: " ")
      if numbers.count > 1 { threads[thread] = UInt64(numbers[1]) }
    }
    guard !threads.isEmpty else { return nil }
  }

  package func longest(since earlier: Self) -> Duration {
    let waits = threads.map { thread, wait in
      wait - min(wait, earlier.threads[thread, default: 0])
    }
    return .nanoseconds(Int64(clamping: waits.max() ?? 0))
  }
}

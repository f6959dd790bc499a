import Platform
import TextCanvas

struct ProgressLine: Sendable {
  var output: Output
  var name: String
  private let shown = Locked(-1)

  func show(done: Int, of total: Int) {
    guard total > 0 else { return }
    let percent = Int(Double(min(max(done, 0), total)) / Double(total) * 100)
    guard output.messagesAreTerminal else { return show("\(percent) %") }
    let isNew = shown.withLock { shown in
      defer { shown = percent }
      return shown != percent
    }
    if isNew { output.messages("\r\(SafeText.line(name)) … \(percent) %\u{1B}[K") }
  }

  /// A terminal sees all news; elsewhere they are a line every four seconds.
  func show(_ words: String) {
    if let progress = output.progress { return progress(words) }
    guard output.messagesAreTerminal else {
      let now = Int(output.clock().components.seconds)
      let isDue = shown.withLock { last in
        if last < 0 { last = now }
        guard now - last >= 4 else { return false }
        last = now
        return true
      }
      if isDue { output.messages("\(SafeText.line(name)) … \(SafeText.line(words))\n") }
      return
    }
    output.messages("\r\(SafeText.line(name)) … \(SafeText.line(words))\u{1B}[K")
  }

  func clear() {
    if output.messagesAreTerminal { output.messages("\r\u{1B}[K") }
  }
}

/// Ctrl-C during work that can return partial results: ends the work, not the program. A second one
/// ends both.
enum Interrupt {
  /// The pipe end for the signal handler, in memory of its own, because a handler must not lock.
  nonisolated(unsafe) private static let end: UnsafeMutablePointer<Int32> = {
    let end = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    end.initialize(to: -1)
    return end
  }()

  static func heeding<Result: Sendable>(
    _ signals: [Int32] = [SIGINT], _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let pipe = closingPipe() else { return try await work() }
    let task = Task { try await work() }
    end.pointee = pipe.write
    for number in signals {
      signal(number) { number in
        var byte: UInt8 = 1
        _ = Platform.write(Interrupt.end.pointee, &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    let listener = try? SystemThread.start {
      var byte: UInt8 = 0
      if read(pipe.read, &byte, 1) == 1, byte == 1 { task.cancel() }
      close(pipe.read)
    }
    defer {
      for number in signals { signal(number, SIG_DFL) }
      end.pointee = -1
      close(pipe.write)
      if listener == nil { close(pipe.read) }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

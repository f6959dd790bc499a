import Platform

/// A started host: its process and the three pipes to it, which are read and written without waiting.
struct HostProcess: Sendable {
  let pid: pid_t
  /// Where requests are written.
  let input: Int32
  /// Where messages are read.
  let output: Int32
  /// Where its last words are read.
  let errors: Int32

  /// Starts the command in a process group of its own, so that keys typed at the debugger's
  /// terminal do not reach it.
  init(_ command: HostCommand) throws(HostFailure) {
    let pipes = try Self.openPipes(command)
    var start = ChildStart(command.program, command.arguments)
    start.environment = Self.environment(command)
    start.files = [
      0: .descriptor(pipes[0].read), 1: .descriptor(pipes[1].write), 2: .descriptor(pipes[2].write),
    ]
    start.isApart = true
    let child = Result { () throws(ChildStart.Failure) in try start.run() }
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
    switch child {
    case .success(let pid): self.pid = pid
    case .failure(let failure):
      for end in [pipes[0].write, pipes[1].read, pipes[2].read] { close(end) }
      throw .couldNotStart(command, reason: failure.reason)
    }
    input = pipes[0].write
    output = pipes[1].read
    errors = pipes[2].read
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Ends the process and what it started itself.
  func kill() {
    _ = Platform.kill(-pid, SIGKILL)
  }

  /// Nil while it runs.
  func exitIfEnded() -> HostExit? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? HostExit(waitStatus: status) : nil
  }

  func waitForExit() -> HostExit {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1 && errno == EINTR {}
    return HostExit(waitStatus: status)
  }

  func closePipes() {
    for end in [input, output, errors] { close(end) }
  }

  private static func openPipes(
    _ command: HostCommand
  ) throws(HostFailure) -> [(read: Int32, write: Int32)] {
    var pipes: [(read: Int32, write: Int32)] = []
    for _ in 0..<3 {
      guard let pipe = closingPipe() else {
        let reason = errorText(errno)
        for (read, write) in pipes {
          close(read)
          close(write)
        }
        throw .couldNotStart(command, reason: reason)
      }
      pipes.append(pipe)
    }
    return pipes
  }

  private static func environment(_ command: HostCommand) -> [String: String] {
    var variables = currentEnvironment()
    // A backtrace takes seconds and pushes the last words away.
    variables["SWIFT_BACKTRACE"] = variables["SWIFT_BACKTRACE"] ?? "enable=no"
    variables.merge(command.environment) { $1 }
    return variables
  }
}

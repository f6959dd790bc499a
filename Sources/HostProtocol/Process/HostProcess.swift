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
  /// Where it writes down what it does; nil where the system has no room for that.
  let page: StepPage?

  /// Starts the command in a process group of its own, so that keys typed at the debugger's
  /// terminal do not reach it.
  init(_ command: HostCommand) throws(HostFailure) {
    let pipes = try Self.openPipes(command)
    let page = StepPage.new()
    var start = ChildStart(command.program, command.arguments)
    start.environment = Self.environment(command)
    start.files = [
      0: .descriptor(pipes[0].read), 1: .descriptor(pipes[1].write), 2: .descriptor(pipes[2].write),
    ]
    if let page {
      start.files[StepPage.number] = .descriptor(page.descriptor)
      start.environment?[StepPage.variable] = "\(StepPage.number)"
    }
    start.isApart = true
    let child = Result { () throws(ChildStart.Failure) in try start.run() }
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { Platform.close(end) }
    if let page { Platform.close(page.descriptor) }
    switch child {
    case .success(let pid): self.pid = pid
    case .failure(let failure):
      for end in [pipes[0].write, pipes[1].read, pipes[2].read] { Platform.close(end) }
      page?.page.unmap()
      throw .couldNotStart(command, reason: command.missingInterpreter ?? failure.reason)
    }
    HostGroups.add(pid)
    self.page = page?.page
    input = pipes[0].write
    output = pipes[1].read
    errors = pipes[2].read
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Ends the process and what it started itself.
  func kill() { _ = Platform.kill(-pid, SIGKILL) }

  /// Nil while it runs.
  func exitIfEnded() -> HostExit? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? HostExit(waitStatus: status) : nil
  }

  func waitForExit() -> HostExit {
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(pid, &status, 0) }
    return HostExit(waitStatus: status)
  }

  /// Lets go of all that was had for it.
  func close() {
    HostGroups.remove(pid)
    for end in [input, output, errors] { Platform.close(end) }
    page?.unmap()
  }

  private static func openPipes(
    _ command: HostCommand
  ) throws(HostFailure) -> [(read: Int32, write: Int32)] {
    var pipes: [(read: Int32, write: Int32)] = []
    for _ in 0..<3 {
      guard let pipe = closingPipe() else {
        let reason = errorText(errno)
        for (read, write) in pipes {
          Platform.close(read)
          Platform.close(write)
        }
        throw .couldNotStart(command, reason: reason)
      }
      pipes.append(pipe)
    }
    return pipes
  }

  private static func environment(_ command: HostCommand) -> [String: String] {
    var variables = currentEnvironment()
    // Of a crash only the thread that crashed is of interest, in a form that can be read again.
    variables["SWIFT_BACKTRACE"] =
      variables["SWIFT_BACKTRACE"]
      ?? "enable=yes,interactive=no,color=no,threads=crashed,images=none,registers=none,"
      + "limit=64,top=0,timeout=none,output-to=stderr,sanitize=no"
    variables.merge(command.environment) { $1 }
    return variables
  }
}

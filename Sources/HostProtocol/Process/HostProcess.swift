#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[0].read, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1].write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[2].write, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGPIPE, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
      sigaddset(&signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid = pid_t()
    let failure = withCStrings([command.program] + command.arguments) { arguments in
      withCStrings(Self.environment(command)) { environment in
        posix_spawnp(&pid, command.program, &actions, &attributes, arguments, environment)
      }
    }
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
    guard failure == 0 else {
      for end in [pipes[0].write, pipes[1].read, pipes[2].read] { close(end) }
      throw .couldNotStart(command, reason: errorText(failure))
    }
    self.pid = pid
    input = pipes[0].write
    output = pipes[1].read
    errors = pipes[2].read
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Ends the process and what it started itself.
  func kill() {
    #if canImport(Glibc)
      _ = Glibc.kill(-pid, SIGKILL)
    #else
      _ = Darwin.kill(-pid, SIGKILL)
    #endif
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

  private static func environment(_ command: HostCommand) -> [String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let words = String(cString: text).split(separator: "=", maxSplits: 1)
      if words.count == 2 { variables[String(words[0])] = String(words[1]) }
      entry += 1
    }
    // A backtrace takes seconds and pushes the last words away.
    variables["SWIFT_BACKTRACE"] = variables["SWIFT_BACKTRACE"] ?? "enable=no"
    variables.merge(command.environment) { $1 }
    return variables.map { "\($0)=\($1)" }.sorted()
  }
}

/// A pipe whose ends are closed in every process that is started after it.
func closingPipe() -> (read: Int32, write: Int32)? {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers)
}

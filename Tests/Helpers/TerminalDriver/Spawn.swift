import Platform

/// Starts programs with `posix_spawn`; Swift cannot fork safely.
enum Spawn {
  /// The targets of standard input, output and error.
  enum Files {
    /// A terminal, which also becomes the controlling one of a new session.
    case terminal(path: String)
    /// Nothing to read; output into a descriptor.
    case output(Int32)
  }

  static func start(
    _ program: String, arguments: [String], environment: [String: String], files: Files
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    switch files {
    case .terminal(let path):
      flags |= newSession
      posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    case .output(let descriptor):
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
      posix_spawn_file_actions_adddup2(&actions, descriptor, 2)
    }
    var signals = sigset_t()
    sigfillset(&signals)
    for signal in [SIGKILL, SIGSTOP] { sigdelset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, flags)

    var strings: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (strings + variables).forEach { free($0) } }
    var process = pid_t()
    let error = posix_spawnp(&process, program, &actions, &attributes, &strings, &variables)
    guard error == 0 else { throw DriverError("starting \(program)", error: error) }
    return process
  }

  private static var newSession: Int16 {
    #if canImport(Darwin)
      Int16(POSIX_SPAWN_SETSID)
    #else
      0x80  // POSIX_SPAWN_SETSID
    #endif
  }

  /// Runs a program to its end and answers what it printed.
  static func output(
    of program: String, _ arguments: [String], environment: [String: String]
  ) throws -> (text: String, status: ProcessEnd) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw DriverError("making a pipe", error: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: pid_t
    do {
      process = try start(
        program, arguments: arguments, environment: environment, files: .output(ends[1]))
      close(ends[1])
    } catch {
      close(ends[1])
      throw error
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer.prefix(count)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (String(decoding: bytes, as: UTF8.self), ProcessEnd(waitStatus: status))
  }
}

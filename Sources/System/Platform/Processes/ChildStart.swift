#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// Apps on phones, televisions and watches cannot start programs, and may lack the calls.
#if os(macOS) || !canImport(Darwin)
  /// A program to start as a child, without a shell.
  ///
  /// ```swift
  /// var start = ChildStart("less", ["notes.txt"])
  /// start.files = [2: .nothing]
  /// let child = try start.run()
  /// ```
  package struct ChildStart {
    package enum File {
      case descriptor(Int32)
      case nothing
    }

    package struct Failure: Error, CustomStringConvertible {
      package var program: String
      package var reason: String
      package var description: String { "cannot start \(program): \(reason)" }
    }

    package var program: String
    package var arguments: [String]
    /// Nil uses this process's.
    package var environment: [String: String]?
    package var files: [Int32: File] = [:]
    /// In its own process group, with no signal ignored or blocked.
    package var isApart = false

    package init(_ program: String, _ arguments: [String]) {
      self.program = program
      self.arguments = arguments
    }

    package func run() throws(Failure) -> pid_t {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (number, file) in files.sorted(by: { $0.key < $1.key }) {
        switch file {
        case .descriptor(let descriptor):
          posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
      }
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      if isApart {
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
      }
      var pid = pid_t()
      let failure = withCStrings([program] + arguments) { words in
        guard let environment else {
          return posix_spawnp(&pid, program, &actions, &attributes, words, environ)
        }
        return withCStrings(environment.map { "\($0)=\($1)" }.sorted()) {
          posix_spawnp(&pid, program, &actions, &attributes, words, $0)
        }
      }
      guard failure == 0 else { throw Failure(program: program, reason: errorText(failure)) }
      return pid
    }
  }

  private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
#endif

package func closingPipe() -> (read: Int32, write: Int32)? {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that is run to its end.
enum Subprocess {
  /// Runs a program with the terminal of this process, or with a text as its input. No shell is
  /// involved. Returns its exit status.
  static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> Int32 {
    #if canImport(Glibc)
      var files = posix_spawn_file_actions_t()
    #else
      var files: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    var pipe: (read: Int32, write: Int32)?
    if input != nil {
      let ends = try openPipe()
      pipe = ends
      posix_spawn_file_actions_adddup2(&files, ends.read, 0)
      posix_spawn_file_actions_addclose(&files, ends.write)
      posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawnp(&child, program, &files, nil, words, environ)
    if let pipe { close(pipe.read) }
    guard failure == 0 else {
      if let pipe { close(pipe.write) }
      throw UsageError(what: "cannot start \(program): \(String(cString: strerror(failure)))")
    }
    if let pipe, let input {
      try? FileSystem.write(input, to: pipe.write)
      close(pipe.write)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func openPipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw UsageError(what: "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }
}

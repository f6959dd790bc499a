#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child process run to its end, with what it cost.
struct ChildProcess {
  var seconds: Double
  var peakBytes: Double
  var status: Int32

  struct NotStarted: Error, CustomStringConvertible {
    var command: String
    var reason: Int32
    var description: String { "cannot start \(command): \(String(cString: strerror(reason)))" }
  }

  /// Runs a command without a shell. Standard input and output go to and come from `/dev/null`.
  static func run(_ arguments: [String]) throws -> ChildProcess {
    #if canImport(Glibc)
      var files = posix_spawn_file_actions_t()
    #else
      var files: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }

    let clock = ContinuousClock()
    let start = clock.now
    var child: pid_t = 0
    let failure = posix_spawnp(&child, arguments[0], &files, nil, words, environ)
    guard failure == 0 else { throw NotStarted(command: arguments[0], reason: failure) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    let seconds = (clock.now - start).inSeconds
    #if canImport(Glibc)
      let unit = 1024.0
    #else
      let unit = 1.0
    #endif
    return ChildProcess(
      seconds: seconds, peakBytes: Double(usage.ru_maxrss) * unit, status: status)
  }
}

import Platform

/// Where requests are read and messages are written.
struct HostStreams: Sendable {
  var input: Int32
  var output: Int32

  /// Takes standard input and output for the talk: the reducer gets an empty input, and what it
  /// prints goes to standard error.
  static func moved() -> HostStreams {
    signal(SIGPIPE, SIG_IGN)
    let streams = HostStreams(
      input: fcntl(0, F_DUPFD_CLOEXEC, 3), output: fcntl(1, F_DUPFD_CLOEXEC, 3))
    dup2(2, 1)
    let nothing = open("/dev/null", O_RDONLY)
    if nothing >= 0 {
      dup2(nothing, 0)
      close(nothing)
    }
    return streams
  }
}

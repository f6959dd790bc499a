import HostProtocol
import Platform

/// A child process run to its end, with what it cost.
struct ChildProcess {
  var seconds: Double
  var peakBytes: Double
  var status: Int32

  /// Runs a command without a shell. Standard input and output go to and come from `/dev/null`.
  static func run(_ arguments: [String]) throws -> ChildProcess {
    var command = ChildStart(arguments[0], Array(arguments.dropFirst()))
    command.files = [0: .nothing, 1: .nothing]
    let clock = ContinuousClock()
    let start = clock.now
    let child = try command.run()
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    let seconds = (clock.now - start).inSeconds
    #if os(macOS)
      let unit = 1.0
    #else
      let unit = 1024.0
    #endif
    return ChildProcess(
      seconds: seconds, peakBytes: Double(usage.ru_maxrss) * unit, status: status)
  }
}

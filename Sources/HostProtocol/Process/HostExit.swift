import Platform

/// How a host process ended.
package enum HostExit: Sendable, Hashable {
  case status(Int)
  case signal(Int, name: String)

  /// From what `waitpid` gave.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    if signal == 0 {
      self = .status(Int((waitStatus >> 8) & 0xff))
    } else {
      self = .signal(Int(signal), name: Self.signalName(signal))
    }
  }

  /// `signal 4 (SIGILL)` or `exit status 1`.
  package var text: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let number, let name): "signal \(number) (\(name))"
    }
  }

  /// What may lie behind it, where the words alone do not say.
  var hint: String? {
    switch self {
    case .signal(Int(SIGKILL), _): "somebody killed it, perhaps the system when memory ran out"
    case .status(127): "the program, or one that it starts, was not found"
    default: nil
    }
  }

  private static func signalName(_ signal: Int32) -> String {
    switch signal {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGQUIT: "SIGQUIT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGSEGV: "SIGSEGV"
    case SIGPIPE: "SIGPIPE"
    case SIGTERM: "SIGTERM"
    default: "unknown"
    }
  }
}

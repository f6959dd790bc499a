/// How a process ended.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
  case exited(Int32)
  case signalled(Int32)

  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  package var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}

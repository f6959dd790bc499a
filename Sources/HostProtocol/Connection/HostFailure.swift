import SessionLog

/// Why a request to a host has no answer.
public enum HostFailure: Sendable, Hashable {
  case couldNotStart(HostCommand, reason: String)
  /// The process ended while it worked, or before.
  case died(HostDeath)
  /// The reducer did not return from this step, or the host did not answer at all. It was ended.
  case timedOut(step: Int?)
  case refused(HostRefusal)
  /// It wrote something that is no message.
  case misspoke(String)
  case incompatible(ProtocolVersion)
  case cancelled
}

/// The end of a host process.
public struct HostDeath: Sendable, Hashable {
  public var exit: HostExit
  /// The step that was being reduced, as far as it is known.
  public var step: Int?
  /// The line on standard error that says why: a Swift trap's message, else the last one.
  public var lastWords: String
  /// The end of what it wrote to standard error.
  public var errors: String

  init(exit: HostExit, step: Int?, errors: String) {
    self.exit = exit
    self.step = step
    self.errors = errors
    let lines = errors.split(whereSeparator: \.isNewline)
    let trap = lines.last { $0.contains("Fatal error:") || $0.contains("Error:") }
    lastWords = (trap ?? lines.last).map(String.init) ?? ""
  }
}

extension HostFailure: Explained {
  /// What happened, without the place and without a full stop.
  public var what: String {
    switch self {
    case .couldNotStart(let command, let reason):
      "the host `\(command.text)` could not be started (\(reason))"
    case .died(let death):
      "the host ended with \(death.exit.text)"
        + (death.lastWords.isEmpty ? "" : ": \(death.lastWords)")
    case .timedOut: "the reducer did not return in time and its host was ended"
    case .refused(let refusal): "the host refused: \(refusal.message.withoutFullStop)"
    case .misspoke(let text): "the host wrote something that is no message: \(text)"
    case .incompatible(let version):
      "the host speaks version \(version) of the protocol, this is \(ProtocolVersion.current)"
    case .cancelled: "the request was cancelled"
    }
  }

  public var place: String? {
    switch self {
    case .died(let death): death.step.map { "step \($0)" }
    case .timedOut(let step): step.map { "step \($0)" }
    default: nil
    }
  }

  public var next: String? {
    switch self {
    case .couldNotStart: "Check that the program exists and may be run"
    case .misspoke: "A host writes nothing but messages to standard output"
    case .incompatible: "Build the host against the same version of Retcon"
    default: nil
    }
  }
}

extension String {
  /// A message of a host may be a whole sentence, and stands inside another one here.
  fileprivate var withoutFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}

/// Why there is no terminal to show anything on.
public enum TerminalError: Error, Sendable, Hashable {
  /// Standard output goes to a file or a pipe.
  case outputIsNoTerminal
  /// Keys cannot be read from anywhere.
  case inputIsNoTerminal
  /// `TERM` is missing, names a terminal nobody knows, or one that cannot place its cursor.
  case unknownTerminal(name: String)
  /// The system refused something.
  case system(what: String, error: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One sentence: what happened and what to do.
  public var description: String {
    switch self {
    case .outputIsNoTerminal:
      "standard output is not a terminal; --print WIDTHxHEIGHT prints the screen as text"
    case .inputIsNoTerminal:
      "there is no terminal to read keys from; --print WIDTHxHEIGHT prints the screen as text"
    case .unknownTerminal(let name) where name.isEmpty:
      "TERM is not set; try TERM=xterm-256color"
    case .unknownTerminal(let name):
      "TERM=\(name) cannot show a full screen, or is not known here; try TERM=xterm-256color"
    case .system(let what, let error):
      "\(what) failed (error \(error))"
    }
  }
}

import HostProtocol
import TextCanvas

/// What a command may touch outside itself.
struct CommandContext: Sendable {
  /// How the program was called, for help and for starting itself again.
  var program: String
  var environment: [String: String]
  var output: Output
  /// The host of the app that this program is the debugger of.
  var ownHost: HostCommand?

  /// Says on standard error what is not there, and what may have been meant.
  func deny(_ words: String, meant: (some CustomStringConvertible)?) {
    let near = meant.map { " Did you mean \($0)?" } ?? ""
    output.talk(SafeText.line("\(program): \(words).\(near)") + "\n")
  }
}

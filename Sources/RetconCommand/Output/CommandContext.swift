import HostProtocol

/// What a command may touch outside itself.
struct CommandContext: Sendable {
  /// How the program was called, for help and for starting itself again.
  var program: String
  var environment: [String: String]
  var output: Output
  /// The host of the app that this program is the debugger of.
  var ownHost: HostCommand?
}

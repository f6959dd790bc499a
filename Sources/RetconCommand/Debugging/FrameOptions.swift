import TerminalKit
import TextCanvas

/// How the debugger is shown.
struct FrameOptions: Sendable {
  /// Print one frame of this size instead of opening the terminal.
  var print: Size?
  var isAsciiOnly = false
  var usesMouse = true

  static let declarations = [
    OptionDeclaration(
      "print", value: "WIDTHxHEIGHT", help: "print one frame as text and leave"),
    OptionDeclaration("ascii", help: "draw with ASCII characters only"),
    OptionDeclaration("no-mouse", help: "leave the mouse to the terminal"),
  ]

  init(_ arguments: ParsedArguments) throws {
    print = try arguments.value("print").map { try Size(argument: $0) }
    isAsciiOnly = arguments.has("ascii")
    usesMouse = !arguments.has("no-mouse")
  }

  var terminal: TerminalOptions {
    var options = TerminalOptions.fromEnvironment
    options.isAsciiOnly = isAsciiOnly
    options.usesMouse = usesMouse
    return options
  }
}

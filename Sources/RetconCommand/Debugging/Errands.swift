import HostProtocol
import Platform
import TerminalKit

/// What the debugger wants of other programs: the editor, the clipboard.
///
/// Both are the user's own choice, from the environment; a session has no say in them.
struct Errands: Sendable {
  var environment: [String: String]

  /// Opens a text in the person's editor, and gives back what they made of it.
  func edit(_ text: String, name: String, _ screen: any TerminalScreen) async throws -> String {
    let folder = try FileSystem.temporaryFolder(in: environment)
    let path = folder + "/" + fileName(name)
    defer {
      FileSystem.remove(path)
      rmdir(folder)
    }
    try FileSystem.write(text, to: path)
    let editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let status = try await screen.leave {
      // The editor may be several words; the path is an argument and never part of the command.
      try Subprocess.run("/bin/sh", ["-c", editor + " \"$1\"", "sh", path])
    }
    guard status == 0 else {
      throw UsageError(
        what: "the editor (\(editor)) ended with \(status)",
        next: "Set EDITOR to a program that is there")
    }
    return try FileSystem.text(of: path)
  }

  /// Puts a text on the clipboard: with the system's command where there is one, else through the
  /// terminal, which works over ssh.
  func copy(_ text: String, _ screen: any TerminalScreen) async {
    for command in clipboardCommands {
      if (try? Subprocess.run(command[0], Array(command.dropFirst()), input: text)) == 0 { return }
    }
    screen.copy(text)
  }

  private var clipboardCommands: [[String]] {
    if environment["SSH_CONNECTION"] != nil { return [] }
    #if os(macOS)
      return [["pbcopy"]]
    #else
      var commands: [[String]] = []
      if environment["WAYLAND_DISPLAY"] != nil { commands.append(["wl-copy"]) }
      if environment["DISPLAY"] != nil { commands.append(["xclip", "-selection", "clipboard"]) }
      return commands
    #endif
  }

  /// Letters, digits and a few marks of a hint, so that it names a file and nothing else.
  private func fileName(_ hint: String) -> String {
    let safe = hint.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
        ? character : "-"
    }
    let name = String(safe.prefix(60)).drop { $0 == "." || $0 == "-" }
    return name.isEmpty ? "value.json" : String(name)
  }
}

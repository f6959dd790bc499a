import HostProtocol
import Platform
import TerminalKit

/// Starts the editor and the clipboard.
///
/// Both are the user's choice, from the environment; a session has no influence.
struct ExternalTools: Sendable {
  var environment: [String: String]

  func edit(_ text: String, name: String, _ screen: any TerminalScreen) async throws -> String {
    let folder = try FileSystem.temporaryFolder(in: environment)
    let path = folder.path + "/" + fileName(name)
    defer { withExtendedLifetime(folder) {} }
    try FileSystem.write(text, to: path)
    try await runEditor([path], screen)
    return try FileSystem.text(of: path)
  }

  func open(_ path: String, line: Int, _ screen: any TerminalScreen) async throws {
    guard FileSystem.exists(path) else {
      throw UsageError(what: "there is no file \(path) any more")
    }
    try await runEditor(Self.words(for: path, line: line, in: editor), screen)
  }

  private var editor: String {
    ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  private func runEditor(_ words: [String], _ screen: any TerminalScreen) async throws {
    let editor = editor
    let status = try await screen.lend {
      // The editor may be several words; paths are arguments and never part of the command.
      try Subprocess.run("/bin/sh", ["-c", editor + " \"$@\"", "sh"] + words)
    }
    guard status == 0 else {
      throw UsageError(
        what: "the editor (\(editor)) ended with \(status)",
        next: "Set EDITOR to a program that is there")
    }
  }

  /// The editor's arguments for a line: vi's form, unless the editor is known to use another.
  static func words(for path: String, line: Int, in editor: String) -> [String] {
    let program = editor.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    switch program {
    case "code", "codium", "cursor": return ["--goto", "\(path):\(line)"]
    case "hx", "helix", "zed", "subl": return ["\(path):\(line)"]
    default: return ["+\(line)", path]
    }
  }

  /// Copies a text with the system's command if there is one, else through the terminal, which also
  /// works over ssh.
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

  /// A hint's letters, digits and some marks, so that it names a file and nothing else.
  private func fileName(_ hint: String) -> String {
    let safe = hint.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
        ? character : "-"
    }
    let name = String(safe.prefix(60)).drop { $0 == "." || $0 == "-" }
    return name.isEmpty ? "value.json" : String(name)
  }
}

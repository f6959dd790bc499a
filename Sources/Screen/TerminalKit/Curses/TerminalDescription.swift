import CTerminal
import Platform

/// Finds the description of a terminal: where this system's ncurses looks, where other systems keep theirs,
/// then among the common ones that the program carries. A program from a package needs no database.
struct TerminalDescription {
  /// The name to open the screen with, or `nil` when the terminal is unknown.
  private(set) var type: String?
  private let variables = ["TERMINFO_DIRS", "TERMINFO"].map { ($0, environmentVariable($0)) }

  private static let places = [
    "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
    "/usr/share/lib/terminfo", "/usr/local/share/terminfo",
    "/run/current-system/sw/share/terminfo",
  ]

  /// Terminals that understand what xterm understands.
  private static let likeXterm = [
    "alacritty", "contour", "foot", "ghostty", "kitty", "wezterm", "xterm",
  ]

  /// Name and description in base64, from the database of ncurses: `infocmp -0 -q -Q2 NAME`.
  static let carried: [String: String] = Dictionary(
    uniqueKeysWithValues: String(decoding: PackageResources.terminals_txt, as: UTF8.self)
      .split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), String(words[1]))
      })

  init(of name: String, output: Int32) {
    func isKnown(_ name: String) -> Bool {
      var problem: Int32 = 0
      return setupterm(name, output, &problem) == OK
    }
    if isKnown(name) { type = name }
    guard type == nil else { return }
    setenv("TERMINFO_DIRS", Self.places.joined(separator: ":"), 1)
    if isKnown(name) { type = name }
    guard type == nil, let found = Self.carriedName(for: name) else { return }
    setenv("TERMINFO", "b64:" + Self.carried[found, default: ""], 1)
    if isKnown(found) { type = found }
  }

  /// The name of a carried description that fits.
  static func carriedName(for name: String) -> String? {
    if carried[name] != nil { return name }
    return likeXterm.contains { name.hasPrefix($0) } ? "xterm-256color" : nil
  }

  /// Once the screen is open. An editor that the debugger starts gets the variables as they were.
  func restoreEnvironment() {
    for (name, value) in variables {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
  }
}

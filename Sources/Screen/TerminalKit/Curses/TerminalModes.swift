import CTerminal

struct TerminalModes {
  /// Whether controls begin with `ESC [`, as in descendants of the VT100.
  let isAnsi: Bool
  let hasMouse: Bool
  /// Whether it can be asked about synchronized output.
  let answersQueries: Bool
  /// Whether it turns text between two sequences into a link; others ignore or print them.
  let showsLinks: Bool

  /// Needs `setupterm` to have read the terminal's description.
  init(name: String, variable: (String) -> String) {
    let program = variable("TERM_PROGRAM")
    let move = Self.capability("cup")
    isAnsi = move.hasPrefix("\u{1B}[")
    hasMouse = isAnsi && !Self.capability("kmous").isEmpty
    // These two print a part of the question.
    answersQueries = isAnsi && !name.hasPrefix("linux") && program != "Apple_Terminal"
    showsLinks = isAnsi && Self.knowsLinks(name: name, variable)
  }

  /// Recognises terminals with links by their variables, because terminals cannot be asked.
  static func knowsLinks(name: String, _ variable: (String) -> String) -> Bool {
    let forced = variable("FORCE_HYPERLINK")
    if !forced.isEmpty { return forced != "0" }
    let program = variable("TERM_PROGRAM")
    if !variable("TMUX").isEmpty {
      // Other variables belong to the outer terminal.
      let version = variable("TERM_PROGRAM_VERSION").split(separator: ".").map {
        Int($0.prefix { $0.isNumber }) ?? 0
      }
      return program == "tmux" && !version.lexicographicallyPrecedes([3, 4])
    }
    return ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(program)
      || ["kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"].contains {
        name.contains($0)
      }
      || !variable("KONSOLE_VERSION").isEmpty || !variable("WT_SESSION").isEmpty
      || Int(variable("VTE_VERSION")) ?? 0 >= 5_000
  }

  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"
  static let asksForSynchronizing = "\u{1B}[?2026$p"
  /// Drags, and columns beyond 223. Under tmux ncurses asks for neither; there `InputDecoder` reads
  /// the reports.
  static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  static let mouseOff = "\u{1B}[?1002l"

  /// The modes that ncurses does not enable itself, except the mouse.
  var on: String { isAnsi ? "\u{1B}[?2004h" : "" }

  /// The modes that ncurses does not disable itself.
  var off: String {
    guard isAnsi else { return "" }
    return (hasMouse ? "\u{1B}[?1006l\u{1B}[?1003l\(Self.mouseOff)\u{1B}[?1000l" : "")
      + "\u{1B}[?2004l\(Self.endFrame)"
  }

  /// Everything that restores the terminal when ncurses cannot run.
  var restoring: String {
    off + ["rmkx", "oc", "op", "sgr0", "cnorm", "rmcup"].map(Self.capability).joined() + "\r"
  }

  /// A capability without padding, which only paper terminals need; empty if missing.
  static func capability(_ name: String) -> String {
    guard let text = curses_capability(name) else { return "" }
    var result = ""
    var rest = Substring(String(cString: text))
    while let pause = rest.firstRange(of: "$<")?.lowerBound {
      result += rest[..<pause]
      guard let end = rest[pause...].firstIndex(of: ">") else { return result }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

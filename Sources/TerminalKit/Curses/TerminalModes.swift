import CNcurses

/// What this terminal can do, and the byte strings that switch it.
struct TerminalModes {
  /// Controls begin with `ESC [`, as in everything that descends from the VT100.
  let isAnsi: Bool
  let hasMouse: Bool
  /// May be asked whether it knows synchronized output.
  let answersQueries: Bool
  /// Makes a link of text between two sequences; others leave the sequences out, or print them.
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

  /// There is no way to ask a terminal, so those that are known to are told by what they say of themselves.
  static func knowsLinks(name: String, _ variable: (String) -> String) -> Bool {
    let forced = variable("FORCE_HYPERLINK")
    if !forced.isEmpty { return forced != "0" }
    let program = variable("TERM_PROGRAM")
    if !variable("TMUX").isEmpty {
      // What else is in the environment is of the terminal around it.
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
  static let mouseOn = "\u{1B}[?1002h"
  static let mouseOff = "\u{1B}[?1002l"

  /// What ncurses does not switch on by itself, except the mouse.
  var on: String { isAnsi ? "\u{1B}[?2004h" : "" }

  /// What ncurses does not switch off by itself.
  var off: String {
    guard isAnsi else { return "" }
    return (hasMouse ? "\u{1B}[?1006l\u{1B}[?1003l\(Self.mouseOff)\u{1B}[?1000l" : "")
      + "\u{1B}[?2004l\(Self.endFrame)"
  }

  /// Everything that brings the terminal back where ncurses cannot run any more.
  var restoring: String {
    off + ["rmkx", "oc", "op", "sgr0", "cnorm", "rmcup"].map(Self.capability).joined() + "\r"
  }

  /// A capability without the pauses that only paper terminals need; empty if there is none.
  static func capability(_ name: String) -> String {
    guard let text = curses_capability(name) else { return "" }
    var result = ""
    var rest = Substring(String(cString: text))
    while let pause = rest.firstRange(of: "$<") {
      result += rest[..<pause]
      guard let end = rest[pause...].firstIndex(of: ">") else { return result }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

extension Substring {
  /// The place where two characters first stand next to each other.
  fileprivate func firstRange(of pair: String) -> Index? {
    indices.first { self[$0...].hasPrefix(pair) }
  }
}

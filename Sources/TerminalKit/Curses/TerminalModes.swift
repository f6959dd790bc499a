import CNcurses

/// What this terminal can do, and the byte strings that switch it.
struct TerminalModes {
  /// Controls begin with `ESC [`, as in everything that descends from the VT100.
  let isAnsi: Bool
  let hasMouse: Bool
  /// May be asked whether it knows synchronized output.
  let answersQueries: Bool

  /// Needs `setupterm` to have read the terminal's description.
  init(name: String, program: String) {
    let move = Self.capability("cup")
    isAnsi = move.hasPrefix("\u{1B}[")
    hasMouse = isAnsi && !Self.capability("kmous").isEmpty
    // These two print a part of the question.
    answersQueries = isAnsi && !name.hasPrefix("linux") && program != "Apple_Terminal"
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

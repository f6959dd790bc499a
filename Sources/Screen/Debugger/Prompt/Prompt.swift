import SessionWords
import TextCanvas

package struct Prompt: Sendable, Hashable {
  package enum Purpose: Sendable, Hashable {
    case search
    case inPane
    case inList
    case condition
    case filter
    case command
    case note
    case name(of: BranchID, String)
    case noteOn(BranchID, String)

    var sign: String {
      switch self {
      case .search, .inPane, .inList: "/"
      case .condition: ";"
      case .filter: "filter: "
      case .command: ":"
      case .note: "note: "
      case .name(_, let name): "name of “\(name)”: "
      case .noteOn(_, let name): "note on “\(name)”: "
      }
    }

    /// A hint on how to begin, shown until the user types.
    var example: String {
      switch self {
      case .search: "a text of the steps, as in save"
      case .inPane: "a text of this pane"
      case .inList: "a text of this list"
      case .condition: "a condition, as in state.total < 0"
      case .filter: "as in only label == 'save', hide label == 'save'; off lists all"
      case .note: "a note on this step"
      case .command, .name, .noteOn: ""
      }
    }
  }

  var purpose: Purpose
  var line = LineEditor()
  var problem: String?
  /// The column of a mistake in the line.
  var mistake: Int?
  var offers: [String] = []
  var selected = 0
  var recalled = 0
  /// A suggestion behind the cursor, until the user types there.
  var ghost = ""
  /// Whether `Enter` takes the ghost; else it is an example.
  var takesGhost = false
  private let start: String

  init(_ purpose: Purpose, _ text: String = "", ghost: String = "", takesGhost: Bool = false) {
    self.purpose = purpose
    line = LineEditor(text)
    start = text
    self.ghost = ghost.isEmpty && text.isEmpty ? purpose.example : ghost
    self.takesGhost = takesGhost && !ghost.isEmpty
  }

  /// Whether it is the line of `:fork`, which lists what can be changed.
  var isFork: Bool { purpose == .command && line.begins(with: "fork ") }
  static let send = "app send "
  var isSend: Bool { purpose == .command && line.begins(with: Self.send) }
  var isRule: Bool { purpose == .command && line.begins(with: "rule ") }

  /// The ghost that is shown.
  var shownGhost: String { line.text == start ? ghost : "" }

  mutating func acceptGhost() { if takesGhost { line.insert(shownGhost) } }

  mutating func type(_ key: Key) {
    if key == .right, takesGhost, line.cursor == line.characters.count { acceptGhost() }
    guard line.handle(key) else { return }
    problem = nil
    mistake = nil
    offers = []
    selected = 0
    recalled = 0
  }

  private static let asking: Set = ["rule", "minimize", "why", "explore"]

  /// The condition in the line, and its column.
  var condition: (text: String, start: Int)? {
    let text = line.text
    func part(after words: Substring) -> (text: String, start: Int) {
      let rest = text[words.endIndex...].drop { $0 == " " }
      return (String(rest), text.distance(from: text.startIndex, to: rest.startIndex))
    }
    let first = text.prefix { $0 != " " }
    switch purpose {
    case .condition: return (text, 0)
    case .filter:
      return part(after: StepFilter.Mode(rawValue: String(first)) == nil ? text.prefix(0) : first)
    case .command where Self.asking.contains(String(first)) && first.count < text.count:
      return part(after: first)
    default: return nil
    }
  }
}

struct TypedBefore: Sendable {
  private static let longest = 4_000
  private var texts: [String: [String]] = [:]

  subscript(purpose: Prompt.Purpose) -> [String] { texts[purpose.sign] ?? [] }

  mutating func add(_ text: String, for purpose: Prompt.Purpose) {
    guard !text.isEmpty, text.utf8.count < Self.longest else { return }
    texts[purpose.sign, default: []].removeAll { $0 == text }
    texts[purpose.sign, default: []].insert(text, at: 0)
    if self[purpose].count > 50 { texts[purpose.sign]?.removeLast() }
  }

  /// One line for each text behind its sign, the newest first.
  var lines: String {
    let kept: [Prompt.Purpose] = [.search, .condition, .filter, .command]
    return kept.flatMap { purpose in
      self[purpose].filter { !$0.contains(where: \.isNewline) }.map { "\(purpose.sign)\t\($0)\n" }
    }.joined()
  }

  init(lines: String = "") {
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      if parts.count == 2 { texts[parts[0], default: []].append(parts[1]) }
    }
  }
}

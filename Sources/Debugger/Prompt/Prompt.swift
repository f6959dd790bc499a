import TextCanvas

/// The line at the bottom while something is typed into it.
package struct Prompt: Sendable, Hashable {
  package enum Purpose: Sendable, Hashable {
    case search
    /// In the pane that keys act in.
    case inPane
    case condition
    /// Which steps are listed.
    case filter
    case command
    case note
    /// Of a fork.
    case name(of: String)
    case noteOn(String)

    var sign: String {
      switch self {
      case .search, .inPane: "/"
      case .condition: ";"
      case .filter: "filter: "
      case .command: ":"
      case .note: "note: "
      case .name(let fork): "name of “\(fork)”: "
      case .noteOn(let fork): "note on “\(fork)”: "
      }
    }
  }

  var purpose: Purpose
  var line = LineEditor()
  /// What is wrong with the text, once somebody has pressed Enter.
  var problem: String?
  /// The commands that it can become, once somebody has pressed Tab.
  var offers: [String] = []
  /// Of the palette's lines the one that Enter does.
  var selected = 0
  /// How far somebody went back in what was typed before.
  var recalled = 0

  init(_ purpose: Purpose, _ text: String = "") {
    self.purpose = purpose
    line = LineEditor(text)
  }

  mutating func type(_ key: Key) {
    guard line.handle(key) else { return }
    problem = nil
    offers = []
    selected = 0
    recalled = 0
  }
}

/// What was typed into the line at the bottom before, the last one first.
struct TypedBefore: Sendable {
  private var texts: [String: [String]] = [:]

  subscript(purpose: Prompt.Purpose) -> [String] { texts[purpose.sign] ?? [] }

  mutating func add(_ text: String, for purpose: Prompt.Purpose) {
    guard !text.isEmpty else { return }
    texts[purpose.sign, default: []].removeAll { $0 == text }
    texts[purpose.sign, default: []].insert(text, at: 0)
    if self[purpose].count > 50 { texts[purpose.sign]?.removeLast() }
  }
}

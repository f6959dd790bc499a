import TextCanvas

/// The line at the bottom while something is typed into it.
package struct Prompt: Sendable, Hashable {
  package enum Purpose: Sendable, Hashable {
    case search
    case condition
    case command
    case note
    /// Of a fork.
    case name(of: String)
    case noteOn(String)

    var sign: String {
      switch self {
      case .search: "/"
      case .condition: ";"
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

  init(_ purpose: Purpose, _ text: String = "") {
    self.purpose = purpose
    line = LineEditor(text)
  }

  mutating func type(_ key: Key) {
    guard line.handle(key) else { return }
    problem = nil
    offers = []
  }
}

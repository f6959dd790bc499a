import TextCanvas

/// What one action does: it changes the state, and says what is to be done in the background then.
struct Reaction {
  var state: DebuggerState
  var work: [Work] = []
  /// The key that is being acted on, the number typed before it, and the words behind a command.
  var key = Key.escape
  var count: Int?
  var arguments: [String] = []
  /// What the key before this one has asked about.
  var confirmed: SourceLine?

  init(_ state: consuming DebuggerState) { self.state = state }

  var times: Int { count ?? 1 }
  var argument: String { arguments.joined(separator: " ") }

  mutating func say(_ text: String, _ kind: Message.Kind = .news) {
    state.message = Message(text, kind)
  }
}

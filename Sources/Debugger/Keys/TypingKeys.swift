import TextCanvas

extension KeyTable {
  static let form = KeyMap<DebuggerUpdate>(
    "in the form of a fork",
    [
      Binding("Enter", "run the fork", short: "run") { $0.send(.form(.submitted)) },
      Binding(
        "Tab", "next and previous field; completes a known key or path",
        short: "next field"
      ) { $0.state.form?.tab() },
      Binding("Shift-Tab") { $0.state.form?.move(by: -1) },
      Binding("↓ Ctrl-n", "another suggestion; without any, another field") {
        $0.state.form?.pick(by: 1)
      },
      Binding("↑ Ctrl-p") { $0.state.form?.pick(by: -1) },
      Binding("Ctrl-o", "the text in $EDITOR", short: "$EDITOR") { $0.composeForm() },
      Binding("Esc", "back", short: "back") { $0.state.overlay = nil },
    ])

  static let choice = KeyMap<ForkForm>(
    "in a field with a choice",
    [
      Binding("→ Space l", "next and previous") { $0.turn(by: 1) },
      Binding("← h") { $0.turn(by: -1) },
    ])

  static let prompt = KeyMap<DebuggerUpdate>(
    "in the line at the bottom",
    [
      Binding("Enter", "do it") { $0.finishPrompt() },
      Binding("Tab", "complete the command, the path, the label") { $0.completeCommand() },
      Binding("↑ Ctrl-p", "earlier input; in a list, another line") {
        $0.recall(by: 1)
      },
      Binding("↓ Ctrl-n") { $0.recall(by: -1) },
      Binding("Esc", "back") { $0.leavePrompt() },
    ])

  static let typing = KeyMap<LineEditor>(
    "where text is typed",
    [
      Binding("← Ctrl-b", "one character left, right") { $0.move(by: -1) },
      Binding("→ Ctrl-f") { $0.move(by: 1) },
      Binding("Home Ctrl-a", "start and end of the line") { $0.move(by: -$0.characters.count) },
      Binding("End Ctrl-e") { $0.move(by: $0.characters.count) },
      Binding("Backspace", "delete the character before the cursor, under it") {
        $0.delete(from: $0.cursor - 1, to: $0.cursor)
      },
      Binding("Del") { $0.delete(from: $0.cursor, to: $0.cursor + 1) },
      Binding("Ctrl-w", "delete the word before the cursor") {
        $0.delete(from: $0.startOfWord, to: $0.cursor)
      },
      Binding("Ctrl-u", "delete up to the cursor, at the start all; from the cursor on") {
        $0.delete(from: 0, to: $0.cursor == 0 ? $0.characters.count : $0.cursor)
      },
      Binding("Ctrl-k") { $0.delete(from: $0.cursor, to: $0.characters.count) },
    ])
}

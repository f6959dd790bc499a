import TextCanvas

extension KeyTable {
  static let prompt = KeyMap<DebuggerUpdate>(
    "in the line at the bottom",
    [
      Binding("Enter", "do it") { $0.finishPrompt() },
      Binding("Tab", "complete the command, the path, the label, the row") { $0.completeCommand() },
      Binding("↑ Ctrl-p", "earlier input; in a list, another line") {
        $0.recall(by: 1)
      },
      Binding("↓ Ctrl-n") { $0.recall(by: -1) },
      Binding("Ctrl-o", "of :fork: the value in $EDITOR") { $0.composeValue() },
      Binding("Esc", "back") { $0.closePrompt() },
    ])

  static let typing = KeyMap<LineEditor>(
    "where text is typed",
    [
      Binding("← Ctrl-b", "one character left, right") { $0.move(by: -1) },
      Binding("→ Ctrl-f") { $0.move(by: 1) },
      Binding("Alt-b", "one word left, right") { $0.place(at: $0.startOfWord) },
      Binding("Alt-f") { $0.place(at: $0.endOfWord) },
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
      Binding("Ctrl-_", "undo the last change of the line") { $0.undo() },
      Binding("Ctrl-k") { $0.delete(from: $0.cursor, to: $0.characters.count) },
    ])
}

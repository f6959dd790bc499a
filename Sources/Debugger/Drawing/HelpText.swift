import TextCanvas

/// What can be done here and now.
enum HelpText {
  static func lines(for state: DebuggerState) -> [[Span]] {
    var lines: [[Span]] = []
    for (title, keys) in sections(for: state) {
      if !lines.isEmpty { lines.append([]) }
      lines.append([Span(title, .heading)])
      lines += keys.map { key, meaning in
        [Span(padded(key), .place), Span(meaning)]
      }
    }
    return lines
  }

  static func width(_ lines: [[Span]]) -> Int {
    lines.map { $0.reduce(0) { $0 + SafeText.width($1.text) } }.max() ?? 0
  }

  private static func padded(_ key: String) -> String {
    "  " + key + String(repeating: " ", count: max(1, 16 - SafeText.width(key)))
  }

  private static func sections(
    for state: DebuggerState
  ) -> [(String, [(String, String)])] {
    var sections: [(String, [(String, String)])] = []
    if state.focus == .pane {
      sections.append(
        (
          "in the pane",
          [
            ("j k", "move the cursor"), ("l h", "open, close; h at the left leaves the pane"),
            ("* #", "next and previous change of the value here"),
            ("y v/k/p", "copy value, key or path"), ("w", "watch the value here at every step"),
            ("v", "show the value in $EDITOR"),
            ("Enter", "go to the step named here"), ("J K", "one step later, earlier"),
            ("c", "in Effects: to the step that started it"),
          ]
        ))
    } else {
      sections.append(
        (
          "move in time",
          [
            ("j k  ↓ ↑", "one step later, earlier; 5j: five"),
            ("Ctrl-d Ctrl-u", "half a page; Space and b a whole one"),
            ("g G", "start and end; 40G step 40, 25% a quarter"),
            ("[ ]", "back and forward to where you were"),
            ("e E", "next and previous error"), ("o O", "next and previous of the same effect"),
            ("c", "to the step that caused this one"),
            ("* #", "next and previous step with this label"),
            ("m M", "mark the step; mark it with a note"),
            ("' u U", "list of marks, next and previous mark"),
            ("p < >", "play as recorded; slower, faster; any key stops"),
          ]
        ))
    }
    sections.append(
      (
        "look",
        [
          ("Tab  Alt-1…", "next pane; a pane by its number"), ("Enter l", "into the pane"),
          ("+ _", "more or less room for the steps"),
          ("/ n N", "search a text; next and previous hit"),
          ("; n N", "search by a condition, as state.total < 0"),
        ]
      ))
    sections.append(
      (
        "change the past",
        state.host == .none
          ? [("f", "a fork needs a host: start again with --host COMMAND")]
          : [
            ("f", "fork here: send, replace or skip an action, and more"),
            ("=", "change what is under the cursor: set a value, give a read"),
            ("", "another value, answer an effect, replace the action"),
            ("a", "answer an effect in flight; in Effects Enter does"),
            ("x < >", "skip the step; move it up, down; 3> three down"),
            ("B", "branches and their edits: delete, rename, note"),
            ("C D", "compare with the next branch; first step that differs"),
            ("z Z", "undo and redo, all of this"),
          ]
      ))
    sections.append(
      (
        "commands",
        [
          (":40  :25%", "go to"),
          (":trim 8-12 FILE", "write some steps as a session; --redact-key KEY"),
          (":export FILE", "write the branch as a session; --redact-key KEY"),
          (":export-state FILE", "write the state after this step as JSON"),
          (":notices", "what was found wrong with the file"),
          (":host", "the host, and all of its last failure"),
          ("R  :reload", "start the host again; what is looked at runs again"),
          ("Ctrl-z", "suspend"),
          ("Ctrl-c", "stop the work at hand, or leave"), ("q", "back, then quit"),
        ]
      ))
    sections.append(
      (
        "signs",
        [
          ("⚡ ↳", "sent by an effect; by the reducer itself"), ("▲ ◆ ✗", "mark, hit, error"),
          ("= ≠ + …", "re-run equal, different, new, unanswered"),
          ("? *", "rests on an assumed value, on an edit"),
        ]
      ))
    return sections
  }
}

import TextCanvas

/// All keys and commands of the debugger, the source of the help, the hints, the completion of
/// commands and a page in `docs/`.
///
/// Order matters: the help follows it, and shows the first name of a binding.
enum KeyTable {
  static let always = KeyMap<DebuggerUpdate>(
    "always",
    [
      Binding("Ctrl-c", "stop what is running, or quit") { $0.interrupt() },
      Binding("Ctrl-z", "suspend") { $0.effects.append(.output(.suspend)) },
      Binding("Ctrl-l", "draw the whole screen again") { $0.effects.append(.output(.redraw)) },
    ])

  static let pane = KeyMap<DebuggerUpdate>(
    "in the pane",
    [
      Binding("j ↓", "move the cursor", counted: true) { $0.moveCursor(by: $0.times) },
      Binding("k ↑", counted: true) { $0.moveCursor(by: -$0.times) },
      Binding("Ctrl-d", "half a page down, up") { $0.moveCursor(by: $0.paneHeight / 2) },
      Binding("Ctrl-u") { $0.moveCursor(by: -$0.paneHeight / 2) },
      Binding("Space PgDn", "a page down, up") { $0.moveCursor(by: $0.paneHeight) },
      Binding("b PgUp") { $0.moveCursor(by: -$0.paneHeight) },
      Binding("g Home", "first and last line") { $0.moveCursor(by: -$0.paneRows) },
      Binding("G End") { $0.moveCursor(by: $0.paneRows) },
      Binding("h ←", "close, open; `h` at the left leaves the pane", short: "fold", needs: .moment)
      {
        $0.foldOrLeave()
      },
      Binding("l →", needs: .moment) { $0.unfold() },
      Binding("*", "next and previous change of the value here", needs: .moment) {
        $0.sameThing(.forward)
      },
      Binding("#", needs: .moment) { $0.sameThing(.backward) },
      Binding("w", "watch the value here at every step", short: "watch", needs: .moment) {
        $0.toggleWatch()
      },
      Binding("Enter", "to the step named here or below; in Effects answer it", needs: .moment) {
        $0.answerOrFollow()
      },
      Binding("c", "to the step that set the value; in Effects that started it", needs: .moment) {
        $0.toStart()
      },
      Binding("/", "search a text in this pane; next and previous hit", short: "search here") {
        $0.state.prompt = Prompt(.inPane)
      },
      Binding("n", needs: .moment) { $0.nextInPane(.forward) },
      Binding("N", needs: .moment) { $0.nextInPane(.backward) },
    ])

  static let arranging = KeyMap<DebuggerUpdate>(
    "after Ctrl-w",
    [
      Binding("w Tab Ctrl-w", "next and previous pane") { $0.nextPane(by: 1) },
      Binding("p Shift-Tab") { $0.nextPane(by: -1) },
      Binding("h ←", "to the pane left, below, above, right") { $0.focus(columns: -1, rows: 0) },
      Binding("j ↓") { $0.focus(columns: 0, rows: 1) },
      Binding("k ↑") { $0.focus(columns: 0, rows: -1) },
      Binding("l →") { $0.focus(columns: 1, rows: 0) },
      Binding("H", "the pane to the previous place, to the next") { $0.movePane(by: -1) },
      Binding("L") { $0.movePane(by: 1) },
      Binding("o |", "one pane with tabs where there are several, and back") {
        $0.state.paneSet.isAlone.toggle()
      },
      Binding(">", "more or less room for the steps") { $0.widenSteps(by: 4) },
      Binding("<") { $0.widenSteps(by: -4) },
      Binding("=", "all panes back to their first places") { $0.state.paneSet.arrangeAsAtFirst() },
    ])

  static let copying = KeyMap<DebuggerUpdate>(
    "after y",
    [
      Binding("v y", "copy the value") { $0.copyValue() },
      Binding("k", "copy its key; of a step, its label") { $0.copyKey() },
      Binding("p", "copy its path; of a step, its place") { $0.copyPath() },
    ])

  static let time = KeyMap<DebuggerUpdate>(
    "move in time",
    [
      Binding("j ↓ Ctrl-n Ctrl-e", "one step later, earlier; 5`j`: five", counted: true) {
        $0.state.moveRows(by: $0.times)
      },
      Binding("k ↑ Ctrl-p Ctrl-y", counted: true) { $0.state.moveRows(by: -$0.times) },
      Binding("J Shift-↓", "the same, also through hidden and folded steps", counted: true) {
        $0.state.move(by: $0.times)
      },
      Binding("K Shift-↑", counted: true) { $0.state.move(by: -$0.times) },
      Binding("Ctrl-d", "half a page later, earlier", counted: true) {
        $0.state.moveRows(by: $0.count ?? max(1, $0.page / 2))
      },
      Binding("Ctrl-u", counted: true) {
        $0.state.moveRows(by: -($0.count ?? max(1, $0.page / 2)))
      },
      Binding("Space PgDn Ctrl-f", "a page later, earlier", counted: true) {
        $0.state.moveRows(by: $0.page * $0.times)
      },
      Binding("b PgUp Ctrl-b", counted: true) { $0.state.moveRows(by: -$0.page * $0.times) },
      Binding("g Home", "start and end; 40`G` step 40, 25`%` a quarter", counted: true) {
        $0.go(toTyped: $0.count ?? $0.state.branch.steps.lowerBound)
        if $0.key == .character("g") { $0.state.input.pendingKey = $0.key }
      },
      Binding("G End", counted: true) {
        $0.go(toTyped: $0.count ?? $0.state.branch.steps.upperBound)
      },
      Binding("%", counted: true) { reaction in
        guard let count = reaction.count else {
          return reaction.say(
            "Type how far before it: 25\(reaction.state.key("%")) is a quarter of the way.")
        }
        reaction.state.go(toPercent: count)
      },
      Binding("H", "first and last step on the screen") {
        $0.state.go(to: $0.state.travel.listTop)
      },
      Binding("L") {
        $0.state.go(to: $0.state.listed(height: $0.page + 1).last ?? $0.state.here.step)
      },
      Binding("}", "next and previous action of the user") { $0.find(.user, .forward) },
      Binding("{") { $0.find(.user, .backward) },
      Binding("[ Ctrl-o", "back and forward to where you were") { $0.goBack(.backward) },
      Binding("]") { $0.goBack(.forward) },
      Binding("e", "next and previous error; with a rule, where it is broken") {
        $0.nextError(.forward)
      },
      Binding("E") { $0.nextError(.backward) },
      Binding("o", "next and previous step of the same effect", short: "next of it", needs: .moment)
      {
        $0.sameEffect(.forward)
      },
      Binding("O", needs: .moment) { $0.sameEffect(.backward) },
      Binding("c", "to the step that caused this one", short: "where it started", needs: .moment) {
        $0.toCause()
      },
      Binding("*", "next and previous step with this label") { $0.sameThing(.forward) },
      Binding("#") { $0.sameThing(.backward) },
      Binding("m", "mark the step; mark it with a note") {
        $0.setMark($0.state.keeping.marks[$0.state.here] == nil ? "" : nil)
      },
      Binding("M :note", takes: "TEXT") { reaction in
        if reaction.arguments.isEmpty { return reaction.askForMark() }
        reaction.setMark(reaction.argument)
      },
      Binding("' :marks", "list of marks, next and previous mark") {
        $0.state.overlay = .list(.marks)
      },
      Binding("u") { $0.nextMark(.forward) },
      Binding("U") { $0.nextMark(.backward) },
      Binding("p", "play as recorded; `<` slower, `>` faster, any key stops") { $0.startPlaying() },
    ])

  static let look = KeyMap<DebuggerUpdate>(
    "look",
    [
      Binding("Tab", "next and previous pane", short: "next pane") { $0.nextPane(by: 1) },
      Binding("Shift-Tab") { $0.nextPane(by: -1) },
      Binding("Alt-1…", "a pane by its number; 2 alone goes there, too, and 5`j` counts") {
        $0.paneByNumber()
      },
      Binding("Enter l →", "into the pane; back to the steps") { $0.state.paneSet.focus = .pane },
      Binding("h ←") { $0.state.paneSet.focus = .steps },
      Binding("+", "more or less room for the steps") { $0.widenSteps(by: 4) },
      Binding("_") { $0.widenSteps(by: -4) },
      Binding("Ctrl-w", "arrange the panes: `Ctrl-w` and another key") {
        $0.awaitSecond(after: .control("w"))
      },
      Binding("|", "one pane with tabs where there are several, and back") {
        $0.state.paneSet.isAlone.toggle()
      },
      Binding("t", "into the timeline: its effects, by time; `q` back", short: "timeline") {
        $0.state.paneSet.focus = .timeline
      },
      Binding("i", "zoom the timeline in, out; the wheel on it does too", counted: true) {
        $0.zoom(by: $0.times)
      },
      Binding("I", counted: true) { $0.zoom(by: -$0.times) },
      Binding("V", "choose a range: list, hide, save, compare it", short: "range") {
        $0.turnRange()
      },
      Binding("/", "search a text; next and previous hit", short: "search") { $0.askForText() },
      Binding("n", counted: true) { $0.nextHit(.forward) },
      Binding("N", counted: true) { $0.nextHit(.backward) },
      Binding(";", "search by a condition, as state.total < 0") {
        $0.askForCondition()
      },
      Binding(
        "F & :filter", "list only, hide or dim steps: only label == 'save'; off lists all",
        short: "filter", takes: "CONDITION"
      ) { reaction in
        guard !reaction.arguments.isEmpty else { return reaction.askForFilter() }
        if let problem = reaction.setFilter(reaction.argument) { reaction.say(problem, .warning) }
      },
      Binding("-", "hide the steps with this label, too") { $0.hideLabel() },
      Binding("r", "fold steps of one kind into one row, and unfold them") { $0.foldRuns() },
      Binding(":watch", "watch a value: its graph is under the slider; off", takes: "PATH") {
        $0.watch($0.argument)
      },
      Binding(
        ":blame", "who set a value: its values up to here, or up to PATH@40", takes: "PATH"
      ) { $0.blame($0.argument) },
      Binding(
        "s :trace", "follow one thing through all steps: `order 4711`, or what the cursor is on",
        takes: "THING"
      ) { $0.trace($0.argument) },
      Binding(":odd", "the steps that are unlike their kind") { $0.listOddities() },
      Binding(
        ":rule",
        "what must always hold: `▼` marks steps that break it, `e` goes to where that begins; off",
        takes: "CONDITION"
      ) { $0.addRule($0.argument) },
      Binding("y", "copy: then `v` the value, `k` its key, `p` its path", short: "copy") {
        $0.awaitSecond(after: .character("y"))
      },
      Binding(
        "v", "the value, the action, or a line of the source in $EDITOR", short: "editor",
        needs: .moment
      ) { $0.openInEditor() },
      Binding("w", "in a pane: watch the value under the cursor", needs: .moment) {
        $0.say("\($0.state.key("w")) watches the value under the cursor of the pane.")
      },
    ])

  static let change = KeyMap<DebuggerUpdate>(
    "change the past",
    [
      Binding(
        "f :fork", "what if: skip, fail, replace, send, set, or run on from here", short: "what if",
        takes: "EDIT", needs: .fork
      ) { $0.typed.isEmpty ? $0.openForkMenu() : $0.runForkLine($0.typed) },
      Binding(
        "=", "set a value, change a read, answer, replace the action", short: "change",
        needs: [.moment, .fork]
      ) { $0.changeHere() },
      Binding(
        "a", "answer an effect in flight; in Effects `Enter` does", short: "answer",
        needs: [.moment, .fork]
      ) { $0.answer(nil) },
      Binding(
        "x", "skip the step, or restore a skipped one; twice takes it back", short: "skip",
        needs: .fork
      ) { $0.skipStep() },
      Binding("<", "move the step up, down; 3`>` three down", needs: .fork, counted: true) {
        $0.moveStep(by: -$0.times)
      },
      Binding(">", needs: .fork, counted: true) { $0.moveStep(by: $0.times) },
      Binding("B :branches", "branches and their edits: delete, rename, note", short: "branches") {
        $0.state.overlay = .list(.branches, at: $0.state.rowOfBranch)
      },
      Binding("C", "compare with the parent, then with other branches", short: "other branch") {
        $0.compareWithNext()
      },
      Binding(
        "T", "the other branch, or session of the app, beside this one; both move together",
        short: "side by side"
      ) {
        $0.turnBeside()
      },
      Binding("D", "to the first step that differs from it", short: "first difference") {
        $0.toFirstDifference()
      },
      Binding(
        "S :minimize", "the fewest actions that still cause it", takes: "CONDITION",
        needs: .fork
      ) { $0.seek(.minimize) },
      Binding(
        "W :why", "test each cause; without a condition, of the value under the cursor",
        takes: "CONDITION", needs: .fork
      ) { $0.seek(.why) },
      Binding(
        "X :explore", "try other orders of what follows this step", takes: "RULE", needs: .fork
      ) { $0.seek(.explore) },
      Binding(
        ":app",
        "in the attached app: follow on, jump here, back, send ACTION, pause, lock, commit, …",
        takes: "WHAT"
      ) { $0.drive($0.arguments) },
      Binding(":sessions", "the app's other sessions, at the same moment in time") {
        $0.listSessions()
      },
      Binding("z :undo", "undo and redo, all of this", short: "undo") { $0.undo() },
      Binding("Z Ctrl-r :redo") { $0.undo(isRedo: true) },
    ])

  static let program = KeyMap<DebuggerUpdate>(
    "commands",
    [
      Binding(
        ":", "all commands and places: type a part of a name", short: "anything"
      ) { $0.state.prompt = Prompt(.command) },
      Binding(
        ":goto", "go to a step; :40, :+5, :-5 and :25% do too, :8-12 chooses a range",
        takes: "BRANCH/40"
      ) { $0.goto($0.argument) },
      Binding(
        ":trim", "write some steps as a session; --redact-key KEY", takes: "8-12 FILE"
      ) { $0.trim() },
      Binding(":export", "write the branch as a session; --redact-key KEY", takes: "FILE") {
        $0.export()
      },
      Binding(":export-state", "write the state after this step as JSON", takes: "FILE") {
        $0.exportState()
      },
      Binding(
        ":report", "write a web page that opens at this step; -f replaces FILE", takes: "FILE"
      ) { $0.report() },
      Binding(":test", "write the branch or 8-12 of it as a test", takes: "FILE") {
        $0.writeTest()
      },
      Binding(":doubt :trust :guess", "what is not known in this fork, and what settles it") {
        $0.showDoubts()
      },
      Binding(":reducer", "load a Redux app's reducer: src/store.ts", takes: "FILE[#NAME]") {
        $0.loadReducer()
      },
      Binding(":notices", "problems of the file and the reducer") {
        $0.showNotices()
      },
      Binding(":host", "the program that runs the reducer, and its last failure") {
        $0.showHost($0.arguments)
      },
      Binding("R :reload", "restart the reducer and run again; open a changed file again") {
        $0.reload()
      },
      Binding("? F1 :help :h", "this help", short: "help") { $0.state.overlay = .list(.help) },
      Binding(":result", "what `S`, `W`, `X`, :blame, :trace and :odd found") { $0.showResults() },
      Binding(
        "q", "back, then quit; `Esc` stops work, then goes back, and never quits", short: "back"
      ) {
        $0.back()
      },
      Binding("Esc") { $0.back() },
      Binding(":quit :q :qa :q! :x :wq", "quit") { $0.quit() },
      Binding(":w :write", "not needed: marks and forks are saved at once") {
        $0.say("Marks and forks are saved at once; :export FILE writes this branch.")
      },
    ])

  static let playing = KeyMap<DebuggerUpdate>(
    "while it plays",
    [
      Binding("<", "slower and faster", short: "slower") { $0.play(faster: 0.5) },
      Binding(">", short: "faster") { $0.play(faster: 2) },
      Binding("p Space Esc", "stop, as any other key does") { $0.send(.playing(.stopped)) },
    ])

  static let lists = KeyMap<DebuggerUpdate>(
    "in help and lists",
    [
      Binding("j ↓", "one line down, up") { $0.scrollOverlay(by: 1) },
      Binding("k ↑") { $0.scrollOverlay(by: -1) },
      Binding("Space PgDn Ctrl-d", "a page down, up") { $0.scrollOverlay(by: $0.overlayHeight) },
      Binding("b PgUp Ctrl-u") { $0.scrollOverlay(by: -$0.overlayHeight) },
      Binding("g Home", "first and last line") { $0.scrollOverlay(by: -1_000_000) },
      Binding("G End") { $0.scrollOverlay(by: 1_000_000) },
      Binding("Enter l →", "look at it", short: "look at it") { $0.choose() },
      Binding("/", "search a text; next hit", short: "search") {
        $0.state.prompt = Prompt(.inList)
      },
      Binding("n") { $0.nextInList() },
      Binding("d Del", "branches: delete", short: "delete") { $0.deleteSelected() },
      Binding("r", "branches: rename", short: "rename") { $0.askForName() },
      Binding("M", "branches: a note", short: "note") { $0.askForNote() },
      Binding("z", "undo and redo", short: "undo") {
        $0.undo()
        $0.scrollOverlay(by: 0)
      },
      Binding("Z") {
        $0.undo(isRedo: true)
        $0.scrollOverlay(by: 0)
      },
      Binding("q Esc ?", "back", short: "back") { $0.state.overlay = nil },
    ])

  static let menu = KeyMap<DebuggerUpdate>(
    "in a menu",
    [
      Binding("j ↓", "one line down, up") { $0.scrollOverlay(by: 1) },
      Binding("k ↑") { $0.scrollOverlay(by: -1) },
      Binding("Enter", "do it; other keys do what they name", short: "do it") { $0.choose() },
      Binding("q Esc", "back", short: "back") { $0.state.overlay = nil },
    ])

  /// The maps without an overlay; the first with the key decides.
  static func maps(for focus: Focus, hasRange: Bool = false) -> [KeyMap<DebuggerUpdate>] {
    let first =
      focus == .pane ? [pane] : (hasRange ? [range] : []) + (focus == .timeline ? [timeline] : [])
    return first + [time, look, change, program]
  }

  static let commands: [String: Binding<DebuggerUpdate>] = Dictionary(
    maps(for: .steps).flatMap(\.bindings).flatMap { binding in
      binding.commands.map { ($0, binding) }
    }
  ) { first, _ in first }
}

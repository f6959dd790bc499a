import SessionWords
import TimeTravel
import ValueTree

/// Writes the lines of a pane. Each pane has its own extension.
struct PaneWriter {
  var folds = Folds()
  let width: Int
  var branches: [Branch] = []
  /// Yours, at the step.
  var note: String?
  /// The words that settle an assumption: on the screen, the key.
  var settling: (Assumption) -> String = { $0.settling }
  var content = PaneContent()

  mutating func write(_ pane: Pane, of moment: Moment, watched: [Watched] = []) {
    switch pane {
    case .diff: writeDiff(of: moment)
    case .state: writeState(of: moment)
    case .action: writeAction(of: moment)
    case .effects: writeEffects(of: moment)
    case .reads: writeReads(of: moment)
    case .watch: writeWatched(watched, of: moment)
    case .compare: writeComparison(of: moment)
    }
  }

  mutating func add(_ row: PaneRow) { content.rows.append(row) }

  mutating func add(_ text: String = "", _ role: Span.Role = .plain) {
    add(PaneRow(text.isEmpty ? [] : [Span(text, role)]))
  }

  mutating func remark(_ text: String) { wrap(text, .quiet) }

  /// Wraps a long text. Returns its rows.
  @discardableResult
  mutating func wrap(_ text: String, _ role: Span.Role) -> Range<Int> {
    let start = content.rows.count
    let place = SourceLine(in: text)
    for line in text.wrapped(to: max(width - 2, 12)) {
      var row = PaneRow([Span(line, role)])
      row.place = place
      add(row)
    }
    return start..<content.rows.count
  }

  /// Returns the first row.
  @discardableResult
  mutating func outline(
    _ value: Value, _ name: Span? = nil, at path: ValuePath = .root, indent: Int = 0,
    changed: [ValuePath: Span] = [:], sign: Span? = nil
  ) -> Int {
    var outline = Outline(folds: folds, changed: changed, sign: sign, width: max(width, 12))
    outline.add(value, name: name, at: path, indent: indent)
    defer { content.rows += outline.rows }
    return content.rows.count
  }

  mutating func writeNoState(_ moment: Moment) {
    if let trouble = moment.trouble {
      wrap(trouble, .failure)
    } else if let command = moment.hostedCommand {
      wrap("The file has no state here. Your app's reducer can compute it. Quit and type:", .plain)
      add()
      wrap(command, .heading)
    } else {
      wrap(
        "No state is known here: the file has none after this step, and the reducer gave none.",
        .plain)
      wrap("Steps before or after this one may have one.", .quiet)
    }
  }
}

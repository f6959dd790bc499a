import TimeTravel
import ValueTree

/// One line of a pane, with what the keys act on when the cursor stands there.
package struct PaneRow: Sendable, Hashable {
  package var indent = 0
  /// Before the text: `+`, `−`, `~`, or nothing.
  package var sign: Span?
  package var spans: [Span]
  /// The part of the state, action or read that the line shows.
  package var path: ValuePath?
  package var value: Value?
  package var fold: Fold = .none
  /// Where Enter leads.
  package var step: Int?
  /// The effect in flight that the line shows: Enter answers it.
  package var effect: Int?
  /// The place in the sources that the line names, or the sentence of which it is a part.
  var place: SourceLine?

  package enum Fold: Sendable, Hashable {
    case none, open, closed
    /// The line stands for members that are not shown: it shows those from a place on, and the cursor
    /// goes to one of them.
    case page(Int, cursor: ValuePath)
  }

  package init(_ spans: [Span], indent: Int = 0) {
    self.spans = spans
    self.indent = indent
  }

  /// Names a place of the sources at the end of the line.
  mutating func name(_ place: SourceLine?) {
    guard let place else { return }
    spans += [Span("  ", .quiet), Span(place.text, .quiet)]
    self.place = place
  }

  package static func heading(_ text: String) -> PaneRow { PaneRow([Span(text, .heading)]) }
  package static func note(_ text: String) -> PaneRow { PaneRow([Span(text, .quiet)]) }

  /// A sentence on as many lines as it takes.
  static func lines(_ text: String, _ role: Span.Role, width: Int) -> [PaneRow] {
    let place = SourceLine(in: text)
    return OverlayView.wrapped(text, width: max(width - 2, 12)).map { line in
      var row = PaneRow([Span(line, role)])
      row.place = place
      return row
    }
  }

  /// Why no state can be shown.
  static func noState(_ moment: Moment, width: Int) -> [PaneRow] {
    if let trouble = moment.trouble { return lines(trouble, .failure, width: width) }
    guard let command = moment.hostedCommand else {
      return lines(
        "No state is known here: the file holds none after this step, and the reducer gave none.",
        .plain, width: width)
        + lines("Steps before or after this one may have one.", .quiet, width: width)
    }
    return lines(
      "The file holds no state here, and the app's reducer can compute it. Leave and type:",
      .plain, width: width) + [PaneRow([])] + lines(command, .heading, width: width)
  }

  package var text: String { spans.map(\.text).joined() }
}

/// The lines of a pane and what its lower edge says.
package struct PaneContent: Sendable, Hashable {
  package var rows: [PaneRow]
  package var footer: String

  package init(rows: [PaneRow] = [], footer: String = "") {
    self.rows = rows
    self.footer = footer
  }
}

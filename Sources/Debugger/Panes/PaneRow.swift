import TextCanvas
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

  package init(
    _ spans: [Span], indent: Int = 0, sign: Span? = nil, at path: ValuePath? = nil,
    value: Value? = nil
  ) {
    self.spans = spans
    self.indent = indent
    self.sign = sign
    self.path = path
    self.value = value
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

/// A piece of a line with one meaning; the look decides how that is shown.
package struct Span: Sendable, Hashable {
  package var text: String
  package var role: Role

  /// What a piece of text is, not how it looks.
  package enum Role: Sendable, Hashable, CaseIterable {
    case plain, quiet, heading, key, string, number, keyword
    case added, removed, changed, warning, failure, place
  }

  /// Another colour than that of its role: the one of a fork.
  var color: Color?

  package init(_ text: String, _ role: Role = .plain, color: Color? = nil) {
    self.text = text
    self.role = role
    self.color = color
  }

  var style: Style { color.map(role.style.foreground) ?? role.style }
}

extension [Span] {
  /// In cells, counted only until the limit is passed.
  func width(upTo limit: Int = .max) -> Int {
    reduce(0) { $0 + SafeText.width($1.text, upTo: limit) }
  }
}

extension Style {
  /// In a line on which the cursor stands: what tells things apart by colour would be hard to read there.
  var asSelected: Style { Style(attributes: attributes.subtracting(.dim).union(.reverse)) }
}

extension Span.Role {
  /// Default colours of the terminal only: readable on light and dark backgrounds.
  package var style: Style {
    switch self {
    case .plain, .key: .plain
    case .quiet: .plain.dim
    case .heading: .plain.bold
    case .string: Style(foreground: .green)
    case .number, .keyword: Style(foreground: .magenta)
    case .added: Style(foreground: .green)
    case .removed: Style(foreground: .red)
    case .changed: Style(foreground: .yellow).bold
    case .warning: Style(foreground: .yellow)
    case .failure: Style(foreground: .red).bold
    case .place: Style(foreground: .cyan)
    }
  }
}

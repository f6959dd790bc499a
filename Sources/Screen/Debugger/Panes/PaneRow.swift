import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

package struct PaneRow: Sendable, Hashable {
  package var indent = 0
  /// `+`, `−`, `~`, or nothing.
  package var sign: Span?
  package var spans: [Span]
  package var path: ValuePath?
  package var value: Value?
  package var fold: Fold = .none
  package var step: Int?
  package var effect: EffectID?
  var place: SourceLine?

  package enum Fold: Sendable, Hashable {
    case none, open, closed
    /// A line for hidden members: Enter shows those from an index on.
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

  mutating func name(_ place: SourceLine?) {
    guard let place else { return }
    spans += [Span("  ", .quiet), Span(place.text, .quiet)]
    self.place = place
  }

  package var text: String { spans.map(\.text).joined() }
}

struct PaneContent: Sendable, Hashable {
  var rows: [PaneRow] = []
  var footer = ""

  /// The rows of changed values, or of a closed one that has them inside.
  var changes: [Int] {
    rows.indices.filter { index in
      switch rows[index].sign?.text {
      case "+", "~", "↕": true
      case "·": rows[index].fold == .closed
      default: false
      }
    }
  }
}

/// A piece of text with one meaning; the style follows from it.
package struct Span: Sendable, Hashable {
  package var text: String
  package var role: Role

  package enum Role: Sendable, Hashable, CaseIterable {
    case plain, quiet, heading, key, string, number, keyword
    case added, removed, changed, warning, failure, place
  }

  var color: Color?

  package init(_ text: String, _ role: Role = .plain, color: Color? = nil) {
    (self.text, self.role, self.color) = (text, role, color)
  }

  var style: Style { color.map(role.style.foreground) ?? role.style }
}

extension [Span] {
  /// The width in cells; stops counting at the limit.
  func width(upTo limit: Int = .max) -> Int {
    reduce(0) { $0 + SafeText.width($1.text, upTo: limit) }
  }
}

extension Style {
  /// On the cursor line colours would be hard to read.
  var asSelected: Style { Style(attributes: attributes.subtracting(.dim).union(.reverse)) }
}

extension Span.Role {
  /// Only the terminal's default colours, readable on light and dark backgrounds.
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

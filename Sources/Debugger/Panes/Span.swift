import TextCanvas

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

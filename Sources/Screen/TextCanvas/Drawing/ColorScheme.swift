/// The real colours of a picture.
///
/// Pictures use the plain colours as roles. A scheme maps them; without one the terminal's palette
/// applies.
///
/// ```swift
/// var colors = ColorScheme.light
/// colors[.red] = Style(foreground: .palette(124)).bold
/// terminal.present(picture.colored(by: colors))
/// ```
package struct ColorScheme: Sendable, Hashable {
  package enum ColorRole: String, Sendable, CaseIterable {
    case text, background, quiet, red, green, yellow, blue, magenta, cyan

    package var words: String {
      switch self {
      case .text: "what has no other colour"
      case .background: "behind everything"
      case .quiet: "borders, times, hints, the payloads of actions"
      case .red: "failures, errors, broken rules, what was removed"
      case .green: "texts, what was added"
      case .yellow: "warnings, what was changed, hits of a search"
      case .blue: "a fork"
      case .magenta: "numbers, marks, actions that a reducer sent"
      case .cyan: "steps named in a pane, effects, watched values"
      }
    }
  }

  package let name: String
  private var looks: [ColorRole: Style]

  private init(_ name: String, _ colors: [ColorRole: UInt8]) {
    self.name = name
    looks = colors.mapValues { Style(foreground: .palette($0)) }
  }

  /// The look of an ink; nil leaves it to the terminal.
  package subscript(role: ColorRole) -> Style? {
    get { looks[role] }
    set { looks[role] = newValue }
  }

  package static let terminal = ColorScheme("terminal", [:])
  package static let dark = ColorScheme(
    "dark",
    [.quiet: 245, .red: 203, .green: 114, .yellow: 221, .blue: 111, .magenta: 176, .cyan: 80])
  package static let light = ColorScheme(
    "light", [.quiet: 240, .red: 124, .green: 22, .yellow: 94, .blue: 25, .magenta: 90, .cyan: 23])
  package static let highContrast = ColorScheme(
    "high-contrast",
    [
      .text: 231, .background: 16, .quiet: 252, .red: 210, .green: 120, .yellow: 227, .blue: 117,
      .magenta: 219, .cyan: 87,
    ])
  package static let all = [terminal, dark, light, highContrast]

  fileprivate var isTerminals: Bool { looks.isEmpty }

  func style(of style: Style) -> Style {
    let role: ColorRole =
      switch style.foreground {
      case .red: .red
      case .green: .green
      case .yellow: .yellow
      case .blue: .blue
      case .magenta: .magenta
      case .cyan: .cyan
      default: style.attributes.contains(.dim) ? .quiet : .text
      }
    var result = style
    if let look = looks[role] {
      result = style.foreground(look.foreground)
      // The quiet ink has its own colour, and in high contrast nothing is faint.
      if role == .quiet || looks[.background] != nil { result.attributes.remove(.dim) }
      result = result.adding(look.attributes)
    }
    if let paper = looks[.background], style.background == .standard {
      result.background = paper.foreground
    }
    return result
  }
}

extension Canvas {
  package func colored(by scheme: ColorScheme) -> Canvas {
    if scheme.isTerminals { return self }
    var copy = self
    var last = (old: Style.plain, new: scheme.style(of: .plain))
    for index in copy.cells.indices {
      let style = cells[index].style
      if style != last.old { last = (style, scheme.style(of: style)) }
      copy.cells[index].style = last.new
    }
    return copy
  }
}

extension Color {
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]
  package static let allNames = ["standard"] + names + names.map { "bright-\($0)" }

  /// `red`, `bright-red`, `standard`, or a number up to 255.
  package init?(named name: String) {
    if let number = UInt8(name) {
      self = .palette(number)
    } else if let index = Self.allNames.firstIndex(of: name) {
      self = index == 0 ? .standard : .palette(UInt8(index - 1))
    } else {
      return nil
    }
  }
}

extension Style.Attributes {
  package static let byName: [(name: String, attribute: Style.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse),
  ]
}

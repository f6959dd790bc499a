/// The look of a cell.
///
/// ```swift
/// canvas.write("813", at: point, style: .plain.bold.foreground(.red))
/// canvas.write(row, at: point, style: .selected)
/// ```
@usableFromInline
package struct Style: Sendable, Hashable {
  package struct Attributes: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
  }

  package var foreground: Color
  package var background: Color
  package var attributes: Attributes

  package init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  @usableFromInline package static let plain = Style()
  /// Reverse video, readable on every background, even without colours.
  package static let selected = Style(attributes: .reverse)

  package var bold: Style { adding(.bold) }
  package var dim: Style { adding(.dim) }
  package var underline: Style { adding(.underline) }
  package var reverse: Style { adding(.reverse) }

  package func adding(_ attributes: Attributes) -> Style {
    var copy = self
    copy.attributes.formUnion(attributes)
    return copy
  }

  package func foreground(_ color: Color) -> Style {
    var copy = self
    copy.foreground = color
    return copy
  }
}

/// A colour of the terminal's own palette, so that text stays readable.
package enum Color: Sendable, Hashable {
  case standard
  /// 0 to 7 are the plain colours, 8 to 15 the bright ones, 16 to 255 the fixed cube and greys.
  case palette(UInt8)

  package static let red = Color.palette(1)
  package static let green = Color.palette(2)
  package static let yellow = Color.palette(3)
  package static let blue = Color.palette(4)
  package static let magenta = Color.palette(5)
  package static let cyan = Color.palette(6)
}

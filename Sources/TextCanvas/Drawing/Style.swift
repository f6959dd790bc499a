/// How a cell looks.
///
/// ```swift
/// canvas.write("813", at: point, style: .plain.bold.foreground(.red))
/// canvas.write(row, at: point, style: .selected)
/// ```
public struct Style: Sendable, Hashable {
  public struct Attributes: OptionSet, Sendable, Hashable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let reverse = Attributes(rawValue: 16)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  public static let plain = Style()
  /// What is selected is shown in reverse video: readable on every background, without colours too.
  public static let selected = Style(attributes: .reverse)

  public var bold: Style { adding(.bold) }
  public var dim: Style { adding(.dim) }
  public var italic: Style { adding(.italic) }
  public var underline: Style { adding(.underline) }
  public var reverse: Style { adding(.reverse) }

  public func adding(_ attributes: Attributes) -> Style {
    var copy = self
    copy.attributes.formUnion(attributes)
    return copy
  }

  public func foreground(_ color: Color) -> Style {
    var copy = self
    copy.foreground = color
    return copy
  }

  public func background(_ color: Color) -> Style {
    var copy = self
    copy.background = color
    return copy
  }

  /// The same style for somebody who wants no colours (`NO_COLOR`): only the attributes stay.
  public var withoutColors: Style { Style(attributes: attributes) }
}

/// A colour as the terminal's own palette has it, so that text stays readable on any background.
public enum Color: Sendable, Hashable {
  /// What the terminal uses when nobody asks for a colour.
  case standard
  /// 0 to 7 are the plain colours, 8 to 15 the bright ones, 16 to 255 the fixed cube and greys.
  case palette(UInt8)

  public static let black = Color.palette(0)
  public static let red = Color.palette(1)
  public static let green = Color.palette(2)
  public static let yellow = Color.palette(3)
  public static let blue = Color.palette(4)
  public static let magenta = Color.palette(5)
  public static let cyan = Color.palette(6)
  public static let white = Color.palette(7)
  public static let brightBlack = Color.palette(8)
}

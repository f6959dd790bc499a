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

import CTerminal
import TextCanvas

struct ColorPairs {
  private var numbers: [UInt32: Int16] = [:]
  private let colors: Int32
  private let most: Int

  init(usesColors: Bool) {
    colors = usesColors ? curses_colors() : 0
    most = Int(curses_color_pairs())
  }

  mutating func look(of style: Style) -> (attributes: attr_t, pair: Int16) {
    var attributes = Self.attributes(style.attributes)
    let foreground = nearest(style.foreground, attributes: &attributes)
    var ignored = attr_t()
    let background = nearest(style.background, attributes: &ignored)
    if foreground < 0, background < 0 { return (attributes, 0) }
    let key = UInt32(UInt16(bitPattern: foreground)) << 16 | UInt32(UInt16(bitPattern: background))
    if let number = numbers[key] { return (attributes, number) }
    guard numbers.count + 1 < most else { return (attributes, 0) }
    let number = Int16(numbers.count + 1)
    guard init_pair(number, foreground, background) == OK else { return (attributes, 0) }
    numbers[key] = number
    return (attributes, number)
  }

  private static func attributes(_ attributes: Style.Attributes) -> attr_t {
    var result = attr_t()
    if attributes.contains(.bold) { result |= curses_bold() }
    if attributes.contains(.dim) { result |= curses_dim() }
    if attributes.contains(.italic) { result |= curses_italic() }
    if attributes.contains(.underline) { result |= curses_underline() }
    if attributes.contains(.reverse) { result |= curses_reverse() }
    return result
  }

  private func nearest(_ color: Color, attributes: inout attr_t) -> Int16 {
    guard case .palette(let number) = color, let found = Palette.nearest(number, of: Int(colors))
    else { return -1 }
    if found.isBright { attributes |= curses_bold() }
    return Int16(found.number)
  }
}

enum Palette {
  /// The nearest of `count` colours; with eight, bright ones are bold.
  static func nearest(_ number: UInt8, of count: Int) -> (number: Int, isBright: Bool)? {
    let number = Int(number)
    if count < 8 { return nil }
    if number < count { return (number, false) }
    if number < 16 { return (number - 8, true) }
    if number >= 232 {
      let isLight = number >= 244
      return (isLight ? 7 : 0, number >= 236 && number < 250 && !isLight || number >= 250)
    }
    let cube = number - 16
    let parts = [cube / 36, cube / 6 % 6, cube % 6]
    let strongest = parts.max() ?? 0
    let bits = zip(parts, [1, 2, 4]).reduce(0) { sum, part in
      part.0 * 2 > strongest && part.0 > 0 ? sum | part.1 : sum
    }
    return (bits, strongest >= 5)
  }
}

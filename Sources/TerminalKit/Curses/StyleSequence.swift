import TextCanvas

/// The control sequence that selects a style, for what ncurses cannot draw itself.
enum StyleSequence {
  static func text(for style: Style, colors: Int) -> String {
    var numbers = ["0"]
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    for (attribute, number) in attributes where style.attributes.contains(attribute) {
      numbers.append(number)
    }
    append(style.foreground, base: 30, colors: colors, to: &numbers)
    append(style.background, base: 40, colors: colors, to: &numbers)
    return "\u{1B}[\(numbers.joined(separator: ";"))m"
  }

  private static func append(
    _ color: Color, base: Int, colors: Int, to numbers: inout [String]
  ) {
    guard case .palette(let wanted) = color, let found = Palette.nearest(wanted, of: colors) else {
      return
    }
    if found.number < 8 {
      numbers.append("\(base + found.number)")
    } else {
      numbers.append("\(base + 8);5;\(found.number)")
    }
  }
}

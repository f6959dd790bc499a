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

import Platform

/// What a terminal is used with.
public struct TerminalOptions: Sendable, Hashable {
  public var usesMouse: Bool
  public var usesColors: Bool
  /// Draws with ASCII only, whatever the locale says.
  public var isAsciiOnly: Bool

  public init(usesMouse: Bool = true, usesColors: Bool = true, isAsciiOnly: Bool = false) {
    self.usesMouse = usesMouse
    self.usesColors = usesColors
    self.isAsciiOnly = isAsciiOnly
  }

  /// As the environment asks: `NO_COLOR` with any value but an empty one means no colours.
  public static var fromEnvironment: TerminalOptions {
    TerminalOptions(usesColors: (getenv("NO_COLOR").map { $0.pointee == 0 }) ?? true)
  }
}

/// How a value is printed.
public struct PrintStyle: Sendable, Hashable {
  /// Spaces for each level, one child a line; nil for everything on one line without spaces.
  public var indentation: Int?
  /// Keys in the order of their bytes instead of the order in which they were written.
  public var sortsKeys: Bool

  public init(indentation: Int? = nil, sortsKeys: Bool = false) {
    self.indentation = indentation
    self.sortsKeys = sortsKeys
  }

  public static let compact = PrintStyle()
  public static let pretty = PrintStyle(indentation: 2)
  public static let sorted = PrintStyle(sortsKeys: true)
  public static let prettySorted = PrintStyle(indentation: 2, sortsKeys: true)
}

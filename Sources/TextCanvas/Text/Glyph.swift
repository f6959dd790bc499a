/// What one cell shows, or two cells when it is wide: a scalar that takes space with what hangs on it.
struct Glyph: Hashable {
  var text: String
  var width: Int
  /// Terminals disagree about how far the cursor moves after it.
  var isUncertain: Bool

  init(_ text: String, width: Int = 1, isUncertain: Bool = false) {
    self.text = text
    self.width = width
    self.isUncertain = isUncertain
  }
}

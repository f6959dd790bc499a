import TextCanvas

extension String {
  /// A sentence in at most so many cells: the place stands at its beginning and what to do at its end,
  /// so what is left out is left out in the middle.
  func shortened(to width: Int) -> String {
    guard SafeText.width(self, upTo: width + 1) > width, width > 8 else { return self }
    let tailRoom = width / 3
    let headRoom = width - 1 - tailRoom
    return String(fitting(prefix(headRoom), headRoom)) + "…"
      + String(fitting(suffix(tailRoom).reversed(), tailRoom).reversed())
  }

  private func fitting(_ characters: some Sequence<Character>, _ width: Int) -> [Character] {
    var used = 0
    return characters.prefix { character in
      used += SafeText.width(String(character))
      return used <= width
    }
  }
}

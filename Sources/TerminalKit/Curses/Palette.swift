/// Colours of a terminal that has fewer of them.
enum Palette {
  /// The nearest of `count` colours; bright ones of eight are bold.
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

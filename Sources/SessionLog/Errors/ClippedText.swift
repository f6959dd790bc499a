extension String {
  /// The text as a part of a sentence: what is longer than a name has any right to be loses its
  /// middle. Scalars are counted, because a thousand of them can pass for one character.
  package func clipped(to length: Int = 100) -> String {
    guard utf8.count > length, unicodeScalars.count > length else { return self }
    let scalars = unicodeScalars
    let rest = length / 4
    return String(scalars.prefix(length - rest - 1)) + "…" + String(scalars.suffix(rest))
  }
}

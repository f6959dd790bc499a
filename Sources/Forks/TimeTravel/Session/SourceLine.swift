import SessionWords

package struct SourceLine: Sendable, Hashable {
  package var file: String
  package var line: Int

  /// Nil if the recorder does not know it.
  package init?(_ origin: EffectOrigin) {
    guard origin.name != nil, !origin.file.isEmpty, origin.line > 0 else { return nil }
    (file, line) = (origin.file, Int(origin.line))
  }

  /// The first place in a sentence, as in crash messages: `Cart.swift:12`,
  /// `file:///app/cart.mjs:12:5`.
  package init?(in sentence: String) {
    let words = sentence.split { $0.isWhitespace || "()“”\"',@".contains($0) }.prefix(200)
    for word in words where word.utf8.count < 500 {
      var path = word
      if let address = word.firstRange(of: "://") {
        path = word[address.upperBound...].drop { $0 != "/" }
        if !word.hasPrefix("file:") { path = path.dropFirst() }
      }
      let parts = path.split(separator: ":")
      guard parts.count > 1, let line = Int(parts[1]), line > 0,
        let kind = parts[0].split(separator: "/").last?.split(separator: ".").dropFirst().last,
        kind.count <= 5, kind.allSatisfy(\.isLetter)
      else { continue }
      self.init(String(parts[0]), line)
      return
    }
    return nil
  }

  package init(_ file: String, _ line: Int) { (self.file, self.line) = (file, line) }

  package var text: String { "\(file.split(separator: "/").last.map(String.init) ?? ""):\(line)" }
}

/// Tells the parts of one recording from those of another.
enum SessionID {
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = String(generator.next(), radix: 36)
    return String(repeating: "0", count: max(0, 13 - text.count)) + text
  }
}

import Platform

/// A text to find in a session file's bytes before anything is parsed.
///
/// ```swift
/// if let needle = TextNeedle("tea", ignoringCase: true) {
///   let maybe = try session.steps(holding: needle, in: session.steps)
/// }
/// ```
///
/// It finds every line with the text in a string or a key, in any notation, and some other lines.
package struct TextNeedle: Sendable {
  let run: [UInt8]
  private let ignoresCase: Bool
  /// Alternatives for a part of the text: equal characters, and escapes.
  private let others: [[UInt8]]

  /// Nil if bytes cannot decide: the text has no ASCII letter, or may be a number in another
  /// notation.
  package init?(_ text: String, ignoringCase ignoresCase: Bool) {
    let runs = text.split { !$0.isWrittenAsItIs }.filter { !$0.allSatisfy(\.isInNumbers) }
    guard let longest = runs.max(by: { $0.count < $1.count }), text != "?" else { return nil }
    run = Array((ignoresCase ? longest.lowercased() : String(longest)).utf8)
    self.ignoresCase = ignoresCase
    others =
      [Array(#"\u"#.utf8)]
      + [("k", "\u{212A}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")]
      .filter { longest.contains($0.0) }.map { Array($0.1.utf8) }
  }

  var longest: Int { max(run.count, 3) }

  func searches(sample: [UInt8]) -> [ByteSearch] {
    ByteSearch.all(for: run, ignoringCase: ignoresCase, sample: sample)
      + others.flatMap { ByteSearch.all(for: $0, ignoringCase: false, sample: sample) }
  }
}

extension Character {
  fileprivate var isWrittenAsItIs: Bool {
    guard let byte = utf8.first, utf8.count == 1, byte >= 0x20, byte < 0x7F else { return false }
    return self != "\"" && self != "\\" && self != "/"
  }

  fileprivate var isInNumbers: Bool { "0123456789+-.eE".contains(self) }
}

/// A byte search that jumps to occurrences of a rare byte.
package struct ByteSearch: Sendable {
  private let needle: [UInt8]
  /// The index and the value of the rare byte: one of a letter's two cases.
  private let place: Int
  private let byte: UInt8
  private let ignoresCase: Bool

  /// The searches that together find the needle. `sample` tells which bytes are frequent; without
  /// case the needle is lowercase.
  static func all(
    for needle: [UInt8], ignoringCase ignoresCase: Bool, sample: [UInt8]
  ) -> [ByteSearch] {
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample { counts[Int(byte)] += 1 }
    func cases(_ byte: UInt8) -> [UInt8] {
      ignoresCase && byte.isLowercaseLetter ? [byte, byte - 32] : [byte]
    }
    func count(_ place: Int) -> Int { cases(needle[place]).reduce(0) { $0 + counts[Int($1)] } }
    guard let place = needle.indices.min(by: { count($0) < count($1) }) else { return [] }
    return cases(needle[place]).map {
      ByteSearch(needle: needle, place: place, byte: $0, ignoresCase: ignoresCase)
    }
  }

  package static func all(for needle: [UInt8]) -> [ByteSearch] {
    all(for: needle, ignoringCase: false, sample: needle)
  }

  package func firstIndex(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start + place
    let last = bytes.count - (needle.count - place)
    while position <= last, let found = memchr(base + position, Int32(byte), last - position + 1) {
      let start = UnsafeRawPointer(found) - UnsafeRawPointer(base) - place
      if isNeedle(base + start) { return start }
      position = start + place + 1
    }
    return nil
  }

  private func isNeedle(_ bytes: UnsafeRawPointer) -> Bool {
    guard ignoresCase else { return memcmp(bytes, needle, needle.count) == 0 }
    for index in needle.indices {
      let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
      guard byte == needle[index] || (byte | 32).isLowercaseLetter && byte | 32 == needle[index]
      else { return false }
    }
    return true
  }
}

extension [ByteSearch] {
  /// Whether one of the searches finds something.
  package func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    contains { $0.firstIndex(in: bytes, from: 0) != nil }
  }
}

extension UInt8 {
  fileprivate var isLowercaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}

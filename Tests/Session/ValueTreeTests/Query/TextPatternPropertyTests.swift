import TestSupport
import Testing

@testable import ValueTree

/// A pattern over the letters a and b, with the plainest matcher there is: all ends that a start can reach.
private indirect enum PlainPattern {
  case letter(Character)
  case any
  case sequence(PlainPattern, PlainPattern)
  case choice(PlainPattern, PlainPattern)
  case repeated(PlainPattern, Int, Int?)

  static func random(depth: Int, using generator: inout SeededGenerator) -> PlainPattern {
    switch Int.random(in: 0..<(depth == 0 ? 3 : 9), using: &generator) {
    case 0: return .letter("a")
    case 1: return .letter("b")
    case 2: return .any
    case 3, 4:
      let first = random(depth: depth - 1, using: &generator)
      return .sequence(first, random(depth: depth - 1, using: &generator))
    case 5, 6:
      let first = random(depth: depth - 1, using: &generator)
      return .choice(first, random(depth: depth - 1, using: &generator))
    default:
      let least = Int.random(in: 0...2, using: &generator)
      let most = [nil, least, least + 1].randomElement(using: &generator)!
      return .repeated(random(depth: depth - 1, using: &generator), least, most)
    }
  }

  var text: String {
    switch self {
    case .letter(let letter): String(letter)
    case .any: "[ab]"
    case .sequence(let first, let second): first.text + second.text
    case .choice(let first, let second): "(\(first.text)|\(second.text))"
    case .repeated(let inner, 0, nil): "(\(inner.text))*"
    case .repeated(let inner, 1, nil): "(\(inner.text))+"
    case .repeated(let inner, 0, 1): "(\(inner.text))?"
    case .repeated(let inner, let least, nil): "(\(inner.text)){\(least),}"
    case .repeated(let inner, let least, let most?):
      least == most ? "(\(inner.text)){\(least)}" : "(\(inner.text)){\(least),\(most)}"
    }
  }

  /// Where a match that begins at one of these places can end.
  func ends(of letters: [Character], from starts: Set<Int>) -> Set<Int> {
    switch self {
    case .letter(let letter):
      return Set(starts.filter { $0 < letters.count && letters[$0] == letter }.map { $0 + 1 })
    case .any: return Set(starts.filter { $0 < letters.count }.map { $0 + 1 })
    case .sequence(let first, let second):
      return second.ends(of: letters, from: first.ends(of: letters, from: starts))
    case .choice(let first, let second):
      return first.ends(of: letters, from: starts).union(second.ends(of: letters, from: starts))
    case .repeated(let inner, let least, let most):
      var reached = starts
      for _ in 0..<least { reached = inner.ends(of: letters, from: reached) }
      var all = reached
      for _ in 0..<(most.map { $0 - least } ?? letters.count + 1) {
        reached = inner.ends(of: letters, from: reached)
        all.formUnion(reached)
      }
      return all
    }
  }
}

@Suite("Text patterns at random")
struct TextPatternPropertyTests {
  @Test("random patterns match what the plainest matcher matches")
  func agreement() throws {
    let seed: UInt64 = 20_260_105
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1_500 {
      let plain = PlainPattern.random(depth: 4, using: &generator)
      guard let pattern = try? TextPattern(plain.text) else {
        // Only a pattern that repeats too much is refused.
        #expect(plain.text.contains("{"), "\(plain.text)")
        continue
      }
      for _ in 0..<12 {
        let letters = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
          ["a", "b"].randomElement(using: &generator)! as Character
        }
        let text = String(letters)
        let whole = plain.ends(of: letters, from: [0]).contains(letters.count)
        let part = !plain.ends(of: letters, from: Set(0...letters.count)).isEmpty
        #expect(pattern.matches(text) == whole, "\(plain.text) \(text), seed \(seed)")
        #expect(pattern.isFound(in: text) == part, "\(plain.text) \(text), seed \(seed)")
      }
    }
  }
}

import Platform

/// Algorithms to compare ours with. Each answers the same questions, and each question counts once.
enum Rivals {
  typealias Happens = ([Int]) async throws -> Bool

  /// Zeller and Hildebrandt 2002: subsets, complements, then finer.
  static func ddmin(_ elements: [Int], _ happens: Happens) async throws -> [Int] {
    var kept = elements
    var parts = 2
    while kept.count >= 2 {
      let chunks = split(kept, parts)
      var isSmaller = false
      for chunk in chunks where try await happens(chunk) {
        (kept, parts, isSmaller) = (chunk, 2, true)
        break
      }
      if isSmaller { continue }
      for chunk in chunks {
        let rest = kept.filter { !chunk.contains($0) }
        guard parts > 2, try await happens(rest) else { continue }
        (kept, parts, isSmaller) = (rest, max(parts - 1, 2), true)
        break
      }
      if isSmaller { continue }
      if parts >= kept.count { break }
      parts = min(kept.count, parts * 2)
    }
    if kept.count == 1, try await happens([]) { return [] }
    return kept
  }

  /// Counter-based reduction (arXiv 2408.04735), with a last pass, so that it is 1-minimal, too.
  static func counterBased(_ elements: [Int], _ happens: Happens) async throws -> [Int] {
    var kept = elements
    var share = 0.1
    while true {
      let size = share >= 0.63 ? 1 : max(1, Int(-1 / log1p(-share)))
      for chunk in split(kept, max(1, (kept.count + size - 1) / size)) {
        let rest = kept.filter { !chunk.contains($0) }
        if try await happens(rest) { kept = rest }
      }
      if size == 1 { break }
      share /= 0.632
    }
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for element in kept {
        let rest = kept.filter { $0 != element }
        if try await happens(rest) { (kept, isSmaller) = (rest, true) }
      }
    }
    return kept
  }

  private static func split(_ elements: [Int], _ parts: Int) -> [[Int]] {
    let parts = min(parts, max(1, elements.count))
    return (0..<parts).map { part in
      Array(elements[(elements.count * part / parts)..<(elements.count * (part + 1) / parts)])
    }.filter { !$0.isEmpty }
  }
}

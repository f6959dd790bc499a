/// The known word that is nearest to a mistyped one, when one is near enough.
package func suggestion(for word: String, among known: [String]) -> String? {
  let near = known.map { (word: $0, distance: editDistance(word, $0)) }
    .min { $0.distance < $1.distance }
  guard let near, near.distance <= max(1, word.count / 3) else { return nil }
  return near.word
}

/// How many letters have to be changed, added, left out, or two exchanged, to turn one word into the other.
private func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var before: [Int] = []
  var row = Array(0...right.count)
  for (i, letter) in left.enumerated() {
    var next = [i + 1]
    for (j, other) in right.enumerated() {
      var distance = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
      if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
        distance = min(distance, before[j - 1] + 1)
      }
      next.append(distance)
    }
    (before, row) = (row, next)
  }
  return row[right.count]
}

/// The label that was meant by a text that is none: one that ends with it or nearly so, else the nearest.
package func nearest(_ text: String, _ labels: Set<String>) -> String? {
  let known = labels.sorted()
  if let whole = known.first(where: { $0.hasSuffix(".\(text)") || $0.hasSuffix("/\(text)") }) {
    return whole
  }
  func last(_ label: String) -> String {
    label.split { $0 == "." || $0 == "/" }.last.map(String.init) ?? label
  }
  return suggestion(for: text, among: known)
    ?? suggestion(for: last(text), among: known.map(last)).flatMap { name in
      known.first { last($0) == name }
    }
}

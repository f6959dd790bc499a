import SessionLog

/// A command line that cannot be understood, or that asks for something that is not there.
struct UsageError: Explained, Equatable {
  var what: String
  var next: String?
  var place: String? { nil }
}

/// The known word that is nearest to a mistyped one, when one is near enough.
func suggestion(for word: String, among known: [String]) -> String? {
  let near = known.map { (word: $0, distance: editDistance(word, $0)) }
    .min { $0.distance < $1.distance }
  guard let near, near.distance <= max(1, word.count / 3) else { return nil }
  return near.word
}

/// How many letters have to be changed, added, left out, to turn one word into the other.
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var row = Array(0...right.count)
  for (i, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let above = row[j + 1]
      row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
      diagonal = above
    }
  }
  return row[right.count]
}

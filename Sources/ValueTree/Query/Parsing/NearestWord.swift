/// Finds what somebody may have meant by a word that is not known.
enum NearestWord {
  /// The known word with the fewest letters to change, when those are few.
  static func find(_ word: String, in known: some Sequence<String>) -> String? {
    known.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= max(1, min($0.word.count, word.count) / 2) }
      .min { $0.distance < $1.distance }?.word
  }

  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars.prefix(64)), Array(right.unicodeScalars))
    var row = Array(0...right.count)
    for (index, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let change = diagonal + (scalar == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}

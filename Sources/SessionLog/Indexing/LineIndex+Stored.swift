extension LineIndex {
  /// What an index knows besides where lines begin.
  struct Facts {
    var lineCount: Int
    var unknownLines: Int
    var firstUnknownLine: Int?
    var remarks: [Int]
  }

  var facts: Facts {
    Facts(
      lineCount: lineCount, unknownLines: unknownLines, firstUnknownLine: firstUnknownLine,
      remarks: remarks)
  }
}

extension LineIndex.Facts {
  /// Offsets are not above the limit.
  init?(_ words: inout WordReader, limit: Int) {
    guard let lineCount = words.count(upTo: limit), let unknownLines = words.count(upTo: limit),
      let first = words.count(upTo: limit + 1), let remarkCount = words.count(upTo: limit)
    else { return nil }
    var remarks: [Int] = []
    for _ in 0..<remarkCount {
      guard let remark = words.count(upTo: limit) else { return nil }
      remarks.append(remark)
    }
    self.init(
      lineCount: lineCount, unknownLines: unknownLines,
      firstUnknownLine: first == 0 ? nil : first - 1, remarks: remarks)
  }

  func write(to words: inout WordWriter) {
    words.add(UInt64(lineCount))
    words.add(UInt64(unknownLines))
    words.add(UInt64(firstUnknownLine.map { $0 + 1 } ?? 0))
    words.add(UInt64(remarks.count))
    for remark in remarks { words.add(UInt64(remark)) }
  }
}

extension ChunkedList {
  /// Whether the offsets go up and stay below an end.
  func ascends(below end: Int) -> Bool {
    var last: UInt64?
    for position in 0..<count {
      let offset = self[position] >> 3
      if let last, offset <= last { return false }
      last = offset
    }
    return last.map { $0 < UInt64(end) } ?? true
  }
}

import SessionWords
import TextCanvas
import TimeTravel

extension Pane {
  package func lines(of moment: Moment, in branches: [Branch] = [], width: Int) -> [String] {
    var writer = PaneWriter(width: width, branches: branches)
    writer.write(self, of: moment)
    return writer.content.rows.map(\.line)
  }
}

extension ValueDifference {
  package func lines(width: Int) -> [String] {
    var writer = PaneWriter(width: width)
    writer.write(self, same: "nothing is different")
    return writer.content.rows.map(\.line)
  }
}

extension Branch {
  package func editLines(
    in branches: [Branch], label: @escaping (Int) -> String?
  ) -> [String] {
    let words = EditWords(branch: self, branches: branches, label: label)
    return editRanges.map { SafeText.line(words.spans(ofEdits: $0).map(\.text).joined()) }
  }

  /// The edits; neighbours that are skipped are one.
  var editRanges: [Range<Int>] {
    let edits = script?.edits ?? []
    var ranges: [Range<Int>] = []
    while (ranges.last?.upperBound ?? 0) < edits.count {
      let next = ranges.last?.upperBound ?? 0
      let run = edits[next...].skipRun
      ranges.append(next..<next + (run > 2 ? run : 1))
    }
    return ranges
  }
}

extension ArraySlice<Edit> {
  fileprivate var skipRun: Int {
    guard case .skip(let step)? = first else { return 0 }
    let rest = zip(dropFirst(), (step + 1)...)
    return 1
      + rest.prefix { edit, next in if case .skip(next) = edit { true } else { false } }.count
  }
}

extension PaneRow {
  fileprivate var line: String {
    var text = (sign?.text ?? " ") + " " + String(repeating: "  ", count: indent) + self.text
    while text.last == " " { text.removeLast() }
    return SafeText.line(text)
  }
}

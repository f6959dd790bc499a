import SessionWords
import TextCanvas
import TimeTravel

extension Pane {
  package func lines(of moment: Moment, width: Int) -> [String] {
    PaneView.content(of: moment, pane: self, folds: Folds(), watched: [], width: width).rows
      .map(\.line)
  }
}

extension ValueDifference {
  package func lines(width: Int) -> [String] {
    DiffPane.content(self, folds: Folds(), width: width, same: "nothing is different").rows.map(
      \.line)
  }
}

extension Branch {
  package func editLines(label: @escaping (Int) -> String?) -> [String] {
    let words = EditWords(branch: self, label: label)
    let edits = script?.edits ?? []
    var lines: [String] = []
    var index = 0
    while index < edits.count {
      let run = edits[index...].skipRun
      if run > 2, case .skip(let first) = edits[index] {
        let parent = script?.parent ?? Branch.main
        lines.append("skips \(grouped(first))–\(grouped(first + run - 1)) of \(parent)")
        index += run
      } else {
        lines.append(words.spans(ofEdit: index).map(\.text).joined())
        index += 1
      }
    }
    return lines.map { SafeText.line($0) }
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

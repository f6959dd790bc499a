import SessionLog
import TextCanvas
import TimeTravel

extension Pane {
  /// What the pane shows of a moment, as lines of text that are safe to print.
  package func lines(of moment: Moment, width: Int) -> [String] {
    PaneView.content(of: moment, pane: self, folds: Folds(), watched: [], width: width).rows
      .map(\.line)
  }
}

extension ValueDifference {
  /// As the Diff pane shows it.
  package func lines(width: Int) -> [String] {
    DiffPane.content(self, folds: Folds(), width: width, same: "nothing is different").rows.map(
      \.line)
  }
}

extension Branch {
  /// What its edits do, one line each; `label` gives that of a step of the parent.
  package func editLines(label: @escaping (Int) -> String?) -> [String] {
    let words = EditWords(branch: self, label: label)
    return (script?.edits ?? []).indices.map { index in
      SafeText.line(words.spans(ofEdit: index).map(\.text).joined())
    }
  }
}

extension PaneRow {
  fileprivate var line: String {
    var text = (sign?.text ?? " ") + " " + String(repeating: "  ", count: indent) + self.text
    while text.last == " " { text.removeLast() }
    return SafeText.line(text)
  }
}

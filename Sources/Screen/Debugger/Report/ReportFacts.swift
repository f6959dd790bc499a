import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// The first line of a report's data. The lines of the session follow it.
package struct ReportFacts {
  struct Branch {
    var id: BranchID
    var name: String
    var file: String?
    /// The first step of each of its blocks, and its last step.
    var blocks: (firsts: [Int], last: Int)?
    var parent: Int?
    var leavesAt = 0
    var edits: [String] = []
    var outcome: [String] = []
    var note: String?
    /// The parent's step beside each own one.
    var from: [Int?] = []
    var notRun: String?
  }

  var title: String
  /// When and from what it was recorded, and by what the page was made.
  var head: [String] = []
  var isVerified = false
  var steps: ClosedRange<Int>
  var length: String?
  var position = Position(step: 0)
  var failures: [ReportedFailure] = []
  /// Says which rules were not checked everywhere.
  var unchecked: [String] = []
  var marks: [(Position, String)] = []
  var notices: [String]
  var branches: [Branch] = []

  init(_ summary: RecordingSummary) {
    (title, steps, notices) = (summary.name, summary.steps, summary.notices)
  }

  mutating func describe(_ copy: OpenSession, _ header: SessionHeader, _ made: [String]) {
    let app = header.app.map { $0.name + ($0.version.map { " \($0)" } ?? "") }
    let date = header.started.map { "recorded " + $0.prefix(19).replacing("T", with: " ") }
    head = [app, date].compactMap(\.self) + made
    if let start = try? copy.step(at: Position(step: steps.lowerBound)).step.time ?? .zero,
      let end = try? copy.step(at: Position(step: steps.upperBound)).step.time, end > start
    {
      length = (end - start).longText
    }
  }

  private func name(of id: BranchID) -> String {
    branches.first { $0.id == id }?.name ?? id.firstName
  }

  /// How few actions are enough, if a search found that; then what failed.
  var why: String {
    let note = branches.first { $0.id == position.branch }?.note.map { "\($0). " } ?? ""
    return note + failureWords
  }

  private var failureWords: String {
    guard let first = failures.first else {
      return ([Self.noFailure(isVerified)] + unchecked).joined(separator: " ")
    }
    func words(_ failure: ReportedFailure) -> String {
      let place = Mark(branch: name(of: failure.position.branch), step: failure.position.step)
      return "\(place.text) \(failure.label): \(failure.words)"
    }
    // The step at which the page opens may be the first failure, run again.
    let later = failures.dropFirst().filter {
      $0.position != position || $0.position.step != first.position.step
    }
    guard let next = later.first else { return "Step \(words(first))" }
    let others = later.count - 1
    let more = others > 0 ? " (and \(counted(others, "more failure")))" : ""
    let end = first.words.hasSuffix(".") ? "" : "."
    return "Step \(words(first))\(end) Then \(words(next))\(more)"
  }

  /// Only who has run the recording again can say that all is as it was.
  package static func noFailure(_ isVerified: Bool) -> String {
    isVerified ? "No failure was found." : "Not run with a reducer."
  }

  var summary: String {
    "\(title): \(counted(steps.count - 1, "step")). \(why)"
  }

  /// The fork's start, its edits and its outcome.
  private func words(about branch: Branch) -> String {
    let from = branch.parent.map { $0 == 0 ? "the recording" : branches[$0].name } ?? "its parent"
    let start =
      "This fork leaves \(from) after step \(branch.leavesAt)"
      + (branch.edits.isEmpty ? "" : ": " + branch.edits.joined(separator: "; "))
    return ([start] + branch.outcome + [branch.note].compactMap(\.self))
      .map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
  }

  func value(_ redaction: Redaction) -> Value {
    let redactor = Redactor(redaction)
    func text(_ words: String) -> Value { .string(redactor.text(words, .message)) }
    func index(_ id: BranchID) -> Int { branches.firstIndex { $0.id == id } ?? 0 }
    let isShown = branches.contains { $0.id == position.branch && $0.file != nil }
    let count = counted(steps.count - 1, "step")
    let line = [count] + [length].compactMap(\.self) + head + (failures.isEmpty ? [why] : [])
    let notRun = branches.compactMap { branch in
      branch.notRun.map { "The fork “\(branch.name)” \($0)" }
    }
    return [
      "title": text(title), "line": text(line.joined(separator: " · ")), "why": text(why),
      "position": [
        "branch": Value(isShown ? index(position.branch) : 0), "step": Value(position.step),
      ],
      "notes": .list(notices + notRun, text),
      "failures": .list(failures) { [Value(index($0.position.branch)), Value($0.position.step)] },
      "branches": .list(branches) { branch in
        var told: ValueObject = ["name": text(branch.name)]
        if let blocks = branch.blocks {
          told["firsts"] = .list(blocks.firsts) { Value($0) }
          told["last"] = Value(blocks.last)
        }
        if branch.id != .main {
          told["parent"] = Value(branch.parent ?? 0)
          told["leavesAt"] = Value(branch.leavesAt)
          told["words"] = text(words(about: branch))
        }
        return .object(told)
      },
    ]
  }
}

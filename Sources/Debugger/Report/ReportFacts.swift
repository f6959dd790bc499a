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
  var knowsCauses: Bool
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
    knowsCauses = summary.knowsCauses
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

  var why: String {
    guard let first = failures.first else {
      return ([Self.noFailure(isVerified)] + unchecked).joined(separator: " ")
    }
    let others = failures.count - 1
    let more = others > 0 ? " (\(counted(others, "more failure")))" : ""
    let place = Mark(branch: name(of: first.position.branch), step: first.position.step).text
    return "Step \(place) \(first.label): \(first.words)\(more)"
  }

  /// Only who has run the recording again can say that all is as it was.
  package static func noFailure(_ isVerified: Bool) -> String {
    isVerified ? "No failure was found." : "Not run with a reducer."
  }

  var summary: String {
    "\(title): \(counted(steps.count - 1, "step")). \(why)"
  }

  func value(_ redaction: Redaction) -> Value {
    let redactor = Redactor(redaction)
    func text(_ words: String) -> Value { .string(redactor.text(words, .message)) }
    func list(_ words: [Value]) -> Value { .array(ValueArray(words)) }
    func number(_ number: Int) -> Value { .number(Number(number)) }
    func index(_ id: BranchID) -> Int { branches.firstIndex { $0.id == id } ?? 0 }
    let isShown = branches.contains { $0.id == position.branch && $0.file != nil }
    var facts: ValueObject = [
      "report": 1, "title": text(title), "why": text(why),
      "position": [
        "branch": number(isShown ? index(position.branch) : 0), "step": number(position.step),
      ],
      "notices": list(notices.map(text)),
      "failures": list(
        failures.map {
          list([number(index($0.position.branch)), number($0.position.step), text($0.words)])
        }),
      "marks": list(
        marks.map {
          ["branch": text(name(of: $0.0.branch)), "step": number($0.0.step), "note": text($0.1)]
        }),
      "branches": list(
        branches.map { branch in
          var told: ValueObject = [
            "name": text(branch.name), "edits": list(branch.edits.map(text)),
            "outcome": list(branch.outcome.map(text)),
          ]
          told["note"] = branch.note.map(text)
          told["notRun"] = branch.notRun.map(text)
          told["blocks"] = branch.blocks.map { list($0.firsts.map(number)) }
          told["last"] = branch.blocks.map { number($0.last) }
          if branch.id != .main {
            told["parent"] = number(branch.parent ?? 0)
            told["leavesAt"] = number(branch.leavesAt)
            told["from"] = list(branch.from.map { $0.map(number) ?? .null })
          }
          return .object(told)
        }),
    ]
    facts["head"] = list(head.map(text))
    facts["knowsCauses"] = .bool(knowsCauses)
    facts["length"] = length.map(text)
    return .object(facts)
  }
}

import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// The changes of the steps of a branch, as `diff` shows them. The page compares no states itself.
///
/// A change is a sign and a place; an element that has another place now names the old one, too:
/// `["~/total", ["^/items/1", "/items/0"]]`. A number at the end counts those left out.
struct ReportChanges {
  /// From the state before the step; nil if one of the two is unknown.
  var own: Value?
  /// From the state of the parent's step to a fork's.
  var beside: Value?

  static func list(from old: Value?, to new: Value?, limit: Int = 200) -> Value? {
    guard let old, let new else { return nil }
    let changes = Difference(from: old, to: new, matching: .shown).changes
    var list = changes.prefix(limit).map { change -> Value in
      let sign =
        switch change.kind {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        case .moved: "^"
        }
      let place = Value.string("\(sign)\(change.path)")
      return change.path == change.oldPath ? place : [place, .string("\(change.oldPath)")]
    }
    if changes.count > limit { list.append(.number(Number(changes.count - limit))) }
    return .array(ValueArray(list))
  }

  /// The line behind a step's own. It leaves out what the step's patch says as well.
  func line(behind step: Value) -> Value? {
    let signs = ["add": "+", "remove": "-", "replace": "~"]
    let patch = step["patch"]?.elements.map { operation -> Value in
      let sign = operation["op"]?.string.flatMap { signs[$0] } ?? ""
      return .string(sign + (operation["path"]?.string ?? ""))
    }
    let isSame = own == Value.array(ValueArray(patch ?? []))
    guard let beside else { return isSame ? nil : own.map { .array(ValueArray([$0])) } }
    return .array(ValueArray([isSame ? .null : own ?? .null, beside]))
  }
}

extension Value {
  fileprivate var elements: [Value] {
    if case .array(let array) = self { Array(array) } else { [] }
  }
}

extension ReportFacts {
  /// The changes of each step of a branch, read from the redacted copies.
  func changes(of index: Int) async throws -> [Int: ReportChanges] {
    var copies: [Int: OpenSession] = [:]
    func copy(_ index: Int) throws -> OpenSession? {
      guard copies[index] == nil, let file = branches[index].file else { return copies[index] }
      copies[index] = OpenSession(SessionRecording(try SessionReader(path: file)))
      return copies[index]
    }
    guard let own = try copy(index) else { return [:] }
    var changes: [Int: ReportChanges] = [:]
    var before: Value?
    try await own.follow([Pointer()], in: own.summary.steps, of: .main) { step, state in
      changes[step] = ReportChanges(own: ReportChanges.list(from: before, to: state))
      before = state
      return true
    }
    let fork = branches[index]
    for (place, from) in fork.from.enumerated() {
      guard let from, var owner = fork.parent else { continue }
      while let parent = branches[owner].parent, from <= branches[owner].leavesAt { owner = parent }
      let step = fork.leavesAt + 1 + place
      let theirs = try await copy(owner)?.knownState(at: Position(step: from))
      let ours = try await own.knownState(at: Position(step: step))
      changes[step]?.beside = ReportChanges.list(from: theirs, to: ours, limit: 50)
    }
    return changes
  }
}

import HostProtocol
import Replay
import SessionWords
import StoreCore
import ValueTree

struct SourceWriter {
  private let setup: any RunSetup
  private var literal: SwiftLiteral
  private var value: Value
  private var state: Any
  private(set) var source: StepSource
  /// For an architecture with a test store of its own, states are written as JSON.
  private let isForeign: Bool

  init(_ setup: any RunSetup, before value: Value) throws {
    let (stateType, reducer) = (setup.stateType, setup.reducerType)
    let adapted = (reducer as? any ForeignReducer.Type)?.adapted
    isForeign = adapted != nil
    guard
      isForeign
        || stateType is any Equatable.Type && setup.actionType is any Equatable.Type
    else {
      throw HostRefusal(
        .other,
        "a TestStore compares states and actions, and \(stateType) or \(setup.actionType) is not "
          + "Equatable; a test of the kind “replay” needs that of neither")
    }
    var literal = SwiftLiteral()
    let state = try ValueDecoder().decode(stateType, from: value)
    let name = literal.name(of: adapted ?? reducer) ?? literal.name(of: stateType) ?? "App"
    let parts = name.prefix { $0 != "<" }.split(separator: ".")
    let made = parts.last == "State" ? parts.dropLast() : parts[...]
    let json = "try RecordedState(\(SwiftText.raw(value.text())))"
    guard let type = literal.name(of: stateType),
      let text = isForeign ? json : literal.text(state)
    else {
      throw HostRefusal(.other, "\(stateType) cannot be named in a test: it is private or local")
    }
    source = StepSource(
      reducer: isForeign
        ? "Hosted(\(made.joined(separator: "."))())" : made.joined(separator: ".") + "()",
      modules: literal.modules.subtracting(["Swift"]).sorted(),
      state: isForeign
        ? "var recorded: RecordedState<\(type)> = \(text)" : "let state: \(type) = \(text)",
      steps: [])
    (self.setup, self.value, self.state, self.literal) = (setup, value, state, literal)
  }

  mutating func add(_ step: BranchStep) throws {
    if isForeign {
      let action = foreignAction(step.step.action)
      let change = step.patch.map { SwiftText.raw($0.text()) }
      source.steps.append(
        StepSource.Step(
          number: step.step.number, action: action, changes: change.map { [$0] } ?? []))
      return
    }
    let action = try ValueDecoder().decode(setup.actionType, from: step.step.action)
    guard let text = literal.text(action) else {
      throw HostRefusal(.other, "the action of step \(step.step.number) cannot be written")
    }
    var changes: [String] = []
    if let patch = step.patch {
      value = try Patch(patch).applied(to: value)
      let after = try ValueDecoder().decode(setup.stateType, from: value)
      var writer = ChangeWriter(literal: literal)
      // If a part cannot be set, sets everything to the recorded values.
      changes =
        writer.changes(of: "$0", from: state, to: after)
        ?? ["try change(&$0, by: \(SwiftText.raw(patch.text())))"]
      literal = writer.literal
      state = after
    }
    source.steps.append(
      StepSource.Step(number: step.step.number, action: text, changes: changes))
    source.modules = literal.modules.subtracting(["Swift"]).sorted()
  }
}

extension SourceWriter {
  /// A Swift value, if its types are the app's own, whose initializers a test sees. Else JSON.
  private mutating func foreignAction(_ action: Value) -> String {
    var written = literal
    let app = SwiftLiteral.fullName(of: setup.actionType).prefix { $0 != "." }
    if let value = try? ValueDecoder().decode(setup.actionType, from: action),
      let text = written.text(value),
      written.modules.subtracting(literal.modules).isSubset(of: ["Swift", String(app)])
    {
      literal = written
      return text
    }
    return "try decoded(\(SwiftText.raw(action.text())))"
  }
}

private struct ChangeWriter {
  var literal: SwiftLiteral
  private static let most = 4

  /// Nil if the value cannot be changed part by part.
  mutating func changes(of path: String, from before: Any, to after: Any) -> [String]? {
    if areEqual(before, after) { return [] }
    guard type(of: before) == type(of: after) else { return nil }
    if let old = before as? any StackParts, let new = after as? any StackParts {
      return stack(path, old.parts, new.parts)
    }
    let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
    switch new.displayStyle {
    case .struct where !(after is any CustomReflectable): return members(path, after, old, new)
    case .optional:
      guard let before = old.children.first?.value, let after = new.children.first?.value else {
        return nil
      }
      return changes(of: path + "?", from: before, to: after)
    case .collection:
      guard let before = before as? [Any], let after = after as? [Any] else { return nil }
      return elements(path, before, after)
    default: return nil
    }
  }

  private mutating func members(
    _ path: String, _ value: Any, _ old: Mirror, _ new: Mirror
  ) -> [String]? {
    let type = SwiftLiteral.fullName(of: type(of: value))
    var statements: [String] = []
    for (before, after) in zip(old.children, new.children) {
      guard !areEqual(before.value, after.value) else { continue }
      guard let name = literal.property(after.label ?? "", of: type) else { return nil }
      let lines =
        after.label == name
        ? nil : presented("\(path).$\(name)", from: before.value, to: after.value)
      guard
        let lines = lines
          ?? change("\(path).\(SwiftLiteral.name(name))", from: before.value, to: after.value)
      else { return nil }
      statements += lines
    }
    return statements
  }

  /// A presented part of the state in an enum case: `$0.$destination[case: \.edit]?.name`.
  private mutating func presented(
    _ path: String, from before: Any, to after: Any
  ) -> [String]? {
    guard let before = Mirror(reflecting: before).children.first?.value,
      let after = Mirror(reflecting: after).children.first?.value
    else { return nil }
    return payload({ "\(path)[case: \\.\($0)]?" }, from: before, to: after)
  }

  private mutating func payload(
    _ path: (String) -> String, from before: Any, to after: Any
  ) -> [String]? {
    let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
    guard new.displayStyle == .enum, let old = old.children.first, let new = new.children.first,
      let name = new.label, old.label == name,
      (after as? any CasePathable).map({ Swift.type(of: $0).pathNames.contains(name) }) == true
    else { return nil }
    return changes(of: path(name), from: old.value, to: new.value)
  }

  private mutating func stack(
    _ path: String, _ old: [(id: Int, value: Any)], _ new: [(id: Int, value: Any)]
  ) -> [String]? {
    let same = zip(old, new).prefix { $0.id == $1.id }.count
    if new.isEmpty { return ["\(path).removeAll()"] }
    guard same == min(old.count, new.count) else { return nil }
    var statements: [String] = []
    for (before, after) in zip(old, new) where !areEqual(before.value, after.value) {
      let inner = payload(
        { "\(path)[id: \(after.id), case: \\.\($0)]?" }, from: before.value, to: after.value)
      guard
        let lines = inner
          ?? change("\(path)[id: \(after.id)]?", from: before.value, to: after.value)
      else { return nil }
      statements += lines
    }
    if old.count > new.count { statements.append("\(path).removeLast(\(old.count - new.count))") }
    for added in new.dropFirst(same) {
      guard let text = literal.text(added.value) else { return nil }
      statements.append("\(path)[id: \(added.id)] = \(text)")
    }
    return statements
  }

  private mutating func change(_ path: String, from before: Any, to after: Any) -> [String]? {
    if let parts = changes(of: path, from: before, to: after) { return parts }
    return literal.text(after).map { ["\(path) = \($0)"] }
  }

  private mutating func elements(_ path: String, _ before: [Any], _ after: [Any]) -> [String]? {
    let same = zip(before, after).prefix { areEqual($0, $1) }.count
    if after.count == before.count + 1, same == before.count, let added = after.last {
      return literal.text(added).map { ["\(path).append(\($0))"] }
    }
    if after.count == before.count - 1,
      zip(before.dropFirst(same + 1), after.dropFirst(same)).allSatisfy({ areEqual($0, $1) })
    {
      return ["\(path).remove(at: \(same))"]
    }
    guard after.count == before.count else { return nil }
    let changed = after.indices.filter { !areEqual(before[$0], after[$0]) }
    guard changed.count <= Self.most, changed.count < max(2, after.count) else { return nil }
    var statements: [String] = []
    for index in changed {
      guard let lines = change("\(path)[\(index)]", from: before[index], to: after[index]) else {
        return nil
      }
      statements += lines
    }
    return statements
  }

  private func areEqual(_ one: Any, _ other: Any) -> Bool {
    if let areEqual = LeafEquality.areEqualByType(one, other) { return areEqual }
    guard let one = one as? any Encodable, let other = other as? any Encodable,
      let left = try? ValueEncoder().encode(one), let right = try? ValueEncoder().encode(other)
    else { return false }
    return left.isExactlyEqual(to: right)
  }
}

private protocol StackParts {
  var parts: [(id: Int, value: Any)] { get }
}

extension StackState: StackParts {
  fileprivate var parts: [(id: Int, value: Any)] { zip(ids, self).map { ($0.number, $1) } }
}

extension SessionReplay {
  /// Steps of a branch with their patches, including those shared with its parents.
  func told(
    _ steps: ClosedRange<Int>, of scripts: [Script], isWhole: Bool = true, _ control: RunControl
  ) throws -> [BranchStep] {
    var told: [BranchStep] = []
    var first = steps.lowerBound
    if let script = scripts.last, first <= script.leavesAt {
      told = try self.told(
        first...min(steps.upperBound, script.leavesAt), of: Array(scripts.dropLast()), control)
      first = script.leavesAt + 1
    }
    guard first <= steps.upperBound else { return told }
    let report = try run(
      scripts, from: first,
      until: scripts.isEmpty || !isWhole ? steps.upperBound : nil,
      control: control
    ) { if $0.step.number <= steps.upperBound { told.append($0) } }
    if let meeting = report.rejoining, steps.upperBound > meeting.step {
      let offset = meeting.step - meeting.parentStep
      let rest = max(first, meeting.step + 1) - offset...steps.upperBound - offset
      told += try self.told(rest, of: Array(scripts.dropLast()), control).map { step in
        var step = step
        step.step.number += offset
        return step
      }
    }
    return told
  }
}

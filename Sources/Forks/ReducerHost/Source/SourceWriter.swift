import HostProtocol
import Replay
import SessionWords
import StoreCore
import ValueTree

/// Writes steps as Swift source.
struct SourceWriter {
  private let setup: any RunSetup
  private var literal: SwiftLiteral
  private var value: Value
  private var state: Any
  private var written: StepSource
  /// For an architecture with a test store of its own.
  private var foreign: ForeignSource?

  var source: StepSource { foreign?.source ?? written }

  init(_ setup: any RunSetup, before value: Value) throws {
    let (stateType, reducer) = (setup.stateType, setup.reducerType)
    let adapted = (reducer as? any ForeignReducer.Type)?.adapted
    let isComparable = stateType is any Equatable.Type
    guard adapted != nil || isComparable && setup.actionType is any Equatable.Type else {
      throw HostRefusal(
        .other,
        "a TestStore compares states and actions, and \(stateType) or \(setup.actionType) is not "
          + "Equatable; a test of the kind “replay” needs that of neither")
    }
    var literal = SwiftLiteral()
    let state = try ValueDecoder().decode(stateType, from: value)
    let name = literal.name(of: adapted ?? reducer) ?? literal.name(of: stateType) ?? "App"
    let parts = name.prefix { $0 != "<" }.split(separator: ".")
    let made = (parts.last == "State" ? parts.dropLast() : parts[...]).joined(separator: ".")
    guard let type = literal.name(of: stateType),
      let text = adapted == nil ? literal.text(state) : ""
    else {
      throw HostRefusal(.other, "\(stateType) cannot be named in a test: it is private or local")
    }
    written = StepSource(
      reducer: adapted == nil ? "\(made)()" : "Hosted(\(made)())",
      modules: literal.modules.subtracting(["Swift"]).sorted(),
      state: "let state: \(type) = \(text)", steps: [])
    (self.setup, self.value, self.state, self.literal) = (setup, value, state, literal)
    if adapted != nil {
      foreign = ForeignSource(setup, literal, written, type: type, state: state, value: value)
    }
  }

  mutating func add(_ step: BranchStep) throws {
    if foreign != nil {
      try foreign?.add(step)
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
    written.steps.append(
      StepSource.Step(number: step.step.number, action: text, changes: changes))
    written.modules = literal.modules.subtracting(["Swift"]).sorted()
  }
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

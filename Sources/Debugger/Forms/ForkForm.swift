import SessionLog
import TimeTravel
import ValueTree

/// What a fork shall be: filled in before it runs.
public struct ForkForm: Sendable, Hashable {
  public enum Field: Int, Sendable, Hashable, CaseIterable {
    case name, change, template, action, rest
  }

  public enum Change: String, Sendable, Hashable, CaseIterable {
    case insert = "send an action after this step"
    case replace = "replace this step's action"
    case skip = "skip this step"
  }

  var position: Position
  var field: Field
  var name: LineEditor
  var change = Change.insert
  var filter = LineEditor()
  var action = LineEditor()
  var rest = Script.Rest.rerun
  var templates: [ActionTemplate] = []
  var isSearching = true
  /// Among those that pass the filter.
  var selected = 0
  var problem: String?
  /// Where in the action's text the problem is, in characters.
  var problemPlace: Int?

  init(at position: Position, name: String) {
    self.position = position
    self.name = LineEditor(name)
    field = .template
  }

  var shownTemplates: [ActionTemplate] {
    let wanted = filter.text.lowercased()
    guard !wanted.isEmpty else { return templates }
    return templates.filter { $0.label.lowercased().contains(wanted) }
  }

  /// The fields that the chosen change needs.
  var fields: [Field] {
    switch change {
    case .insert: [.name, .change, .template, .action, .rest]
    case .replace: [.name, .change, .template, .action, .rest]
    case .skip: [.name, .change, .rest]
    }
  }

  mutating func move(by offset: Int) {
    let fields = fields
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + offset + fields.count) % fields.count]
  }

  /// The nearest actions come first and stay first.
  mutating func add(_ found: [ActionTemplate]) {
    templates += found
    if action.text.isEmpty, let first = templates.first {
      action.replace(with: first.action.text())
    }
  }

  /// Puts the selected template into the action.
  mutating func takeTemplate() {
    let shown = shownTemplates
    guard shown.indices.contains(selected) else { return }
    action.replace(with: shown[selected].action.text())
    problem = nil
    problemPlace = nil
  }

  /// The script, or nil after noting what is wrong with the form.
  mutating func script() -> Script? {
    problem = nil
    problemPlace = nil
    let step = position.step
    switch change {
    case .skip:
      return Script(
        parent: position.branch, leavesAt: step - 1, rest: rest, edits: [.skip(step: step)])
    case .insert, .replace:
      guard let value = parsedAction() else {
        field = .action
        return nil
      }
      if change == .insert {
        return Script(
          parent: position.branch, leavesAt: step, rest: rest,
          edits: [.insert(after: step, action: value)])
      }
      return Script(
        parent: position.branch, leavesAt: step - 1, rest: rest,
        edits: [.replace(step: step, action: value)])
    }
  }

  private mutating func parsedAction() -> Value? {
    guard !action.text.isEmpty else {
      problem = "no action yet: pick one above, or type it as JSON"
      return nil
    }
    do {
      return try Value(parsing: action.text)
    } catch {
      problem = "column \(error.column): \(error.what)"
      problemPlace = error.column - 1
      return nil
    }
  }
}

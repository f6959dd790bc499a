import SessionFile
import SessionWords
import ValueTree

/// A list of raw actions, as an app exports it: no times, no states. A host computes the states.
struct ReduxActions {
  let document: JavaScriptDocument
  let list: Range<Int>
  let preloadedState: Value?

  func write(
    into path: String, named name: String?, progress: (Double) throws -> Void
  ) throws {
    var header = SessionHeader(
      app: SessionHeader.App(name ?? "Redux app"), state: preloadedState, states: .first)
    header.origin = SessionHeader.Origin(format: "Redux DevTools", file: name)
    header.knowsCauses = false
    let writer = try SessionWriter(path: path, header: header)
    var cursor = JSONCursor(document.file, at: list.lowerBound)
    var number = 0
    var causes = ReduxCauses()
    try cursor.elements { range in
      let action = try document.value(range)
      guard case .object = action else {
        throw ImportError.syntax(
          "expected an action, an object with a \"type\"; found \(action.kindInWords)",
          path: document.file.path, offset: range.lowerBound)
      }
      number += 1
      var step = Step(number: number, label: ReduxAction.label(action), action: action)
      let (before, after) = causes.judge(&step)
      for event in before { try writer.append(event) }
      try writer.append(step, state: nil)
      for event in after { try writer.append(event) }
      if number.isMultiple(of: 256) {
        try progress(Double(range.upperBound) / Double(max(1, document.file.count)))
      }
    }
    try writer.finish()
  }
}

enum ReduxAction {
  /// The `type` of an action; nil unless Redux could have made it.
  static func type(of action: Value) -> String? {
    switch action["type"] {
    case .string(let type)?: type
    case .number(let number)?: number.text
    default: nil
    }
  }

  static func label(_ action: Value) -> String { type(of: action) ?? "(no type)" }
}

extension Value {
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

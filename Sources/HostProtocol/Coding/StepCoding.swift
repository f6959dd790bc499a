import SessionWords
import ValueTree

extension BranchStep {
  /// As its line in a session file, with what only a branch knows of a step.
  var value: Value {
    var step = step
    step.standing = standing
    var line = LineObject()
    line.add(StepLine(step, patch: patch))
    line.add("descendsFrom", descendsFrom)
    line.add("effects", list: effects.map(\.value))
    line.add("remarks", list: remarks)
    return line.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    _ = try fields.value("action")
    let line = try StepLine(fields)
    guard let standing = line.step.standing else {
      throw ValueFieldError(place: "\(place).standing", expected: "two known words")
    }
    var step = line.step
    step.standing = nil
    step.label = try fields.sentence("label")
    step.error = step.error?.clipped
    self.init(
      step: step, descendsFrom: try fields.optionalInt("descendsFrom"), standing: standing,
      effects: try fields.list("effects", EffectEvent.init), patch: line.patch,
      remarks: try fields.sentences("remarks"))
  }
}

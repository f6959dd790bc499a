import TimeTravel
import ValueTree

extension [CauseLink] {
  /// From the step back to what the person did, one line each.
  var lines: [String] {
    enumerated().map { index, link in
      (index == 0 ? "" : "← ") + "\(link.step) \(link.label)  \(link.sender)"
    }
  }
}

extension CauseLink {
  var value: Value {
    var members: [ValueObject.Element] = [
      ("step", .number(Number(step))), ("label", .string(label)),
    ]
    if let cause { members.append(("cause", cause.words(named: effect?.name))) }
    return .object(ValueObject(members))
  }
}

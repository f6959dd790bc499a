import SessionLog
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
    switch cause {
    case nil: break
    case .user: members.append(("cause", "user"))
    case .output(let step): members.append(("cause", ["output": .number(Number(step))]))
    case .effect(let number):
      members.append(
        (
          "cause",
          [
            "effect": .number(Number(number)), "name": effect.map { .string($0.name) } ?? .null,
          ]
        ))
    }
    return .object(ValueObject(members))
  }
}

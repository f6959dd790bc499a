import SessionFile
import SessionWords
import ValueTree

extension Redactor {
  /// A host's message. Its reducer may compute new secrets, and put them into words.
  package func message(_ value: Value) -> Value {
    switch value {
    case .string(let text): Self.words.contains(text) ? value : .string(self.text(text, .message))
    case .array(let array): .array(ValueArray(array.map(message)))
    case .object(let object): .object(ValueObject(object.compactMap { member($0, of: object) }))
    case .number, .bool, .null: value
    }
  }

  package func report(_ report: VerifyReport) -> VerifyReport {
    guard !redaction.isEmpty else { return report }
    return (try? VerifyReport(message(report.value), at: "report")) ?? VerifyReport(steps: 0)
  }

  /// The words of a reducer, of its errors, and of its decoder.
  private static let wordy: Set<String> = ["error", "reason", "words", "problem", "message"]
  private static let words: Set<String> = Set(
    ["progress", "step", "dying", "greeting", "loaded", "ran", "state", "verified", "live"]
      + ["source", "checked", "actions", "whereabouts", "done", "complete", "user", "unknown"]
      + ["started", "finished", "failed", "cancelled", "finish", "fail", "cancel", "time"]
      + ["emissions"]
      + Standing.Values.allCases.map(\.rawValue) + Standing.Outcome.allCases.map(\.rawValue)
      + Divergence.Kind.allCases.map(\.rawValue) + Assumption.Kind.allCases.map(\.rawValue)
      + LeftOutStep.Reason.allCases.map(\.rawValue) + LoadReport.Grade.allCases.map(\.rawValue)
      + HostRefusal.Kind.allCases.map(\.rawValue))

  /// A message needs these members.
  private static let structure: Set<String> = Set(
    ["step", "report", "standing", "reads", "effects", "assumptions", "remarks", "leftOut"]
      + ["findings", "notes", "divergences", "version", "subject", "question", "outcome"])

  private func isOfProtocol(_ key: String, _ value: Value) -> Bool {
    switch value {
    case .string(let text): Self.words.contains(text)
    case .array, .object: Self.structure.contains(key)
    case .number, .bool, .null: true
    }
  }

  private func member(
    _ member: ValueObject.Element, of object: ValueObject
  ) -> ValueObject.Element? {
    let (key, value) = member
    let place = (object["path"] ?? object["pointer"])?.string.flatMap { try? Pointer($0) }
    let read = (object["key"] ?? object["read"])?.string
    let isOfCrash = object["kind"]?.string == Divergence.Kind.crash.rawValue
    if redaction.hidesWords, Self.wordy.contains(key) || isOfCrash && key == "hint",
      let text = value.string, !Self.words.contains(text)
    {
      return (key, Redaction.placeholder)
    }
    switch (key, place, read) {
    case ("action", _, _) where object["set"] == nil, ("actions", _, _), ("emit", _, _):
      return (key, self.value(value, .action))
    case ("state", _, _): return (key, part(value, at: []))
    case ("path", let place?, _), ("pointer", let place?, _):
      return (key, .string(pointer(place).description))
    case ("patch", _, _): return patch(value).map { (key, $0) }
    case ("value", let place?, _), ("recorded", let place?, _), ("rerun", let place?, _):
      return (key, part(value, at: place))
    case ("value", _, let name?), ("error", _, let name?), ("arguments", _, let name?):
      guard rule(forKey: name) != nil else { return (key, self.value(value, .read(key: name))) }
      guard key == "arguments", case .array(let array) = value else {
        return (key, Redaction.placeholder)
      }
      return (key, .array(ValueArray(array.map { _ in Redaction.placeholder })))
    default:
      guard rule(forKey: key) != nil, !isOfProtocol(key, value) else {
        return (key, message(value))
      }
      return (key, Redaction.placeholder)
    }
  }

  /// The patch of a redacted state; nil if its keys are secret. A redacted place has no inside.
  private func patch(_ value: Value) -> Value? {
    guard let patch = try? Patch(value) else { return message(value) }
    var operations: [PatchOperation] = []
    for operation in patch.operations {
      guard pointer(operation.path) == operation.path else { return nil }
      let isInside = isInside(operation.path)
      switch operation {
      case .move(let from, let path), .copy(let from, let path):
        let isMove = if case .move = operation { true } else { false }
        let comesFromInside = self.isInside(from)
        if isInside {
          if isMove, !comesFromInside { operations.append(.remove(from)) }
        } else {
          operations.append(comesFromInside ? .add(path, Redaction.placeholder) : operation)
        }
      case _ where isInside: break
      case .add(let path, let value): operations.append(.add(path, part(value, at: path)))
      case .replace(let path, let value): operations.append(.replace(path, part(value, at: path)))
      case .remove: operations.append(operation)
      case .test: break
      }
    }
    return Patch(operations).value
  }

  private func isInside(_ place: Pointer) -> Bool {
    let outer = Pointer(tokens: place.tokens.dropLast())
    return !place.isRoot && part(.null, at: outer) == Redaction.placeholder
  }
}

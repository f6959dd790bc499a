import SessionWords
import ValueTree

/// A step's action and change as JSON text, for a program that parses them itself.
package struct WrittenStep: Sendable {
  package let action: [UInt8]
  /// RFC 6902 operations from the state before; nil if none lead from there.
  package fileprivate(set) var patch: [UInt8]?
  package let cause: Cause

  package init(_ step: Step, patch: Value?) {
    (action, cause) = (step.action.bytes(), step.cause)
    self.patch = patch?.bytes()
  }

  fileprivate init(action: [UInt8], patch: [UInt8]?, cause: Cause) {
    (self.action, self.patch, self.cause) = (action, patch, cause)
  }
}

/// A step's line, which may hold what the next step's change starts from.
private struct WrittenStepLine {
  var step: WrittenStep
  let leads: Bool

  init(_ step: Step, _ line: StepLine) {
    self.step = WrittenStep(step, patch: line.isStateDropped ? nil : line.patch)
    leads = line.patch != nil || line.state != nil
  }

  /// Copies the parts out of a line. Nil for a line that only the parser can tell: with members that
  /// most steps lack, with damage, or with bytes that another parser may read differently.
  init?(_ line: UnsafeBufferPointer<UInt8>, of number: Int) {
    let scanner = ValueScanner(line)
    guard line.isUTF8, scanner.isCertainlyJSON, !line.contains(UInt8(ascii: "\r")) else {
      return nil
    }
    var (own, action, patch) = (Range<Int>?.none, Range<Int>?.none, Range<Int>?.none)
    var (cause, hasState) = (Range<Int>?.none, false)
    let isWhole = scanner.members(from: 0) { key, value in
      let key = key.lowerBound + 1..<key.upperBound - 1
      if scanner.text(key, is: "step") {
        own = value
      } else if scanner.text(key, is: "action") {
        action = value
      } else if scanner.text(key, is: "patch") {
        patch = value
      } else if scanner.text(key, is: "cause") {
        cause = value
      } else if scanner.text(key, is: "label") {
        return line[value.lowerBound] == UInt8(ascii: "\"")
      } else if scanner.text(key, is: "state") {
        hasState = true
      } else {
        return scanner.text(key, is: "time") || scanner.text(key, is: "keyframe")
      }
      return true
    }
    let isList = patch.map { line[$0.lowerBound] == UInt8(ascii: "[") }
    guard isWhole, let own, let action, isList != false,
      line[own].elementsEqual("\(number)".utf8)
    else { return nil }
    var sender = Cause.user
    if let cause, !scanner.text(cause, is: "\"user\"") {
      guard let value = try? Value(parsing: line[cause]),
        let told = try? Cause(value == .null ? nil : value, at: "line.cause")
      else { return nil }
      sender = told
    }
    self.step = WrittenStep(
      action: Array(line[action]), patch: patch.map { Array(line[$0]) }, cause: sender)
    leads = patch != nil || hasState
  }
}

extension SessionReader {
  /// The texts of steps, with their changes as ``patch(at:)`` gives them. Reads each line once.
  package func writtenSteps(_ numbers: ClosedRange<Int>) throws(SessionError) -> [WrittenStep] {
    let snapshot = snapshot
    try check(numbers.lowerBound, in: snapshot)
    try check(numbers.upperBound, in: snapshot)
    guard header.states == .everyStep, snapshot.format?.arePatches != false else {
      return try numbers.map { number throws(SessionError) in
        WrittenStep(try step(number), patch: try patch(at: number))
      }
    }
    let start = max(0, numbers.lowerBound - 1)
    var lines = [WrittenStepLine?](repeating: nil, count: numbers.upperBound - start + 1)
    try eachLine(of: start...numbers.upperBound, in: snapshot) { (number, offset, bytes) in
      if snapshot.format == nil, let line = WrittenStepLine(bytes, of: number) {
        lines[number - start] = line
      } else if let line = readableLine(of: number, bytes, at: offset, in: snapshot) {
        lines[number - start] = WrittenStepLine(told(line.step), line)
      }
    }
    return try numbers.map { number throws(SessionError) in
      guard var written = lines[number - start]?.step else {
        return WrittenStep(try step(number), patch: nil)
      }
      let leads =
        number - 1 <= header.firstStep || number > start && lines[number - 1 - start]?.leads == true
      if !leads { written.patch = nil }
      return written
    }
  }
}

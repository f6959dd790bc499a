import ValueTree

/// One line of a session after its header.
package enum LogLine: Sendable, Hashable {
  case step(StepLine)
  /// Write-ahead: an action before the reducer runs. The step's line supersedes it.
  case begin(Step)
  case effect(EffectEvent)
  case read(OutsideRead)
  /// Write-ahead: a read of the step whose `begin` line stands above.
  case readBegun(Read, step: Int)
  case signpost(Signpost)
  /// A dependency that was put on tape after the header was written.
  case tape(key: String)
  /// The recording was finished after this step.
  case end(step: Int, time: Duration?)
  /// The recorder could not write these steps, and so many lines between steps.
  case lost(steps: ClosedRange<Int>?, lines: Int, because: String)
  case unknown(key: String)
}

/// The line of a step: the step and what is said of the state after it.
package struct StepLine: Sendable, Hashable {
  package var step: Step
  /// From the last state that the file holds, as RFC 6902 operations.
  package var patch: Value?
  /// The whole state: then the step is a keyframe.
  package var state: Value?
  /// The recorder left the state out because it fell behind.
  package var isStateDropped: Bool

  package init(_ step: Step, patch: Value? = nil, state: Value? = nil, isStateDropped: Bool = false)
  {
    self.step = step
    self.patch = patch
    self.state = state
    self.isStateDropped = isStateDropped
  }
}

/// What a line of a session is, told by its first key. Fits into the three bits of an index entry.
package enum LineKind: UInt8, Sendable, CaseIterable {
  case step
  case begin
  case effect
  case read
  case signpost
  case tape
  /// The end of the recording, or a remark of the recorder about what was lost.
  case remark
  /// A kind of a newer version, an empty line, or damage.
  case unknown

  /// The kind of the lines whose first key this is.
  package init(key: UnsafeBufferPointer<UInt8>) {
    func isKey(_ text: StaticString) -> Bool {
      key.elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    if isKey("step") {
      self = .step
    } else if isKey("effect") {
      self = .effect
    } else if isKey("read") {
      self = .read
    } else if isKey("begin") {
      self = .begin
    } else if isKey("signpost") {
      self = .signpost
    } else if isKey("tape") {
      self = .tape
    } else if isKey("end") || isKey("lost") {
      self = .remark
    } else {
      self = .unknown
    }
  }
}

/// The members of a line, or of an object in it, in the order in which they are written. What is
/// absent is left out.
package struct LineObject: ExpressibleByDictionaryLiteral {
  package var members: [ValueObject.Element] = []

  package init() {}
  /// Members as they were read, of which nothing else is known.
  package init(_ members: ValueObject) { self.members = Array(members) }
  package init(dictionaryLiteral members: (String, (any LineMember)?)...) {
    for (key, member) in members { add(key, member) }
  }

  package static func + (left: LineObject, right: LineObject) -> LineObject {
    var both = left
    both.add(right)
    return both
  }

  package mutating func add(_ other: LineObject) { members += other.members }
  package mutating func add(_ key: String, _ value: ValueTree.Value?) {
    if let value { members.append((key, value)) }
  }
  package mutating func add(_ key: String, _ member: (any LineMember)?) { add(key, member?.ofLine) }

  package var value: ValueTree.Value { .object(ValueObject(members)) }

  /// With its line end.
  var bytes: [UInt8] {
    var bytes = value.bytes()
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension Value {
  package static func line(_ members: LineObject) -> Value { members.value }
}

/// What can stand in a line: nil, false and an empty list are left out, a ``Value`` never is.
package protocol LineMember {
  var ofLine: Value? { get }
}

extension Value: LineMember {
  package var ofLine: Value? { self }
}

extension String: LineMember {
  package var ofLine: Value? { .string(self) }
}

extension Int: LineMember {
  package var ofLine: Value? { .number(Number(self)) }
}

extension Bool: LineMember {
  package var ofLine: Value? { self ? true : nil }
}

extension Duration: LineMember {
  package var ofLine: Value? { .number(.digits(decimalSeconds)) }
}

extension Array: LineMember where Element: LineMember {
  package var ofLine: Value? { isEmpty ? nil : .array(ValueArray(compactMap { $0.ofLine })) }
}

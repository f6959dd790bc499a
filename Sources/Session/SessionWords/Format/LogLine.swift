import ValueTree

package enum LogLine: Sendable, Hashable {
  case step(StepLine)
  /// Write-ahead: an action before the reducer runs. The step's line replaces it.
  case begin(Step)
  case effect(EffectEvent)
  case read(OutsideRead)
  /// Write-ahead: a read of the step with the last `begin` line.
  case readBegun(Read, step: Int)
  case signpost(Signpost)
  case tape(key: String)
  case end(step: Int, time: Duration?)
  /// The recorder lost these steps, and this many lines between steps. The state is that after the
  /// last of them, if it is known.
  case lost(steps: ClosedRange<Int>?, lines: Int, because: String, state: Value? = nil)
  case unknown(key: String)

  /// A copy has this line in place of unreadable ones.
  package static func unreadable(lines: Int) -> LogLine {
    .lost(steps: nil, lines: lines, because: "\(lines == 1 ? "it" : "they") cannot be read")
  }
}

package struct StepLine: Sendable, Hashable {
  package var step: Step
  /// RFC 6902 operations from the last state in the file.
  package var patch: Value?
  package var state: Value?
  /// Whether the recorder dropped the state because it fell behind.
  package var isStateDropped: Bool

  package init(_ step: Step, patch: Value? = nil, state: Value? = nil, isStateDropped: Bool = false)
  {
    self.step = step
    self.patch = patch
    self.state = state
    self.isStateDropped = isStateDropped
  }
}

/// The kind of a line, by its first key. Fits three bits of an index entry.
package enum LineKind: UInt8, Sendable, CaseIterable {
  case step
  case begin
  case effect
  case read
  case signpost
  case tape
  /// The end of the recording, or a report of losses.
  case remark
  /// A newer kind, an empty line, or damage.
  case unknown

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

/// The members of an object in writing order. Absent ones are left out.
package struct LineObject: ExpressibleByDictionaryLiteral {
  package var members: [ValueObject.Element] = []

  package init() {}
  package init(_ members: ValueObject) { self.members = Array(members) }
  package init(dictionaryLiteral members: (String, (any LineMember)?)...) {
    self.members.reserveCapacity(members.count + 4)
    for (key, member) in members { add(key, member) }
  }

  package static func + (left: consuming LineObject, right: LineObject) -> LineObject {
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

  var bytes: [UInt8] {
    var bytes = value.bytes()
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension Value {
  package static func line(_ members: LineObject) -> Value { members.value }
}

/// A value in a line: nil, false and empty lists are left out, a ``Value`` never is.
package protocol LineMember {
  var ofLine: Value? { get }
}

extension Value: LineMember {
  package var ofLine: Value? { self }
}

extension String: LineMember {
  package var ofLine: Value? { .string(self) }
}

extension Pointer: LineMember {
  package var ofLine: Value? { .string(description) }
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

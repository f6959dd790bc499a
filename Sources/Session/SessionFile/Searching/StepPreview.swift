import SessionWords
import ValueTree

/// A step visited by a ``StepWalk``, parsed on demand. Valid only during the visit.
package struct StepPreview {
  package let number: Int
  /// False if the followed places are certainly unchanged.
  package let hasChanged: Bool
  /// The followed places; nil without any. The walk keeps it alive, and the reader.
  let run: Unmanaged<PlaceRun>?
  /// The walk keeps it alive.
  unowned(unsafe) let lines: LineMemory
  /// Nil if only the reader can tell the step.
  let members: StepMembers?
  /// Whether another line holds the state.
  var isStateElsewhere = false
  unowned(unsafe) let reader: SessionReader
  /// The followed places before the step, if the walk keeps them.
  var before: Unmanaged<PlaceRun>?

  package struct Part: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let label = Part(rawValue: 1)
    package static let cause = Part(rawValue: 2)
    package static let time = Part(rawValue: 4)
    package static let reads = Part(rawValue: 8)
    package static let error = Part(rawValue: 16)
    package static let standing = Part(rawValue: 32)
  }

  package struct Parts: Sendable {
    package var members: Part
    package var actionPlaces: [Pointer]?

    package init(_ members: Part = [], actionPlaces: [Pointer]? = nil) {
      self.members = members
      self.actionPlaces = actionPlaces
    }
  }

  /// False if the step certainly was not skipped.
  package var maySkip: Bool {
    guard let bytes = members.map({ UnsafeRawBufferPointer($0.bytes) }) else { return true }
    return Self.skipped.isFound(in: bytes)
  }

  private static let skipped = ByteSearch.all(for: Array("\"skipped\"".utf8))

  /// Correct only at the followed places; nil if unknown.
  package var state: Value? { run?._withUnsafeGuaranteedRef(\.state) }

  /// The same before the step, if the walk keeps it.
  package var previous: Value? { before?._withUnsafeGuaranteedRef(\.state) }

  /// The value at a followed place, faster than the whole ``state``.
  package func value(at place: Pointer) -> Value? {
    run?._withUnsafeGuaranteedRef { $0.value(at: place) }
  }

  package var isStateKnown: Bool { run?._withUnsafeGuaranteedRef(\.isKnown) == true }

  /// Whether the rest of the line can be read, too. Searches look only at the bytes that they need.
  package var isStepReadable: Bool {
    guard let members else { return true }
    // The reader leaves out a long state.
    return members.bytes.count < 1 << 12 && members.isReadable
      || (try? reader.step(number))?.damage == nil
  }

  /// The same for the whole line with the state.
  package var isStateReadable: Bool {
    guard run != nil, let members else { return true }
    if isStateElsewhere { return (try? reader.state(after: number)) != nil }
    guard members.state == nil || members.isReadable else { return false }
    lines.wholeStep = members.state == nil ? nil : number
    return true
  }

  /// The same for the state before. The patches of a session are not looked at.
  package var isPreviousReadable: Bool {
    !reader.isReadInPlace
      || lines.isReadable(number - 1)
      || (try? reader.state(after: number - 1)) != nil
  }

  /// Whether a condition on the label, the action and the followed places holds; nil if the step must
  /// be read for that.
  package func answer(_ condition: Condition, hidden: String? = nil) -> Bool? {
    condition.answer(hidden: hidden) { names in
      let range: Range<Int>?
      switch names.first {
      case "state": return run?._withUnsafeGuaranteedRef { $0.text(of: names) }
      case "previous": return before?._withUnsafeGuaranteedRef { $0.text(of: names) }
      case "label":
        range = members.flatMap { lines.label(of: $0, number) }
      case "action": range = members?.action
      default: return nil
      }
      guard let members, let range else { return nil }
      return FoundText(UnsafeBufferPointer(rebasing: members.bytes[range]), by: 1)
    }
  }

  /// The step with these parts; the others are empty. Its action is correct at the wanted places. A
  /// missing step has its ``Step/damage``.
  package func step(_ parts: Parts) throws(SessionError) -> Step {
    guard let members, parts.members.isDisjoint(with: members.unread.union(.standing)),
      parts.actionPlaces == nil || members.action != nil
    else { return try reader.step(number) }
    var label: Range<Int>?
    if parts.members.contains(.label) {
      label = lines.label(of: members, number)
      guard label != nil || !lines.areForeign else { return try reader.step(number) }
    }
    guard let step = try? Step(members, number, parts, label, lines) else {
      return try reader.step(number)
    }
    return step
  }
}

extension Step {
  fileprivate init(
    _ members: StepMembers, _ number: Int, _ parts: StepPreview.Parts, _ label: Range<Int>?,
    _ lines: LineMemory
  ) throws {
    self.init(number: number, label: try members.text(of: label) ?? "", action: .null)
    if let places = parts.actionPlaces, let range = members.action {
      guard
        let value = members.scanner.pick(
          places.map { $0.tokens[...] }, from: range.lowerBound)
      else { throw LineFault(reason: "action") }
      action = value
    }
    if parts.members.contains(.cause) {
      let value = try members.value(of: members.cause).flatMap { $0 == .null ? nil : $0 }
      cause = try Cause(value, at: "line.cause")
    }
    if parts.members.contains(.time) {
      time = lines.time(try members.value(of: members.time))
    }
    if parts.members.contains(.reads), let value = try members.value(of: members.reads) {
      reads = try ValueFields(["reads": value], at: "line").list("reads")
    }
    if parts.members.contains(.error) { error = try members.text(of: members.error) }
  }
}

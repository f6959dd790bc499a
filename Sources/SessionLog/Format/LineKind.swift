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

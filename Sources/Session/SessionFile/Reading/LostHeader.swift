import Platform
import SessionWords
import ValueTree

/// A session whose first line is unusable: its steps, and the remains of its header.
package enum LostHeader {
  /// How far to search for a step: a header may hold a large state.
  private static let searched = 64 << 20

  /// Nil without a following step: then the file is not a session.
  static func rest(
    of file: PartFile, from start: Int, size: Int, because error: SessionError
  ) throws(SessionError) -> HeaderLine? {
    let bytes = try file.bytes(at: start, count: min(size - start, Self.searched))
    let isOwn = if case .badHeader = error.problem { true } else { false }
    guard let (offset, number) = firstStep(in: bytes, isOwn: isOwn) else { return nil }
    let line = bytes[..<offset].prefix { $0 != 10 }
    var saved = members(of: line)
    var next = saved["session"] == nil ? nextPart(of: file) : nil
    next?.part = 1
    next?.effects = []
    next?.firstTime = nil
    next?.state = nil
    var told = ValueObject(next?.object.members ?? [])
    if let first = saved["first"], first != .number(Number(number - 1)) { saved["state"] = nil }
    for (key, value) in saved { told[key] = value }
    var header =
      (try? SessionHeader(.object(told), version: next?.version ?? .current)) ?? SessionHeader()
    header.firstStep = number - 1
    let finding = Notice.Finding.lostHeader(
      because: error.what, saved: SessionHeader.savedKeys.filter { saved[$0] != nil })
    return HeaderLine(
      header: header, end: offset == 0 ? start : start + line.count + 1,
      notices: [Notice(finding, line: 1)], isLost: true)
  }

  package static func holdsStep(_ start: [UInt8]) -> Bool { firstStep(in: start) != nil }

  /// Another tool's line with a step may have an action and a state, too.
  private static let ownKeys = ["cause", "patch", "keyframe"]

  /// `isOwn` says that Retcon wrote the file.
  private static func firstStep(
    in bytes: [UInt8], isOwn: Bool = false
  ) -> (offset: Int, number: Int)? {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let step = bytes[start..<end].withUnsafeBufferPointer { line -> Int? in
        let head = LineHead(line: line)
        guard head.kind == .step || head.kind == .begin, let number = head.number, number > 0,
          let value = try? Value(line: line),
          isOwn || Self.ownKeys.contains(where: { value[$0] != nil }),
          (try? LogLine(value: value)) != nil
        else { return nil }
        return number
      }
      if let step { return (start, step) }
      start = end + 1
    }
    return nil
  }

  private static func members(of line: ArraySlice<UInt8>) -> [String: Value] {
    var found: [String: Value] = [:]
    line.withUnsafeBufferPointer { line in
      var rest = 0
      // In writing order, so that no member is found inside another.
      for key in SessionHeader.savedKeys {
        let text = Array("\"\(key)\":".utf8)
        let bytes = UnsafeRawBufferPointer(line)
        let places = ByteSearch.all(for: text).compactMap { $0.firstIndex(in: bytes, from: rest) }
        guard let start = places.min().map({ $0 + text.count }) else { continue }
        guard let range = ValueScanner(line).value(from: start),
          let value = try? Value(parsing: UnsafeBufferPointer(rebasing: line[range])),
          (try? SessionHeader(.object([key: value]), version: .current)) != nil
        else { continue }
        found[key] = value
        rest = range.upperBound
      }
    }
    return found
  }

  private static func nextPart(of file: PartFile) -> SessionHeader? {
    guard let next = try? PartFile(path: PartNames(path: file.path, ofPart: 1).path(ofPart: 2)),
      let line = try? HeaderLine(next, size: next.size), !line.isLost, line.header.part == 2
    else { return nil }
    return line.header
  }
}

extension SessionHeader {
  fileprivate static let savedKeys = [
    "session", "app", "can", "started", "tape", "redacted", "states", "snapshots", "first", "time",
    "effects", "state",
  ]
}

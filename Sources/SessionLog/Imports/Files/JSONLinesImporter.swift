import ValueTree

/// Opens plain JSON Lines of `{"action": …, "state": …}`.
///
/// A first line with a state and no action gives the initial state. `label` (or `type`, or the type
/// of the action) names the step; `time` is read as seconds.
public struct JSONLinesImporter: SessionImporter {
  public let format = "JSON Lines"

  public init() {}

  public func recognizes(_ start: [UInt8]) -> Bool {
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    if let value = try? Value(parsing: Array(line)) {
      return value["action"] != nil || value["state"] != nil && value["retcon"] == nil
    }
    guard line.count == start.count, case .object(let keys) = FileStart(start) else { return false }
    return keys == ["action"] || keys == ["state"]
  }

  public func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws {
    let file = try FileBytes(path: path)
    var lines = LineRanges(file: file)
    var name = path.split(separator: "/").last.map(String.init)
    if name?.isEmpty == true { name = nil }
    var writer: SessionWriter?
    var number = 0
    var lineNumber = 0
    while let range = try lines.next() {
      lineNumber += 1
      let value = try parse(range, in: file, line: lineNumber)
      guard let action = value["action"] else {
        guard writer == nil, value["state"] != nil else {
          throw ImportError(
            what: "expected {\"action\": …, \"state\": …}, found no \"action\"",
            place: "\(path), line \(lineNumber)", next: "Remove the line or give it an action")
        }
        writer = try begin(session, name, state: value["state"], hasStates: true)
        continue
      }
      let hasStates = value["state"] != nil
      let target = try writer ?? begin(session, name, state: nil, hasStates: hasStates)
      writer = target
      number += 1
      try target.append(
        Step(
          number: number, time: Duration(decimalSeconds: value["time"]),
          label: label(value, action), action: action),
        state: value["state"])
      if number.isMultiple(of: 256) {
        try progress(Double(range.upperBound) / Double(max(1, file.count)))
      }
    }
    try writer?.finish()
  }

  private func begin(
    _ session: String, _ name: String?, state: Value?, hasStates: Bool
  ) throws -> SessionWriter {
    var header = SessionHeader(
      app: name.map { SessionHeader.App($0) }, state: state,
      states: hasStates ? .everyStep : .first)
    header.knowsCauses = false
    header.origin = SessionHeader.Origin(format: format, file: name)
    return try SessionWriter(path: session, header: header)
  }

  private func parse(_ range: Range<Int>, in file: FileBytes, line: Int) throws -> Value {
    do {
      return try Value(parsing: try file.bytes(range))
    } catch let error as ParseError {
      throw ImportError(
        what: "the line is not JSON: \(error.what)",
        place: "\(file.path), line \(line), column \(error.column)",
        next: "Repair or remove the line")
    }
  }

  private func label(_ line: Value, _ action: Value) -> String {
    for candidate in [line["label"], line["type"], action["type"], action["name"], action] {
      if case .string(let text)? = candidate { return text }
    }
    if case .object(let object) = action, object.count == 1, let key = object.first?.key {
      return key
    }
    return "(no type)"
  }
}

/// The lines of a file that are not blank, one after the other.
private struct LineRanges {
  let file: FileBytes
  private var offset = 0

  init(file: FileBytes) { self.file = file }

  mutating func next() throws -> Range<Int>? {
    while offset < file.count {
      let start = offset
      var isBlank = true
      var ended = false
      while !ended, offset < file.count {
        let passed = try file.withWindow(at: offset) { window in
          let end = window.firstIndex(of: UInt8(ascii: "\n")) ?? window.count
          if isBlank {
            isBlank = window[..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
          }
          ended = end < window.count
          return end
        }
        offset += passed
      }
      let range = start..<offset
      offset += 1
      guard range.count <= FileBytes.largestValue else {
        throw ImportError.syntax("a single line is too long", path: file.path, offset: start)
      }
      if !isBlank { return range }
    }
    return nil
  }
}

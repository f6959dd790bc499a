import ValueTree

extension ReaderState {
  /// The line that begins at an offset; nil, with a notice, when it cannot be read.
  mutating func line(at offset: Int) throws(SessionError) -> LogLine? {
    let bytes = try parts.bytes(range(ofLineAt: offset))
    do throws(LineFault) {
      return try LogLine(parsing: bytes)
    } catch {
      note(.badLine(reason: error.reason), at: offset)
      return nil
    }
  }
}

/// Why a line does not tell what it should.
struct LineFault: Error {
  var reason: String
}

extension LogLine {
  /// The line of a text that may begin with zero bytes and end behind a line end.
  init(parsing bytes: [UInt8]) throws(LineFault) {
    try self.init(
      value: bytes.withUnsafeBufferPointer { (bytes) throws(LineFault) in
        try Value(line: bytes)
      })
  }

  init(value: Value) throws(LineFault) {
    do throws(ValueFieldError) {
      try self.init(value)
    } catch {
      throw LineFault(reason: error.description)
    }
  }
}

extension StepLine {
  /// The line of a step whose number the index has from the line's first bytes.
  init(parsing bytes: UnsafeBufferPointer<UInt8>, of step: Int) throws(LineFault) {
    guard case .step(let line) = try LogLine(value: Value(line: bytes)) else {
      throw LineFault(reason: "it tells no step")
    }
    guard line.step.number == step else { throw .twoNumbers }
    self = line
  }
}

extension LineFault {
  static var twoNumbers: LineFault { LineFault(reason: "it gives two numbers") }
}

extension Value {
  init(line bytes: UnsafeBufferPointer<UInt8>) throws(LineFault) {
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    do throws(ParseError) {
      try self.init(parsing: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    } catch {
      throw LineFault(reason: "it is not JSON: \(error.what), column \(error.column)")
    }
  }
}

import SessionWords

/// Finds where a rotated recording begins.
package enum FirstPart {
  /// The file at a path or, when that is a later part, the earliest part of its recording that lies
  /// beside it without a gap.
  package static func find(_ path: String) throws(SessionError) -> PartFile {
    var file = try PartFile(path: path)
    let header = try HeaderLine(file, size: file.size).header
    guard let session = header.session else { return file }
    let names = PartNames(path: path, ofPart: header.part)
    var number = header.part
    while number > 1, case .found(let earlier, _) = Part(number - 1, of: session, names) {
      file = earlier
      number -= 1
    }
    return file
  }
}

/// What lies where a part of a recording would.
enum Part {
  case found(PartFile, HeaderLine)
  /// Nothing, or a file of something else.
  case none
  /// It is there and cannot be read, for this reason.
  case unreadable(String)

  init(_ number: Int, of session: String, _ names: PartNames) {
    do throws(SessionError) {
      let file = try PartFile(path: names.path(ofPart: number))
      let line = try HeaderLine(file, size: file.size)
      let isPart = line.header.session == session && line.header.part == number
      self = isPart ? .found(file, line) : .none
    } catch {
      switch error.problem {
      case .notPermitted, .system: self = .unreadable(error.what)
      default: self = .none
      }
    }
  }
}

extension ReaderState {
  /// Takes in the parts that follow the last one, as far as they lie beside it.
  mutating func scanFurtherParts(of header: SessionHeader) throws(SessionError) {
    guard let session = header.session else { return }
    while let last = parts.parts.last {
      let number = header.part + parts.parts.count - 1
      let names = PartNames(path: last.file.path, ofPart: number)
      switch Part(number + 1, of: session, names) {
      case .found(let file, let line):
        // A recorder begins a part when it has done with the one before: that has all its lines now,
        // and may have got some since it was looked at.
        try scanOn()
        try scanPart(file, line)
      case .unreadable(let reason): return note(.unreadablePart(number + 1, reason: reason))
      case .none:
        guard case .found = Part(number + 2, of: session, names) else { return }
        return note(.missingPart(number + 1))
      }
    }
  }

  private mutating func note(_ finding: Notice.Finding) {
    guard !notices.contains(where: { $0.finding == finding }) else { return }
    notices.append(Notice(finding, line: index.lineCount, file: parts.parts.last?.file.name))
  }
}

/// Finds where a rotated recording begins.
enum FirstPart {
  /// The file at a path or, when that is a later part, the first part of its recording, if it lies
  /// beside it.
  static func find(_ path: String) throws(SessionError) -> PartFile {
    let file = try PartFile(path: path)
    let header = try HeaderLine(file, size: file.size).header
    guard header.part > 1 else { return file }
    let first = PartNames(path: path, ofPart: header.part).path(ofPart: 1)
    guard first != path, let found = try? PartFile(path: first),
      let other = try? HeaderLine(found, size: found.size).header,
      header.session != nil, other.session == header.session, other.part == 1
    else { return file }
    return found
  }
}

extension ReaderState {
  /// Takes in the parts that follow the last one, as far as they lie beside it.
  mutating func scanFurtherParts(of header: SessionHeader) throws(SessionError) {
    guard let session = header.session, let last = parts.parts.last else { return }
    let number = header.part + parts.parts.count - 1
    let names = PartNames(path: last.file.path, ofPart: number)
    guard let (file, line) = Self.part(number + 1, of: session, names) else {
      if Self.part(number + 2, of: session, names) != nil { noteMissingPart(number + 1) }
      return
    }
    try scanPart(file, from: line.end)
    try scanFurtherParts(of: header)
  }

  private static func part(
    _ number: Int, of session: String, _ names: PartNames
  ) -> (PartFile, HeaderLine)? {
    guard let file = try? PartFile(path: names.path(ofPart: number)),
      let line = try? HeaderLine(file, size: file.size),
      line.header.session == session, line.header.part == number
    else { return nil }
    return (file, line)
  }

  private mutating func noteMissingPart(_ number: Int) {
    let finding = Notice.Finding.missingPart(number)
    guard !notices.contains(where: { $0.finding == finding }) else { return }
    notices.append(Notice(finding, line: index.lineCount, file: parts.parts.last?.file.name))
  }
}

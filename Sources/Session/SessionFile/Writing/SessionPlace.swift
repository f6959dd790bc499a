import SessionWords

extension KeptSessions {
  /// Others may take the path at the same moment.
  private static let attempts = 10

  /// Creates a file with these bytes: at the path, or beside it while another recorder has that.
  func makeFile(
    _ bytes: [UInt8], started: String?, _ existing: WritingOptions.Existing
  ) throws(SessionError) -> LogFile {
    guard case .keep(let count) = existing else { return try LogFile.make(path, header: bytes) }
    for _ in 0..<Self.attempts {
      do throws(SessionError) {
        let file = try LogFile.make(try freePath(started), header: bytes)
        prune(keeping: count)
        return file
      } catch  where error.problem == .alreadyExists { continue }
    }
    throw SessionError(.alreadyExists, path: path)
  }

  private func freePath(_ started: String?) throws(SessionError) -> String {
    do throws(SessionError) {
      try setAside()
      return path
    } catch  where error.problem == .isBeingRecorded {
      return try freePath(for: Self.nameTime(ofStart: started))
    }
  }

  /// Creates a file at a free path, else under a name with the start time.
  func makeFileBeside(_ bytes: [UInt8], started: String?) throws(SessionError) -> LogFile {
    do throws(SessionError) {
      return try LogFile.make(path, header: bytes)
    } catch  where error.problem == .alreadyExists {
      return try LogFile.make(
        try freePath(for: Self.nameTime(ofStart: started)), header: bytes)
    }
  }
}

/// The names of a rotated recording's parts: `cart.retcon`, `cart.2.retcon`, `cart.3.retcon`.
struct PartNames {
  private(set) var stem: String
  private(set) var suffix: String

  init(_ firstPath: String) {
    let name = firstPath.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex {
      suffix = String(name[dot...])
      stem = String(firstPath.dropLast(suffix.count))
    } else {
      suffix = ""
      stem = firstPath
    }
  }

  init(path: String, ofPart part: Int) {
    let names = PartNames(path)
    self = names
    guard part > 1, names.stem.hasSuffix(".\(part)") else { return }
    self = PartNames(String(names.stem.dropLast(".\(part)".count)) + names.suffix)
  }

  func path(ofPart part: Int) -> String {
    part == 1 ? stem + suffix : "\(stem).\(part)\(suffix)"
  }

  /// The further parts beside the first, which has this header. Ignores unrelated files with such
  /// names.
  func furtherParts(of header: SessionHeader?) -> [PathSession] {
    guard let session = header?.session else { return [] }
    var parts: [PathSession] = []
    while case .session(let next) = PathOccupant(at: path(ofPart: parts.count + 2)),
      let header = next.header, header.session == session, header.part == parts.count + 2
    { parts.append(next) }
    return parts
  }
}

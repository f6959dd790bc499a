/// Finds a file for a session that is to be written at a path, whatever stands there.
struct SessionPlace {
  private let path: String
  private let existing: WritingOptions.Existing
  private let kept: KeptSessions

  /// Others may take the path at the same moment.
  private static let attempts = 10

  init(_ path: String, _ existing: WritingOptions.Existing) {
    self.path = path
    self.existing = existing
    kept = KeptSessions(of: path)
  }

  /// Makes a file that begins with these bytes: at the path, or beside it while another recorder
  /// has that.
  func makeFile(_ bytes: [UInt8], started: String?) throws(SessionError) -> LogFile {
    guard case .keep(let count) = existing else { return try LogFile.make(path, header: bytes) }
    for _ in 0..<Self.attempts {
      do throws(SessionError) {
        let file = try LogFile.make(try freePath(started), header: bytes)
        kept.prune(keeping: count)
        return file
      } catch  where error.problem == .alreadyExists { continue }
    }
    throw SessionError(.alreadyExists, path: path)
  }

  private func freePath(_ started: String?) throws(SessionError) -> String {
    do throws(SessionError) {
      try kept.setAside()
      return path
    } catch  where error.problem == .isBeingRecorded {
      return try kept.freePath(for: KeptSessions.nameTime(ofStart: started))
    }
  }

  /// Makes a file at the path if nothing is there, and under a name with the start time otherwise.
  func makeFileBeside(_ bytes: [UInt8], started: String?) throws(SessionError) -> LogFile {
    do throws(SessionError) {
      return try LogFile.make(path, header: bytes)
    } catch  where error.problem == .alreadyExists {
      let free = try kept.freePath(for: KeptSessions.nameTime(ofStart: started))
      return try LogFile.make(free, header: bytes)
    }
  }
}

import Platform

/// Opens sessions and what can be turned into one, whatever the file is called.
///
/// ```swift
/// let session = try SessionOpener().open("redux-shop.lifted.json")
/// session.header.origin?.format  // "Redux DevTools"
/// ```
///
/// The file of another tool is converted into a session in the temporary folder, which is removed
/// from there as soon as it is open: readers see no difference.
public struct SessionOpener: Sendable {
  public var importers: [any SessionImporter]
  /// Where the indexes of large sessions are kept; nil for nowhere.
  public var indexCache: IndexCache? = .user
  /// Where converted sessions are written.
  public var temporaryFolder: String

  public init(importers: [any SessionImporter] = [], temporaryFolder: String? = nil) {
    self.importers = importers
    self.temporaryFolder =
      temporaryFolder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// `name` is what messages call it, where that is not its path.
  public func open(
    _ path: String, as name: String? = nil, progress: (Double) throws -> Void = { _ in }
  ) throws -> SessionReader {
    guard let importer = try importer(of: path) else {
      guard let name else { return try SessionReader(path: path, indexCache: indexCache) }
      return try SessionReader(file: FirstPart.find(path), shownPath: name)
    }
    let folder = try temporaryDirectory()
    let session = folder + "/session.retcon"
    defer {
      unlink(session)
      rmdir(folder)
    }
    try importer.convert(path, into: session, progress: progress)
    return try SessionReader(file: PartFile(path: session), shownPath: name ?? path)
  }

  /// What turns the file into a session; nil where it is one, or nothing that is known.
  public func importer(of path: String) throws -> (any SessionImporter)? {
    let file = try PartFile(path: path)
    let start = try file.bytes(at: 0, count: min(1 << 16, file.size))
    guard !start.isEmpty, !HeaderLine.isBegunBy(start), !LostHeader.holdsStep(start) else {
      return nil
    }
    return importers.first { $0.recognizes(start) }
  }

  private func temporaryDirectory() throws(SessionError) -> String {
    var template = Array("\(temporaryFolder)/retcon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SessionError(.system(errorText(errno)), path: temporaryFolder)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

import Platform
import SessionFile
import SessionWords

/// Opens sessions and what can be turned into one, whatever the file is called.
///
/// ```swift
/// let session = try SessionOpener().open("redux-shop.lifted.json")
/// session.header.origin?.format  // "Redux DevTools"
/// ```
///
/// The file of another tool is converted into a session in the temporary folder, which is removed
/// from there as soon as it is open: readers see no difference.
package struct SessionOpener: Sendable {
  package var importers: [any SessionImporter]
  /// Where the indexes of large sessions are kept; nil for nowhere.
  package var indexCache: IndexCache? = .user
  /// Where converted sessions are written.
  package var temporaryFolder: String

  package init(importers: [any SessionImporter] = [], temporaryFolder: String? = nil) {
    self.importers = importers
    self.temporaryFolder = temporaryFolder ?? Platform.temporaryFolder
  }

  /// `name` is what messages call it, where that is not its path.
  package func open(
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
  package func importer(of path: String) throws -> (any SessionImporter)? {
    let start = try start(of: path)
    guard !start.isEmpty, !holdsSession(start) else { return nil }
    return importers.first { $0.recognizes(start) }
  }

  /// Whether the first bytes of a file are those of a session, or of a file that can be turned into one.
  package func mayOpen(_ path: String) throws -> Bool {
    let start = try start(of: path)
    return holdsSession(start) || importers.contains { $0.recognizes(start) }
  }

  private func start(of path: String) throws -> [UInt8] {
    let file = try PartFile(path: path)
    return try file.bytes(at: 0, count: min(1 << 16, file.size))
  }

  private func holdsSession(_ start: [UInt8]) -> Bool {
    HeaderLine.isBegunBy(start) || LostHeader.holdsStep(start)
  }

  private func temporaryDirectory() throws(SessionError) -> String {
    var template = Array("\(temporaryFolder)/retcon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SessionError(.system(errorText(errno)), path: temporaryFolder)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Turns the file of another tool into a session.
package protocol SessionImporter: Sendable {
  /// What its files are called in messages: `Redux DevTools`.
  var format: String { get }

  /// Whether a file is of this kind, told by its first bytes (up to 64 KiB).
  func recognizes(_ start: [UInt8]) -> Bool

  /// Writes the steps of the file at a path into a new session at another, in bounded memory, and
  /// says from time to time which part of the file is done, from 0 to 1.
  func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws
}

extension SessionOpener {
  /// Opens sessions and every foreign format that Retcon knows.
  package static var standard: SessionOpener {
    SessionOpener(importers: [RecordsImporter(), ReduxImporter()])
  }
}

extension SessionHeader.Origin {
  /// Whether the session was made from the file of another tool.
  package var isForeign: Bool {
    format == ReduxImporter().format || RecordShape.all.contains { $0.tool == format }
  }

  /// What files of that tool do not tell, or what stands for it.
  package var caveat: String? { RecordShape.all.first { $0.tool == format }?.caveat }

  /// Whether that tool looks at apps in JavaScript.
  package var isOfJavaScript: Bool {
    isForeign && !RecordShape.ofOtherLanguages.contains(format)
  }
}

/// Why a file of another tool cannot be opened as a session.
package struct ImportError: Explained, Hashable {
  package var what: String
  package var place: String?
  package var next: String?

  static func system(_ what: String, path: String) -> ImportError {
    ImportError(what: "\(what): \(errorText(errno))", place: path)
  }

  static func syntax(_ what: String, path: String, offset: Int) -> ImportError {
    ImportError(
      what: what, place: "\(path), byte \(offset)",
      next: "The file is damaged or was cut off; export it again")
  }

  static func name(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte)
      ? "'\(Unicode.Scalar(byte))'" : "the byte 0x\(String(byte, radix: 16))"
  }
}

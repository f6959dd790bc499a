import Platform
import SessionFile
import SessionWords

/// Opens sessions and convertible files, whatever their names.
///
/// ```swift
/// let session = try SessionOpener().open("redux-shop.lifted.json")
/// session.header.origin?.format  // "Redux DevTools"
/// ```
///
/// Another tool's file is read where it is. Readers see no difference.
package struct SessionOpener: Sendable {
  package var importers: [any SessionImporter]
  /// The cache of large sessions' indexes; nil for none.
  package var indexCache: IndexCache? = .user

  package init(importers: [any SessionImporter] = []) { self.importers = importers }

  /// `name` replaces the path in messages. A `piece` of a file that is read in place opens at once; the
  /// reader then finds the rest like lines that were added.
  package func open(
    _ path: String, as name: String? = nil, piece: Int = .max,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> SessionReader {
    guard let importer = try importer(of: path) else {
      guard let name else { return try SessionReader(path: path, indexCache: indexCache) }
      return try SessionReader(file: FirstPart.find(path), shownPath: name)
    }
    return try importer.source(path).open(
      as: name ?? path, indexCache: name == nil ? indexCache : nil, piece: piece,
      progress: progress)
  }

  /// The importer for a file; nil for a session, or an unknown file.
  package func importer(of path: String) throws -> (any SessionImporter)? {
    let start = try start(of: path)
    guard !start.isEmpty, !holdsSession(start) else { return nil }
    return importers.first { $0.recognizes(start) }
  }

  /// Whether the first bytes belong to a session or a convertible file, as far as a part of a file
  /// tells.
  package func mayOpen(_ path: String) throws -> Bool {
    let start = try start(of: path)
    return isKnown(start) || Self.lengths.contains(start.count) && isUndecided(start)
  }

  /// The lengths of a file's part between which ``mayOpen(_:)`` waits for the end of the first record.
  package static let lengths = RecordStart.sizes[0]..<(RecordStart.sizes.last ?? 0)

  private func start(of path: String) throws -> [UInt8] {
    let file = try PartFile(path: path)
    var start: [UInt8] = []
    for size in RecordStart.sizes where start.isEmpty || isUndecided(start) {
      start = try file.bytes(at: 0, count: min(size, file.size))
      if start.count < size { break }
    }
    return start
  }

  /// Whether the rest of the first record may tell more.
  private func isUndecided(_ start: [UInt8]) -> Bool {
    switch FileStart(start) {
    // Any list of objects could be one of actions.
    case .array(first: UInt8(ascii: "{")): !RecordStart(start).isWhole
    case .object: !isKnown(start) && !RecordStart(start).isWhole
    case .array, .other: false
    }
  }

  private func isKnown(_ start: [UInt8]) -> Bool {
    holdsSession(start) || importers.contains { $0.recognizes(start) }
  }

  private func holdsSession(_ start: [UInt8]) -> Bool {
    HeaderLine.isBegunBy(start) || LostHeader.holdsStep(start)
  }
}

package protocol SessionImporter: Sendable {
  /// The name of its files in messages: `Redux DevTools`.
  var format: String { get }

  /// Whether a file is of this kind, judging by its first bytes.
  func recognizes(_ start: [UInt8]) -> Bool

  /// How the steps of a file are read.
  func source(_ path: String) throws -> InPlaceFile
}

extension SessionImporter {
  /// Writes a file's steps into a new session, and reports the finished share, from 0 to 1.
  package func write(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws {
    try source(path).open(as: path).copy(to: session, progress: progress)
  }
}

package struct InPlaceFile {
  package var file: PartFile
  package var format: any LineFormat

  init(file: PartFile, format: any LineFormat) { (self.file, self.format) = (file, format) }

  /// A document with its parts in `source`.
  init(
    _ path: String, _ source: FileBytes, _ format: any LineFormat, _ indexer: any DocumentIndexer
  ) throws {
    let document = Document(source.descriptor, indexer)
    (file, self.format) = (try PartFile(path: path, document: document), format)
  }

  /// The bytes of lines that a document finds between two calls of `progress`.
  private static let piece = 1 << 20

  package func open(
    as name: String, indexCache: IndexCache? = nil, piece: Int = .max,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> SessionReader {
    let isWhole = piece == .max && file.document != nil
    let reader = try SessionReader(
      file: file, format: format, shownPath: name, indexCache: indexCache,
      piece: isWhole ? Self.piece : piece)
    while isWhole, !reader.isScanned {
      try progress(file.document?.share ?? 1)
      _ = try reader.refresh()
    }
    if let failure = file.document?.failure, isWhole || reader.stepCount == 0 { throw failure }
    return reader
  }
}

extension SessionOpener {
  package static var standard: SessionOpener {
    SessionOpener(importers: [RecordsImporter(), ReduxImporter()])
  }
}

extension SessionHeader.Origin {
  package var isForeign: Bool {
    format == ReduxImporter().format || RecordShape.all.contains { $0.tool == format } || isLive
  }

  /// Whether it was recorded from a running app that does not know Retcon.
  package var isLive: Bool { format.hasPrefix("live ") }

  package var caveat: String? { RecordShape.all.first { $0.tool == format }?.caveat }

  package var isOfJavaScript: Bool {
    isForeign && !RecordShape.ofOtherLanguages.contains(format)
  }
}

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

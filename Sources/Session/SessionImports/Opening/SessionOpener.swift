import Platform
import SessionFile
import SessionWords

/// Opens sessions and convertible files, whatever their names.
///
/// ```swift
/// let session = try SessionOpener.standard.open("redux-shop.lifted.json")
/// session.header.origin?.format  // "Redux DevTools"
/// ```
///
/// Another tool's file is read where it is. Readers see no difference.
package struct SessionOpener: Sendable {
  package static let standard = SessionOpener()
  private static let importers: [any SessionImporter] = [RecordsImporter(), ReduxImporter()]
  /// The cache of large sessions' indexes; nil for none.
  package var indexCache: IndexCache? = .user

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
    let (file, format) = try importer.source(path)
    let isWhole = piece == .max && file.document != nil
    let reader = try SessionReader(
      file: file, format: format, shownPath: name ?? path,
      indexCache: name == nil ? indexCache : nil, piece: isWhole ? Self.piece : piece)
    while isWhole, !reader.isScanned {
      try progress(file.document?.share ?? 1)
      _ = try reader.refresh()
    }
    if let failure = file.document?.failure, isWhole || reader.stepCount == 0 { throw failure }
    return reader
  }

  /// The bytes of lines that a document finds between two calls of `progress`.
  private static let piece = 1 << 20

  /// The importer for a file; nil for a session, or an unknown file.
  package func importer(of path: String) throws -> (any SessionImporter)? {
    let start = try start(of: path)
    guard !start.isEmpty, !holdsSession(start) else { return nil }
    return Self.importers.first { $0.recognizes(start) }
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
    switch start.head {
    // Any list of objects could be one of actions.
    case Array("[{".utf8): !RecordStart(start).isWhole
    case let head where head.first == UInt8(ascii: "{"):
      !isKnown(start) && !RecordStart(start).isWhole
    default: false
    }
  }

  private func isKnown(_ start: [UInt8]) -> Bool {
    holdsSession(start) || Self.importers.contains { $0.recognizes(start) }
  }

  private func holdsSession(_ start: [UInt8]) -> Bool {
    HeaderLine.isBegunBy(start) || LostHeader.holdsStep(start)
  }
}

package protocol SessionImporter: Sendable {
  /// Whether a file is of this kind, judging by its first bytes.
  func recognizes(_ start: [UInt8]) -> Bool

  /// How the steps of a file are read.
  func source(_ path: String) throws -> (file: PartFile, format: any LineFormat)
}

extension SessionHeader.Origin {
  package var isForeign: Bool {
    format == ReduxLines.name || RecordShape.all.contains { $0.tool == format } || isLive
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

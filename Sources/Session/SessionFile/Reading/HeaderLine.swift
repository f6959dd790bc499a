import SessionWords
import ValueTree

extension SessionHeader {
  /// The header of the session at a path; nil if missing, or too long to read before opening the
  /// session.
  package static func read(at path: String, upTo limit: Int = 1 << 16) -> SessionHeader? {
    guard let file = try? PartFile(path: path),
      let start = try? file.bytes(at: 0, count: limit), start.contains(UInt8(ascii: "\n"))
    else { return nil }
    return try? HeaderLine(file, from: 0, size: file.size).header
  }
}

package struct HeaderLine {
  var header: SessionHeader
  var end: Int
  var notices: [Notice]
  /// Whether the line is unusable: the known facts came from elsewhere.
  var isLost = false
}

extension HeaderLine {
  /// The header; if it is damaged but steps follow, the rest of it.
  init(_ file: PartFile, size: Int) throws(SessionError) {
    guard size > 0 else { throw SessionError(.empty, path: file.path) }
    let start = try file.offset(ofFirstByteNot: 0, size: size)
    do throws(SessionError) {
      self = try HeaderLine(file, from: start, size: size)
    } catch {
      switch error.problem {
      case .notASession, .badHeader: break
      default: throw error
      }
      guard let rest = try LostHeader.rest(of: file, from: start, size: size, because: error) else {
        throw error
      }
      self = rest
    }
    if start > 0 { notices.append(Notice(.zeroBytes(count: start), line: 1)) }
  }

  fileprivate init(_ file: PartFile, from start: Int, size: Int) throws(SessionError) {
    let (bytes, isWhole) = try Self.firstLine(of: file, from: start, size: size)
    let value: Value
    do throws(ParseError) {
      value = try bytes.withUnsafeBufferPointer { line throws(ParseError) in
        try Value(parsing: line)
      }
    } catch {
      let reason =
        isWhole
        ? "the line is not JSON: \(error.what), column \(error.column)"
        : "it is cut, and no step follows"
      throw SessionError(.badHeader(reason), path: file.path, line: 1)
    }
    guard let text = value["retcon"]?.string, let version = FormatVersion(text) else {
      throw SessionError(.badHeader("\"retcon\" is no version"), path: file.path, line: 1)
    }
    guard version.major == FormatVersion.current.major else {
      throw SessionError(.tooNew(version: text), path: file.path, line: 1)
    }
    do throws(ValueFieldError) {
      header = try SessionHeader(value, version: version)
    } catch {
      throw SessionError(.badHeader(error.description), path: file.path, line: 1)
    }
    end = min(start + bytes.count + 1, size)
    notices = version > .current ? [Notice(.newerVersion(text), line: 1)] : []
  }

  package static func isBegunBy(_ bytes: some Collection<UInt8>) -> Bool {
    let text = bytes.prefix(256).filter { $0 != 0x20 && $0 != 0x09 }
    return text.starts(with: #"{"retcon":"#.utf8)
      || !text.isEmpty && text.count < 10 && #"{"retcon":"#.utf8.starts(with: text)
  }

  private static func firstLine(
    of file: PartFile, from offset: Int, size: Int
  ) throws(SessionError) -> (bytes: [UInt8], isWhole: Bool) {
    var window = LineWindow(file, from: offset, size: min(4096, size - offset))
    while true {
      let isMore = try window.move(by: 0, to: size)
      let bytes = window.bytes
      guard isBegunBy(bytes) else {
        throw SessionError(.notASession(found: Found(bytes).description), path: file.path, line: 1)
      }
      if let newline = bytes.newline(from: 0) { return (Array(bytes[..<newline]), true) }
      if !isMore { return (Array(bytes), false) }
      guard bytes.count <= LineIndex.longestLine else {
        throw SessionError(
          .badHeader("it has more than \(LineIndex.longestLine >> 20) MB"), path: file.path, line: 1
        )
      }
    }
  }
}

struct Found: CustomStringConvertible {
  let description: String

  init(_ bytes: some Collection<UInt8>) {
    let start = bytes.prefix(512)
    if start.allSatisfy({ $0 == 0 }) {
      description = "the file begins with zero bytes"
    } else if start.starts(with: [0xEF, 0xBB, 0xBF]), HeaderLine.isBegunBy(start.dropFirst(3)) {
      description = "a byte order mark stands before the header; save it without one"
    } else if let name = Self.magic.first(where: { start.starts(with: $0.bytes) })?.name {
      description = "it looks like \(name)"
    } else if start.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x1B].contains($0) }) {
      description = "the file holds binary data"
    } else {
      description = "the first line is \(Self.quoted(start))"
    }
  }

  private static let magic: [(bytes: [UInt8], name: String)] = [
    ([0x1F, 0x8B], "a gzip archive; unpack it first"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive; unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a zstd archive; unpack it first"),
    ([0xFF, 0xFE], "text in UTF-16"), ([0xFE, 0xFF], "text in UTF-16"),
  ]

  private static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let text = line.prefix(40).map { byte in
      (0x20...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "."
    }.joined()
    return line.isEmpty ? "empty" : "\"\(text)\(line.count > 40 ? "…" : "")\""
  }
}

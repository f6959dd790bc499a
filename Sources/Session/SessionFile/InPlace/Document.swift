import Platform
import SessionWords
import ValueTree

/// Finds the steps of a document, piece by piece.
package protocol DocumentIndexer {
  /// Adds lines of about `most` bytes; false behind the last one.
  mutating func addLines(to lines: inout DocumentLines, most: Int) throws -> Bool
  /// The finished share, from 0 to 1.
  var share: Double { get }
}

/// A document that is read as lines. It reads the parts of a line on demand.
package final class Document: Sendable {
  static let firstPiece = 1 << 20
  private let descriptor: Int32
  private let first: (size: Int, modified: Int64)
  private let lines = Locked(DocumentLines())
  private let indexer = Locked<(any DocumentIndexer)?>(nil)
  private let failed = Locked<(any Error)?>(nil)

  /// Duplicates the descriptor of the file with the parts. The indexer is the document's alone.
  package init(_ descriptor: Int32, _ indexer: any DocumentIndexer) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    self.indexer.withLock { $0 = indexer }
    first = Self.stamp(of: self.descriptor)
  }

  deinit { close(descriptor) }

  private static func stamp(of descriptor: Int32) -> (size: Int, modified: Int64) {
    let stamp = fileStatus(of: descriptor).map { FileStamp($0) } ?? FileStamp()
    return (Int(stamp.size), stamp.modified)
  }

  package var size: Int { lines.withLock { $0.size } }
  package var facts: Value { lines.withLock { $0.facts } }
  package var failure: (any Error)? { failed.withLock { $0 } }
  package var share: Double { indexer.withLock { $0?.share } ?? 1 }

  /// Finds further lines; false behind the last one. After a failure there are no more.
  func findLines(most: Int) -> Bool {
    indexer.withLock { indexer in
      do {
        guard try lines.withLock({ try indexer?.addLines(to: &$0, most: most) }) == true else {
          indexer = nil
          return false
        }
        return true
      } catch {
        failed.withLock { $0 = error }
        indexer = nil
        return false
      }
    }
  }

  /// Takes lines that were found before; nil forgets them.
  func use(_ lines: DocumentLines?) {
    self.lines.withLock { $0 = lines ?? DocumentLines() }
    if lines != nil { indexer.withLock { $0 = nil } }
  }

  var foundLines: DocumentLines { lines.withLock { $0 } }

  /// Reads text of lines. Line ends inside a document become spaces, as they mean nothing in JSON.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of path: String
  ) throws(SessionError) -> Int {
    // Other bytes at the known places could pass for a step.
    guard Self.stamp(of: descriptor) == first else { throw SessionError(.changed, path: path) }
    let lines = foundLines
    let end = min(offset + buffer.count, lines.size)
    guard offset < end else { return 0 }
    let text = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(end - offset)])
    let target = Target(text: text, start: offset)
    var source = Source(descriptor: descriptor)
    var (piece, start, length, index) = lines.piece(at: offset)
    while true {
      var place = start
      target.put(CollectionOfOne(piece.before), at: &place)
      target.put(
        UnsafeBufferPointer(start: piece.key.utf8Start, count: piece.key.utf8CodeUnitCount),
        at: &place)
      if piece.isMade {
        target.put(lines.madeBytes(piece.offset..<piece.offset + length), at: &place)
      } else if let part = target.part(of: place..<place + length) {
        let from = piece.offset + target.start + part.lowerBound - place
        let bytes = UnsafeMutableRawBufferPointer(rebasing: text[part])
        guard source.read(into: bytes, at: from) else { throw SessionError(.changed, path: path) }
        for index in bytes.indices { bytes[index] = bytes[index] == 0x0A ? 0x20 : bytes[index] }
        place += length
      } else {
        place += length
      }
      if piece.isLast { target.put([UInt8(ascii: "}"), 0x0A], at: &place) }
      guard place < end else { return end - offset }
      (piece, start, length, index) = lines.piece(index + 1)
    }
  }

  private struct Target {
    let text: UnsafeMutableRawBufferPointer
    let start: Int

    /// The part of a range that lies in the buffer.
    func part(of range: Range<Int>) -> Range<Int>? {
      let low = max(range.lowerBound - start, 0)
      let high = min(range.upperBound - start, text.count)
      return low < high ? low..<high : nil
    }

    func put(_ bytes: some RandomAccessCollection<UInt8>, at place: inout Int) {
      if let part = part(of: place..<place + bytes.count) {
        let skipped = start + part.lowerBound - place
        text[part].copyBytes(from: bytes.dropFirst(skipped).prefix(part.count))
      }
      place += bytes.count
    }
  }

  /// Reads small parts from larger pieces of the file: actions and states may lie far apart.
  private struct Source {
    let descriptor: Int32
    private var windows: [(start: Int, bytes: [UInt8])] = [(0, []), (0, [])]
    private var next = 0
    private static let size = 1 << 15

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
      guard buffer.count < Self.size else { return fill(buffer, at: offset) == buffer.count }
      let known = windows.firstIndex {
        $0.start <= offset && offset + buffer.count <= $0.start + $0.bytes.count
      }
      if known == nil {
        // If the newest step is first, the next part is before this one.
        let last = windows[next].start
        let isBack = offset < last && last - offset < Self.size
        let start = isBack ? max(0, offset + buffer.count - Self.size) : offset
        next = 1 - next
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { bytes, count in
          count = fill(UnsafeMutableRawBufferPointer(bytes), at: start)
        }
        windows[next] = (start, bytes)
      }
      let (start, bytes) = windows[known ?? next]
      guard offset + buffer.count <= start + bytes.count else { return false }
      buffer.copyBytes(from: bytes[offset - start..<offset - start + buffer.count])
      return true
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
      WholeTransfer.read(into: buffer, from: descriptor, at: offset) ?? 0
    }
  }
}

import Platform
import SessionWords

extension SessionReader {
  /// The change of a file since the last check.
  public enum Growth: Sendable, Hashable {
    case none
    /// New steps; the last known one may be complete now.
    case steps(ClosedRange<Int>)
    case lines
    case truncated
    case replaced
  }

  /// Checks whether the recording has grown, and reads the rest. After ``Growth/truncated`` and
  /// ``Growth/replaced`` there is a notice; open the session again.
  public func refresh() throws(SessionError) -> Growth {
    try update { state throws(SessionError) in try state.readGrowth(header) }
  }
}

extension ReaderState {
  mutating func readGrowth(_ header: SessionHeader) throws(SessionError) -> SessionReader.Growth {
    guard let file = parts.parts.last?.file else {
      return impossible("a reader has a file", .none)
    }
    // A document is read as it was; only the rest of it is still found.
    let isDocument = file.document != nil
    if isDocument, isScanned { return .none }
    var hasNames = true
    for part in parts.parts where !isDocument {
      guard let identity = part.file.identityAtPath else {
        hasNames = false
        continue
      }
      if identity != part.file.identity {
        reportOnce(.replaced)
        return .replaced
      }
    }
    reportNames(hasNames)
    let size = file.size
    let isSame = isDocument ? true : try holdsWhatWasRead()
    guard isSame else {
      for part in parts.parts { part.file.letGo() }
      reportOnce(.truncated)
      return .truncated
    }
    let lastStep = index.lastStep
    var lastWholeStep = index.lastWholeStep
    let lines = index.lineCount
    let partCount = parts.parts.count
    // Retries a torn line once it has grown.
    let wasScanned = isScanned
    if isDocument || size > scanned && size != looked { try scanOn() }
    try scanFurtherParts(of: header)
    if !wasScanned, isScanned { save(in: unfilled, of: file) }
    if let changed = changed.take() {
      lastWholeStep = changed - 1
      guard index.lastStep >= lastStep else {
        reportOnce(.truncated)
        return .truncated
      }
    }
    if let format, index.lineCount > lines {
      isFinished = isFinished && !wasScanned
      // A new line may hold its state.
      cache.withLock { $0.remove(from: lastWholeStep) }
      if format.hasClock { try findClockStart(format) }
    }
    if index.lastWholeStep > lastWholeStep {
      cache.withLock { $0.remove(from: lastWholeStep + 1) }
      return .steps(lastWholeStep + 1...index.lastStep)
    }
    return index.lineCount > lines || parts.parts.count > partCount ? .lines : .none
  }

  /// Whether the files have their lengths, and the last one its known bytes.
  private mutating func holdsWhatWasRead() throws(SessionError) -> Bool {
    for part in parts.parts where part.file.isLetGo || part.file.size < part.size { return false }
    guard let file = parts.parts.last?.file else {
      return impossible("a reader has a file", true)
    }
    guard try file.bytes(at: 0, count: headerBytes.count) == headerBytes else { return false }
    let end = try file.bytes(at: scanned - lastBytes.count, count: lastBytes.count)
    guard end == lastBytes else { return false }
    return try !overwriteCheck.isOverwritten(file, size: scanned)
  }

  /// A file that never had a name has not lost it.
  private mutating func reportNames(_ areThere: Bool) {
    if areThere {
      hadNames = true
      notices.removeAll { $0.finding == .movedAway }
    } else if hadNames {
      reportOnce(.movedAway)
    }
  }
}

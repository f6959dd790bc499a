import SessionWords

extension SessionReader {
  /// What became of a file since the last look at it.
  public enum Growth: Sendable, Hashable {
    /// It is as it was.
    case none
    /// There are these new steps, or the last of them is whole now.
    case steps(ClosedRange<Int>)
    /// There are new lines between steps.
    case lines
    /// The file is shorter than it was, or begins with other bytes.
    case truncated
    /// The path names another file now.
    case replaced
  }

  /// Looks whether the recording has grown, and takes in what is new. After ``Growth/truncated`` and
  /// ``Growth/replaced`` there is a notice; the session has to be opened again.
  public func refresh() throws(SessionError) -> Growth {
    try update { state throws(SessionError) in try state.takeGrowth(header) }
  }
}

extension ReaderState {
  mutating func takeGrowth(_ header: SessionHeader) throws(SessionError) -> SessionReader.Growth {
    guard let file = parts.parts.last?.file else { return .none }
    var hasNames = true
    for part in parts.parts {
      guard let identity = part.file.identityAtPath else {
        hasNames = false
        continue
      }
      if identity != part.file.identity {
        noteOnce(.replaced)
        return .replaced
      }
    }
    noteNames(hasNames)
    let size = file.size
    guard try holdsWhatWasRead() else {
      noteOnce(.truncated)
      return .truncated
    }
    let lastWholeStep = index.lastWholeStep
    let lines = index.lineCount
    let partCount = parts.parts.count
    // A torn line is looked at again when there is more of it.
    if size > scanned, size != looked { try scanOn() }
    try scanFurtherParts(of: header)
    if index.lastWholeStep > lastWholeStep {
      cache.remove(from: lastWholeStep + 1)
      return .steps(lastWholeStep + 1...index.lastStep)
    }
    return index.lineCount > lines || parts.parts.count > partCount ? .lines : .none
  }

  /// Whether the files are as long as they were, and the last of them begins and goes on as before.
  private func holdsWhatWasRead() throws(SessionError) -> Bool {
    for part in parts.parts where part.file.size < part.size { return false }
    guard let file = parts.parts.last?.file else { return true }
    guard try file.bytes(at: 0, count: headerBytes.count) == headerBytes else { return false }
    return try file.bytes(at: scanned - lastBytes.count, count: lastBytes.count) == lastBytes
  }

  /// A file that never had a name while it was looked at (it was made for this reader only) has not lost
  /// it.
  private mutating func noteNames(_ areThere: Bool) {
    if areThere {
      hadNames = true
      notices.removeAll { $0.finding == .movedAway }
    } else if hadNames {
      noteOnce(.movedAway)
    }
  }
}

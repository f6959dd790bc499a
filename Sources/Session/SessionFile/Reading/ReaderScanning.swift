import Platform
import SessionWords
import ValueTree

extension LineIndex {
  fileprivate mutating func scan(
    _ part: PartList.Part, from start: Int, to limit: Int = .max, most: Int = .max,
    _ format: (any LineFormat)?
  ) throws(SessionError) -> (end: Int, isWhole: Bool) {
    if let format {
      return try scanRecords(part, from: start, to: limit, most: most, format)
    }
    return try LineScanner.scan(part.file, from: start, to: limit, most: most) {
      add($0, in: part)
      return hasRoom
    }
  }

  /// Generic, because a box would be copied for each line.
  private mutating func scanRecords(
    _ part: PartList.Part, from start: Int, to limit: Int, most: Int, _ format: some LineFormat
  ) throws(SessionError) -> (end: Int, isWhole: Bool) {
    try LineScanner.scan(part.file, from: start, to: limit, most: most) {
      addRecord($0, in: part, format)
      return hasRoom
    }
  }
}

extension ReaderState {
  mutating func scanFirstPart(
    _ file: PartFile, after headerLine: HeaderLine, cache: IndexCache?
  ) throws(SessionError) {
    let start = headerLine.end
    headerEnd = start
    headerBytes = try file.bytes(at: 0, count: min(format == nil ? start : file.size, 256))
    parts.append(file, size: start, linesBefore: 0)
    scanned = start
    // An index does not hold the last state, which shows whether the next line follows it.
    let needsLastState = format?.hasStateBefore == true && file.document == nil
    let cache = headerLine.isLost || needsLastState ? nil : cache
    let stored = cache?.load(
      for: file, size: file.fileSize, firstStep: index.firstStep, isInPlace: format != nil)
    if let stored {
      index = stored.index
      scanned = stored.scanned
      parts.growLast(to: scanned)
      try readRemarks(from: 0)
    }
    try scanOn()
    if scanned - (stored?.scanned ?? 0) > scanned / 8 {
      if isScanned { save(in: cache, of: file) } else { unfilled = cache }
    }
  }

  /// A last line without a line end is read again when the file is opened.
  func save(in cache: IndexCache?, of file: PartFile) {
    cache?.save(beforeTail?.index ?? index, scanned: beforeTail?.scanned ?? scanned, of: file)
  }

  mutating func scanPart(_ file: PartFile, _ line: HeaderLine) throws(SessionError) {
    let start = line.end
    let offset = parts.end
    parts.append(file, size: start, linesBefore: index.lineCount(before: offset))
    index.beginPart(headerAt: offset)
    if line.header.state != nil, line.header.firstStep >= index.lastStep {
      partStates[line.header.firstStep] = offset
    }
    headerBytes = try file.bytes(at: 0, count: min(start, 256))
    scanned = start
    beforeTail = nil
    if let tailNotice { notices.append(tailNotice) }
    try scanOn()
  }

  mutating func scanOn() throws(SessionError) {
    guard let part = parts.parts.last, index.hasRoom else { return }
    // A screen can show the first steps while the rest of a document is still found.
    let most = scanned == 0 ? min(piece, Document.firstPiece) : piece
    let isFound = part.file.document?.findLines(most: most) != true
    let size = part.file.size
    let firstRemark = index.facts.remarks.count
    if let known = beforeTail, size > scanned {
      let rest = try part.file.bytes(at: scanned, count: min(size - scanned, Self.longestTail))
      let isCut = rest.count < size - scanned
      // Only a whole line tells what belongs to it.
      guard let end = rest.firstIndex(of: 0x0A) ?? (isCut ? rest.count : nil) else {
        return looked = size
      }
      beforeTail = nil
      let isBlank = rest[..<end].withUnsafeBufferPointer {
        $0.isEmpty || format != nil && $0.record.isEmpty
      }
      if isBlank, end < rest.count {
        scanned += end + 1
      } else {
        (self.index, scanned, changed) = (known.index, known.scanned, known.index.lastStep)
      }
    }
    var index = self.index
    let rear = try rearIndex(of: part)
    (scanned, isScanned) = try index.scan(
      part, from: scanned, to: rear?.start ?? .max, most: piece, format)
    if let rear {
      let (found, end) = try rear.work.result().get()
      index.addRecords(of: found)
      scanned = end
    }
    self.index = index
    isScanned = isScanned && isFound
    if let failure = part.file.document?.failure {
      reportOnce(.badLine(reason: (failure as? any Explained)?.what ?? "\(failure)"))
    }
    parts.growLast(to: scanned)
    if !index.hasRoom {
      reportOnce(.tooManyLines(most: index.most, leftOut: max(0, size - scanned)))
    } else if isScanned {
      try readTail(of: part.file, size: max(size, scanned))
    }
    looked = isScanned ? size : scanned
    let last = min(scanned, 64)
    lastBytes = try part.file.bytes(at: scanned - last, count: last)
    guard isScanned else { return }
    try readRemarks(from: firstRemark)
    self.index.finishScan()
    reportUnknownLines()
    reportUnfinishedStep()
  }

  /// The second half of a large file whose records stand alone, which another thread scans.
  private func rearIndex(
    of part: PartList.Part
  ) throws(SessionError) -> (
    start: Int, work: ThreadWork<Result<(LineIndex, end: Int), SessionError>>
  )? {
    let middle = scanned + (part.file.size - scanned) / 2
    // The format learnt all that a record needs of others when the file was opened.
    guard let format, !format.hasStateBefore, part.file.document == nil, piece == .max,
      looked == 0, part.file.size - scanned > Self.smallestRear
    else { return nil }
    let bytes = try part.file.bytes(at: middle, count: LineScanner.chunkSize)
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    let start = middle + end + 1
    let work = ThreadWork {
      Result { () throws(SessionError) in
        var index = LineIndex.inPlace
        index.most /= 2
        let end = try index.scan(part, from: start, format).end
        return (index, end: end)
      }
    }
    return (start, work)
  }

  private static var smallestRear: Int { 4 << 20 }

  private static var longestTail: Int { 1 << 26 }

  /// The text behind the last line end: nothing, a whole line, or a torn one.
  private mutating func readTail(of file: PartFile, size: Int) throws(SessionError) {
    tailNotice = nil
    guard scanned < size else { return }
    let line = index.lineCount + 1
    let name = fileName(at: parts.end)
    let tail = try file.bytes(at: scanned, count: min(size - scanned, Self.longestTail))
    let text = tail.drop { $0 == 0 }
    let record = format == nil ? tail : tail.withUnsafeBufferPointer { Array($0.record) }
    if text.isEmpty {
      tailNotice = Notice(.zeroBytes(count: size - scanned), line: line, file: name)
    } else if record.isEmpty {
      return
    } else if text.count == tail.count, (try? Value(parsing: record)) != nil {
      addWholeTail(tail)
    } else {
      tailNotice = Notice(.tornTail(intactSteps: index.steps.count - 1), line: line, file: name)
    }
  }

  private mutating func addWholeTail(_ tail: [UInt8]) {
    let part = parts.part(holding: parts.end)
    beforeTail = (index, scanned)
    let text = tail[...(tail.lastIndex { $0 > 0x20 } ?? 0)]
    text.withUnsafeBufferPointer { bytes in
      let line = LineScanner.Line(offset: scanned, bytes: bytes, length: tail.count)
      if let format {
        index.addRecord(line, in: part, format)
      } else {
        index.add(line, in: part)
      }
    }
    scanned += tail.count
    parts.growLast(to: scanned)
  }

  private mutating func readRemarks(from first: Int) throws(SessionError) {
    for offset in index.facts.remarks.dropFirst(first).prefix(10_000) {
      switch try line(at: offset) {
      case .tape(let key) where !tape.contains(key): tape.append(key)
      case .end(let step, let time):
        (isFinished, toldEnd, endTime) = (true, max(toldEnd ?? 0, step), time)
      case .lost(let steps, let lines, let reason, let state):
        reportLoss(steps, lines, reason, at: offset)
        // A copy tells all steps of its file, a recorder those that it wrote.
        if state != nil || isCopy, let last = steps?.upperBound,
          index.makeAbsent(last, at: offset), state != nil
        {
          partStates[last] = offset
        }
      case nil: index.loseRemark(at: offset)
      default: break
      }
    }
  }

  private mutating func reportLoss(
    _ steps: ClosedRange<Int>?, _ lines: Int, _ reason: String, at offset: Int
  ) {
    if let steps {
      index.removeBegun(steps, before: offset)
      if !addToLastLoss(steps, reason) { report(.lostSteps(steps, because: reason), at: offset) }
    }
    guard lines > 0, notices.count < Self.listedLosses else { return }
    notices.append(notice(.lostLines(count: lines, because: reason), at: offset))
  }

  /// A full disk produces a loss for each step; merge them for people.
  private mutating func addToLastLoss(_ steps: ClosedRange<Int>, _ reason: String) -> Bool {
    guard let last = notices.indices.last,
      case .lostSteps(let before, reason) = notices[last].finding,
      before.upperBound + 1 == steps.lowerBound
    else { return false }
    notices[last].finding = .lostSteps(before.lowerBound...steps.upperBound, because: reason)
    return true
  }

  private static var listedLosses: Int { 1_000 }

  /// The first line of a really unknown kind names the notice; lines that only look like one are
  /// bad lines.
  private mutating func reportUnknownLines() {
    if unknownLine == nil, let first = index.facts.firstUnknownLine {
      let lines = index.others(from: max(first, unknownSearched), to: parts.end)
      for position in lines.prefix(Self.searchedUnknownLines) {
        let entry = OtherEntry(bits: index.others[position])
        unknownSearched = entry.offset + 1
        guard entry.kind == .unknown, isObject(at: entry.offset),
          case .unknown(let key)? = try? line(at: entry.offset)
        else { continue }
        unknownLine = (entry.offset, key)
        break
      }
    }
    notices.removeAll { if case .unknownLines = $0.finding { true } else { false } }
    guard let (offset, key) = unknownLine else { return }
    notices.append(notice(.unknownLines(count: index.facts.unknownLines, key: key), at: offset))
  }

  private static var searchedUnknownLines: Int { 1_000 }

  /// Whether an unknown line is a nonempty object that was not rejected before.
  private func isObject(at offset: Int) -> Bool {
    guard !index.hasSkipped(lineAt: offset) else { return false }
    return (try? parts.bytes(range(ofLineAt: offset)))?.first == UInt8(ascii: "{")
  }

  private mutating func reportUnfinishedStep() {
    notices.removeAll { if case .unfinishedStep = $0.finding { true } else { false } }
    let entry = index.entry(of: index.lastStep)
    guard entry.isBegun, case .begin(let step)? = try? line(at: entry.offset) else { return }
    notices.append(notice(.unfinishedStep(step.number, label: step.label), at: entry.offset))
  }
}

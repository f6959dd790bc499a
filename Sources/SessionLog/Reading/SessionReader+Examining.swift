import ValueTree

extension SessionReader {
  /// Reads every line, applies every patch, and compares every keyframe with what the patches give.
  /// What is wrong becomes a notice. `progress` gets the part that is done, from 0 to 1.
  public func examine(progress: (Double) throws -> Void = { _ in }) throws {
    let snapshot = snapshot
    let end = snapshot.parts.end
    var run = Examination(state: header.state)
    let start = snapshot.range(ofLineAt: 0).upperBound
    var failure: (any Error)?
    try LineWalk.walk(start..<end, in: snapshot.parts) { (offset, bytes) in
      if let finding = run.take(bytes) { update { $0.note(finding, at: offset) } }
      do {
        if run.lines.isMultiple(of: 1000) { try progress(Double(offset) / Double(max(1, end))) }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    try progress(1)
  }
}

/// One pass over the lines of a session.
private struct Examination {
  private(set) var lines = 0
  private var editor: ValueEditor?

  init(state: Value?) { editor = state.map(ValueEditor.init) }

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Notice.Finding? {
    lines += 1
    guard !bytes.isEmpty, !HeaderLine.isBegunBy(bytes.prefix(64)) else { return nil }
    do throws(LineFault) {
      guard case .step(let line) = try LogLine(value: Value(line: bytes)) else { return nil }
      return take(line)
    } catch {
      if LineHead(line: bytes).kind == .step { editor = nil }
      return .badLine(reason: error.reason)
    }
  }

  private mutating func take(_ line: StepLine) -> Notice.Finding? {
    var finding: Notice.Finding?
    if let patch = line.patch, let editor {
      do throws(PatchError) {
        try editor.apply(try Patch(patch))
      } catch {
        finding = .wrongPatch(step: line.step.number, reason: error.description)
        self.editor = nil
      }
    }
    guard let state = line.state else { return finding }
    if line.patch != nil, let editor, editor.value != state {
      finding = .patchesDisagree(step: line.step.number)
    }
    editor = ValueEditor(state)
    return finding
  }
}

import HostProtocol
import Platform
import SessionFile
import SessionWords
import ValueTree

/// Writes a branch as a session of its own: the steps that it shares from the recording, its own as
/// the host runs them, each with its standing.
///
/// The file appears under its name when it is whole, and not at all otherwise.
struct BranchExport {
  private let path: String
  private let temporaryPath: String
  private let writer: SessionWriter
  private(set) var state: Value?
  private(set) var lastStep: Int

  init(_ header: SessionHeader, to path: String) throws {
    guard access(path, F_OK) != 0 else { throw SessionError(.alreadyExists, path: path) }
    self.path = path
    temporaryPath = "\(path).\(getpid()).part"
    do throws(SessionError) {
      writer = try SessionWriter(path: temporaryPath, header: header)
    } catch {
      throw SessionError(error.problem, path: path)
    }
    state = header.state
    lastStep = header.firstStep
  }

  mutating func append(_ step: Step, state: Value?, events: [EffectEvent]) throws {
    try writer.append(step, state: state)
    for event in events { try writer.append(event) }
    if let state { self.state = state }
    lastStep = step.number
  }

  /// A step as a host told it.
  mutating func append(_ told: BranchStep) throws {
    var step = told.step
    step.standing = told.standing
    var after: Value?
    if let patch = told.patch, let state { after = try Patch(patch).applied(to: state) }
    try append(step, state: after, events: told.effects)
  }

  func keep(without redaction: Redaction) throws {
    try writer.finish()
    guard redaction.isEmpty else { return try keepTrimmed(without: redaction) }
    // Nothing that has the name by now is replaced.
    if link(temporaryPath, path) == 0 { return discard() }
    let code = errno
    guard code != EEXIST else { throw SessionError(.alreadyExists, path: path) }
    guard access(path, F_OK) != 0, rename(temporaryPath, path) == 0 else {
      throw SessionError(.system(errorText(code)), path: path)
    }
  }

  private func keepTrimmed(without redaction: Redaction) throws {
    let whole = try SessionReader(path: temporaryPath)
    var trimmer = SessionTrimmer(whole)
    trimmer.redaction = redaction
    try trimmer.trim(whole.steps, to: path)
    discard()
  }

  /// Leaves nothing behind.
  func discard() { unlink(temporaryPath) }
}

/// The reason why a session cannot be opened, read or written.
public struct SessionError: Explained, Hashable {
  /// The problem, for programs; ``what`` is for people.
  public var problem: Problem
  /// The file's path as given.
  public var path: String
  /// The line from 1, if one is to blame.
  public var line: Int?

  /// The problems that a session can have.
  public enum Problem: Sendable, Hashable {
    /// The file does not exist.
    case missing
    /// The path is a folder.
    case isFolder
    /// The file may not be read.
    case notPermitted
    /// The file is empty.
    case empty
    /// The file is something else.
    case notASession(found: String)
    /// The header is unusable.
    case badHeader(String)
    /// The format's major version is unknown.
    case tooNew(version: String)
    /// The step does not exist.
    case noStep(Int, available: ClosedRange<Int>)
    /// The step's state was not recorded.
    case stateNotStored(step: Int)
    /// A session cannot start after this step, because its state was not recorded; with the nearest
    /// recorded ones.
    case noStateToStartWith(step: Int, known: [Int])
    /// The recording lost the step's state.
    case stateLost(step: Int, because: String)
    /// The app stopped inside this step's reducer, so it has no state.
    case stepUnfinished(Int)
    /// The file was moved away.
    case movedAway
    /// The file was truncated or replaced while open.
    case changed
    /// A system call failed.
    case system(String)
    /// The new file's name is taken.
    case alreadyExists
    /// The name is taken by something that must not be touched.
    case isNoSession(String)
    /// A recorder is writing the file.
    case isBeingRecorded
    /// The file was damaged while being written.
    case harmed(FileHarm)
    /// Reading these lines takes more memory than this.
    case tooManyLines(String, megabytes: Int)
    /// The redaction is invalid.
    case badRedaction(String)
    case badPointer(String, right: String)
    /// These options would redact nothing.
    case nothingRedacted(by: [String])
    /// This process was forked from the one that writes the file.
    case isForked
    /// The session would overwrite itself.
    case isTheSession
    /// The caller has cancelled.
    case interrupted
    /// The sidecar is unusable.
    case badSidecar(String)
  }

  package init(_ problem: Problem, path: String, line: Int? = nil) {
    self.problem = problem
    self.path = path
    self.line = line
  }
}

/// Damage to a file being written.
public enum FileHarm: Sendable, Hashable {
  /// Its name is gone.
  case removed
  /// Another file has its name.
  case replaced
  /// Its end is missing.
  case shortened
}

extension SessionError {
  /// The problem in words.
  public var what: String {
    switch problem {
    case .missing: "there is no such file"
    case .isFolder: "this is a folder, not a session"
    case .notPermitted: "the file cannot be read: permission denied"
    case .empty: "the file is empty"
    case .notASession(let found): "this is not a session: \(found)"
    case .badHeader(let reason): "the header cannot be used: \(reason.clipped(to: 300))"
    case .tooNew(let version):
      "the session has format \(version.clipped()), this program reads format \(FormatVersion.current.major)"
    case .noStep(let number, let available):
      "there is no step \(number), the steps are \(available.lowerBound) to \(available.upperBound)"
    case .stateNotStored(let step): "the recording holds no state for step \(step)"
    case .noStateToStartWith(let step, _):
      "the new session would start at step \(step), which has no recorded state"
    case .stateLost(let step, let reason): "the state after step \(step) is lost: \(reason)"
    case .stepUnfinished(let step):
      "step \(step) began and never ended: the app stopped inside its reducer"
    case .movedAway: "the session was moved or removed while it was open"
    case .changed: "the file was shortened, overwritten or replaced while it was open"
    case .system(let message): message
    case .alreadyExists: "a file of this name exists"
    case .isNoSession(let found): "\(found) has this name, and is left as it is"
    case .isBeingRecorded: "an app is recording into this file"
    case .harmed(.removed): "the file was removed while it was written"
    case .harmed(.replaced): "another file took its place while it was written"
    case .harmed(.shortened): "the file was shortened while it was written"
    case .tooManyLines(let lines, let megabytes):
      "it has more \(lines) between its steps than \(megabytes) MB of memory hold"
    case .badRedaction(let reason): reason
    case .badPointer(let path, _): "“\(path)” is not a pointer to a place in the state"
    case .nothingRedacted(let options):
      "found nothing to redact for \(options.joined(separator: ", ")), so nothing was written"
    case .isForked: "this process was forked from the one that records"
    case .isTheSession: "this would overwrite the session itself"
    case .interrupted: "this was stopped"
    case .badSidecar(let reason): "the marks and forks cannot be used: \(reason)"
    }
  }

  /// The file and the line.
  public var place: String? { line.map { "\(path), line \($0)" } ?? path }

  /// Advice, if any.
  public var next: String? {
    switch problem {
    case .missing: "Check the name"
    case .isFolder: "Name a file in it"
    case .notPermitted: "Change its permissions or copy it"
    case .empty: "Nothing was recorded; check that the app called the recorder and finished it"
    case .notASession:
      "A session begins with a line like {\"retcon\":\"1.0\",…}; "
        + "exports of Redux DevTools and JSON Lines with `action`, `state` or `type` can be "
        + "opened too: see docs/imports.md"
    case .badHeader: "Repair the first line or record again"
    case .tooNew: "Update retcon"
    case .noStep: nil
    case .stateNotStored: "Attach a host: it computes the state from the actions"
    case .noStateToStartWith(_, let known):
      known.isEmpty
        ? nil
        : "Start with step \(known.map { "\($0 + 1)" }.joined(separator: " or ")): "
          + "the state before is recorded"
    case .stateLost: "Choose a step before the loss, or after the next whole state"
    case .stepUnfinished(let step): "Fork after step \(step - 1) to run it again"
    case .movedAway: "Open it under its new name"
    case .changed: "Open it again"
    case .system: nil
    case .alreadyExists: "Choose another name or remove it first"
    case .isNoSession: "Choose another name, or move what is there away"
    case .isBeingRecorded: "Write to another name, or wait until it has ended"
    case .harmed: "Find the program that did this"
    case .tooManyLines: "Keep fewer steps with retcon trim"
    case .badPointer(_, let right): "Write --redact \(right)"
    case .nothingRedacted:
      "Write each name as retcon state shows it, also _0; or add --redact-missing-ok"
    case .badRedaction: "Write --redact POINTER, --redact-key KEY or --redact-text PATTERN"
    case .isForked: "Make a recorder after the fork"
    case .isTheSession: "Write to another name"
    case .interrupted: nil
    case .badSidecar:
      "The session is unchanged. Mend this file, or Retcon renames it when you keep a mark or a fork"
    }
  }
}

/// An error in words: what happened, where, and what to do.
///
/// Every error that people may see has this shape; commands and panes show the ``sentence``.
public protocol Explained: Error, CustomStringConvertible {
  /// The event, without its place and without a full stop.
  var what: String { get }
  var place: String? { get }
  /// Advice as a sentence without a full stop, if any.
  var next: String? { get }
}

extension Explained {
  /// The whole in one line: `cart.retcon, line 12: the line is not JSON. Open a copy …`
  public var sentence: String {
    let start = place.map { "\($0): \(what)." } ?? "\(what)."
    return next.map { "\(start) \($0)" + ($0.hasSuffix("?") ? "" : ".") } ?? start
  }

  /// The ``sentence``, for printing the error.
  public var description: String { sentence }
}

extension String {
  /// The text without its middle, if too long. Counts scalars, because one character can have a
  /// thousand.
  package func clipped(to length: Int = 100) -> String {
    guard utf8.count > length, unicodeScalars.count > length else { return self }
    let scalars = unicodeScalars
    let rest = length / 4
    return String(scalars.prefix(length - rest - 1)) + "…" + String(scalars.suffix(rest))
  }
}

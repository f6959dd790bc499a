/// Why a session cannot be opened, read or written.
public struct SessionError: Explained, Hashable {
  /// What is the matter, for a program; ``what`` says it to people.
  public var problem: Problem
  /// The file, as it was asked for.
  public var path: String
  /// Counted from 1, where one line is to blame.
  public var line: Int?

  /// All that can be the matter with a session.
  public enum Problem: Sendable, Hashable {
    /// There is no file of this name.
    case missing
    /// The name is that of a folder.
    case isFolder
    /// The file may not be read.
    case notPermitted
    /// The file has no bytes.
    case empty
    /// Something else than a session; the text says what was found.
    case notASession(found: String)
    /// A header of this format that cannot be used.
    case badHeader(String)
    /// Written in a format whose major version this program does not know.
    case tooNew(version: String)
    /// A number that no step has.
    case noStep(Int, available: ClosedRange<Int>)
    /// The recording holds no state for this step.
    case stateNotStored(step: Int)
    /// A session is to start with the state after this step, which the recording does not hold; the nearest
    /// steps of which it holds one.
    case noStateToStartWith(step: Int, known: [Int])
    /// The recording lost the state of this step.
    case stateLost(step: Int, because: String)
    /// The app stopped inside the reducer of this step, so there is no state after it.
    case stepUnfinished(Int)
    /// There is no file of this name any more.
    case movedAway
    /// The file was truncated or replaced while it was open.
    case changed
    /// The system call that failed, in words.
    case system(String)
    /// Something has the name that a new file is to get.
    case alreadyExists
    /// What has the name is never touched: the text says what it is.
    case isNoSession(String)
    /// A recorder writes into it.
    case isBeingRecorded
    /// A file that is being written is not what was written any more.
    case harmed(FileHarm)
    /// What is to be taken out was written in a way that means nothing.
    case badRedaction(String)
    case badPointer(String, right: String)
    /// These options would have taken nothing out.
    case nothingRedacted(by: [String])
    /// This process was forked from the one that writes the file.
    case isForked
    /// The session would be written over itself.
    case isTheSession
    /// Nobody waits for it any more.
    case interrupted
    /// The marks and branches beside a session cannot be used.
    case badSidecar(String)
  }

  package init(_ problem: Problem, path: String, line: Int? = nil) {
    self.problem = problem
    self.path = path
    self.line = line
  }
}

/// What happened to a file while it was written.
public enum FileHarm: Sendable, Hashable {
  /// Nothing has its name any more.
  case removed
  /// Another file has its name.
  case replaced
  /// Its end is gone.
  case shortened
}

extension SessionError {
  /// What is the matter, in words.
  public var what: String {
    switch problem {
    case .missing: "there is no such file"
    case .isFolder: "this is a folder, not a session"
    case .notPermitted: "the file may not be read"
    case .empty: "the file is empty"
    case .notASession(let found): "this is no session: \(found)"
    case .badHeader(let reason): "the header cannot be used: \(reason.clipped(to: 300))"
    case .tooNew(let version):
      "the session has format \(version.clipped()), this program reads format \(FormatVersion.current.major)"
    case .noStep(let number, let available):
      "there is no step \(number), the steps are \(available.lowerBound) to \(available.upperBound)"
    case .stateNotStored(let step): "the recording holds no state for step \(step)"
    case .noStateToStartWith(let step, _):
      "the recording holds no state for step \(step), which the new session would start with"
    case .stateLost(let step, let reason): "the state after step \(step) is lost: \(reason)"
    case .stepUnfinished(let step):
      "step \(step) began and never ended: the app stopped inside its reducer"
    case .movedAway: "the session was moved or removed while it was open"
    case .changed: "the file was shortened or replaced while it was open"
    case .system(let message): message
    case .alreadyExists: "a file of this name exists"
    case .isNoSession(let found): "\(found) has this name, and is left as it is"
    case .isBeingRecorded: "an app is recording into this file"
    case .harmed(.removed): "the file was removed while it was written"
    case .harmed(.replaced): "another file took its place while it was written"
    case .harmed(.shortened): "the file was shortened while it was written"
    case .badRedaction(let reason): reason
    case .badPointer(let path, _): "“\(path)” is no pointer to a place in the state"
    case .nothingRedacted(let options):
      "nothing to take out was found for \(options.joined(separator: ", ")), so nothing was written"
    case .isForked: "this process was forked from the one that records"
    case .isTheSession: "this is the session itself, which would be gone"
    case .interrupted: "this was stopped"
    case .badSidecar(let reason): "these marks and branches cannot be used: \(reason)"
    }
  }

  /// The file, and the line where one is to blame.
  public var place: String? { line.map { "\(path), line \($0)" } ?? path }

  /// What to do about it; nil where nothing helps.
  public var next: String? {
    switch problem {
    case .missing: "Check the name"
    case .isFolder: "Name a file in it"
    case .notPermitted: "Change its permissions or copy it"
    case .empty: "Nothing was recorded; check that the app called the recorder and finished it"
    case .notASession:
      "A session begins with a line like {\"retcon\":\"1.0\",…}; "
        + "exports of Redux DevTools and JSON Lines of actions and states can be opened too"
    case .badHeader: "Repair the first line or record again"
    case .tooNew: "Update retcon"
    case .noStep: nil
    case .stateNotStored: "Attach a host: it computes the state from the actions"
    case .noStateToStartWith(_, let known):
      known.isEmpty
        ? nil
        : "Start with step \(known.map { "\($0 + 1)" }.joined(separator: " or ")): "
          + "the state before is recorded"
    case .stateLost: "Look at a step before the loss, or behind the next whole state"
    case .stepUnfinished(let step): "Fork after step \(step - 1) to run it again"
    case .movedAway: "Open it under its new name"
    case .changed: "Open it again"
    case .system: nil
    case .alreadyExists: "Choose another name or remove it first"
    case .isNoSession: "Choose another name, or move what is there away"
    case .isBeingRecorded: "Write to another name, or wait until it has ended"
    case .harmed: "Look for who did that"
    case .badPointer(_, let right): "Write --redact \(right)"
    case .nothingRedacted: "Check the spelling, or add --redact-missing-ok"
    case .badRedaction: "Write --redact POINTER, --redact-key KEY or --redact-text PATTERN"
    case .isForked: "Make a recorder after the fork"
    case .isTheSession: "Write to another name"
    case .interrupted: nil
    case .badSidecar:
      "The session itself is not touched; new marks are kept, and this file gets another name"
    }
  }
}

/// An error in words: what happened, where, and what to do next.
///
/// Every error of the libraries that a person may get to see has this shape; commands and panes
/// show the ``sentence``.
public protocol Explained: Error, CustomStringConvertible {
  /// What happened, without the place and without a full stop.
  var what: String { get }
  /// The file and the line, or nil when it has no place.
  var place: String? { get }
  /// What to do next, as a sentence without a full stop; nil when there is nothing to be done.
  var next: String? { get }
}

extension Explained {
  /// The whole, as one line: `cart.retcon, line 12: the line is not JSON. Open a copy …`
  public var sentence: String {
    let start = place.map { "\($0): \(what)." } ?? "\(what)."
    return next.map { "\(start) \($0)" + ($0.hasSuffix("?") ? "" : ".") } ?? start
  }

  /// The ``sentence``, so that printing the error is enough.
  public var description: String { sentence }
}

extension String {
  /// The text as a part of a sentence: what is longer than a name has any right to be loses its
  /// middle. Scalars are counted, because a thousand of them can pass for one character.
  package func clipped(to length: Int = 100) -> String {
    guard utf8.count > length, unicodeScalars.count > length else { return self }
    let scalars = unicodeScalars
    let rest = length / 4
    return String(scalars.prefix(length - rest - 1)) + "…" + String(scalars.suffix(rest))
  }
}

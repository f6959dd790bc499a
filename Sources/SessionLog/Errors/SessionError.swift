/// Why a session cannot be opened, read or written.
public struct SessionError: Explained, Hashable {
  public var problem: Problem
  public var path: String
  /// Counted from 1, where one line is to blame.
  public var line: Int?

  public enum Problem: Sendable, Hashable {
    case missing
    case isFolder
    case notPermitted
    case empty
    /// Something else than a session; the text says what was found.
    case notASession(found: String)
    /// A header of this format that cannot be used.
    case badHeader(String)
    /// Written in a format whose major version this program does not know.
    case tooNew(version: String)
    case noStep(Int, available: ClosedRange<Int>)
    /// The recording holds no state for this step.
    case stateNotStored(step: Int)
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
    case alreadyExists
    /// What has the name is never touched: the text says what it is.
    case isNoSession(String)
    /// A recorder writes into it.
    case isBeingRecorded
    /// A file that is being written is not what was written any more.
    case harmed(FileHarm)
    /// What is to be taken out was written in a way that means nothing.
    case badRedaction(String)
    /// This process was forked from the one that writes the file.
    case isForked
    /// The session would be written over itself.
    case isTheSession
    /// The marks and branches beside a session cannot be used.
    case badSidecar(String)
  }

  public init(_ problem: Problem, path: String, line: Int? = nil) {
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

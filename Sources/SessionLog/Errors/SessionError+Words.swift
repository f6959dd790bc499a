extension SessionError {
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
    case .isForked: "this process was forked from the one that records"
    case .isTheSession: "this is the session itself, which would be gone"
    case .badSidecar(let reason): "these marks and branches cannot be used: \(reason)"
    }
  }

  public var place: String? { line.map { "\(path), line \($0)" } ?? path }

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
    case .stateLost: "Look at a step before the loss, or behind the next whole state"
    case .stepUnfinished(let step): "Fork after step \(step - 1) to run it again"
    case .movedAway: "Open it under its new name"
    case .changed: "Open it again"
    case .system: nil
    case .alreadyExists: "Choose another name or remove it first"
    case .isNoSession: "Choose another name, or move what is there away"
    case .isBeingRecorded: "Write to another name, or wait until it has ended"
    case .harmed: "Look for who did that"
    case .badRedaction: "Write --redact POINTER, --redact-key KEY or --redact-text PATTERN"
    case .isForked: "Make a recorder after the fork"
    case .isTheSession: "Write to another name"
    case .badSidecar:
      "The session itself is not touched; new marks are kept, and this file is put aside"
    }
  }
}

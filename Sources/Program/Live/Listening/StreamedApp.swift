import SessionFile
import SessionWords
import Sockets
import ValueTree

/// A recorder of Retcon that sends the lines of its session: `StoreRecorder(to: .debugger)`, or the recorder in
/// JavaScript.
///
/// Its first message names the session. The answer `{"have":N}` says how many bytes of it are here, so a
/// lost connection loses nothing. Each message has whole lines, and is answered alike.
struct StreamedApp: ListenedApp {
  private let store: ListenedStore
  private let id: String
  private var key: String?
  private var isGreeted = false
  private var hasHeader = false

  init(_ store: ListenedStore) {
    self.store = store
    id = store.id("session")
  }

  mutating func hear(_ message: [UInt8], answer: Answer) throws {
    var have = 0
    if isGreeted {
      have = try add(message)
    } else {
      let hello = try? Value(parsing: message)
      guard hello?["retcon"] == "stream", let name = hello?["session"]?.string,
        (8...100).contains(name.utf8.count)
      else { throw ConnectionError("this recorder says no hello") }
      (key, isGreeted) = (name, true)
      if let known = store.recorder.rejoin(id, key: name) { (have, hasHeader) = (known, true) }
    }
    try answer(#"{"have":\#(have)}"#)
  }

  /// Adds whole lines, and returns how many bytes of the session are here.
  @discardableResult
  mutating func add(_ lines: [UInt8]) throws -> Int {
    guard lines.last == UInt8(ascii: "\n") else { throw ConnectionError("a line is cut off") }
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let value = try Value(parsing: line)
      if hasHeader { try add(value) } else { try begin(value) }
    }
    let have = store.recorder.with(id) { session throws(SessionError) -> Int in
      // The sender deletes what is acknowledged.
      try session.flush()
      session.received += lines.count
      return session.received
    }
    guard let have else { throw ConnectionError("the session cannot be written") }
    return have
  }

  private mutating func begin(_ value: Value) throws {
    guard let version = value["retcon"]?.string.flatMap({ FormatVersion($0) }),
      version.major == FormatVersion.current.major
    else { throw ConnectionError("this is no session that can be read") }
    let header = try SessionHeader(value, version: version)
    guard (0..<Self.mostSteps).contains(header.firstStep) else {
      throw ConnectionError("its first step is \(header.firstStep)")
    }
    store.recorder.start(id, header, key: key)
    hasHeader = true
  }

  private func add(_ value: Value) throws {
    let line = try LogLine(value)
    let isNext = store.recorder.with(id) { session throws(SessionError) -> Bool in
      let last = session.steps
      switch line {
      case .step(let step) where step.step.number != last + 1: return false
      case .lost(let steps?, _, _, _)
      where steps.lowerBound <= last || steps.upperBound > Self.mostSteps:
        return false
      default: break
      }
      try session.add(line)
      return true
    }
    if isNext == false { throw ConnectionError("a step does not follow the one before") }
  }

  private static let mostSteps = 1 << 40
}

import Platform
import SessionFile
import TestSupport
import Testing

@testable import SessionImports

extension TemporaryFolder {
  /// Opens a text as a session, as if it came in a file of this name.
  func open(_ text: String, as name: String) throws -> SessionReader {
    try SessionOpener.standard.open(try write(Array(text.utf8), to: name))
  }
}

/// The format, and the steps with their states.
func told(_ text: String, as name: String = "log.json") throws -> [String] {
  let fixture = try TemporaryFolder()
  let session = try fixture.open(text, as: name)
  #expect(!session.header.knowsCauses)
  return try [session.header.origin?.format ?? "?"]
    + session.steps.map { number in
      let step = try session.step(number)
      let state = (try? session.state(after: number))?.text() ?? "–"
      let time = step.time.map { " \($0 / .milliseconds(1)) ms" } ?? ""
      return "\(number) \(step.label)\(time) \(state)"
    }
}

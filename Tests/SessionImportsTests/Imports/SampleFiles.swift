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

/// The files that Redux DevTools wrote: `$RETCON_SAMPLES`, by default beside the package.
enum SampleFiles {
  /// Where they are not, their tests are skipped and say why; on a build server they fail.
  static let canBeTested = getenv("CI") != nil || access(path("redux-shop.lifted.json"), R_OK) == 0

  static let absence: Comment = """
    There is no \(path("redux-shop.lifted.json")). Set RETCON_SAMPLES to the folder with the files \
    that Redux DevTools wrote.
    """

  static func path(_ name: String) -> String {
    let here = realpath(#filePath, nil)
    defer { free(here) }
    let root = here.map { String(cString: $0) }?.split(separator: "/").dropLast(4)
      .joined(separator: "/")
    let folder =
      environmentVariable("RETCON_SAMPLES") ?? "/\(root ?? "")/../shared/samples"
    return "\(folder)/\(name)"
  }
}

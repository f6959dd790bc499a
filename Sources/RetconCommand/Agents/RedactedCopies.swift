import Platform
import SessionFile
import SessionWords

/// Sessions as an agent may see them: copies without what was to be taken out, for as long as it asks.
/// Forks run on them as well, so nothing of what is hidden comes back through the reducer.
final class RedactedCopies: Sendable {
  private let redaction: Redaction
  private let workshop: Workshop
  private let copies = Locked<[String: String]>([:])

  init(_ redaction: Redaction, in environment: [String: String]) {
    self.redaction = redaction
    workshop = Workshop(environment)
  }

  /// The copy of a file, made when it is asked about first.
  func path(of file: String) throws -> String {
    try copies.withLock { copies in
      if let known = copies[file] { return known }
      let reader = try SessionArgument(file: file).open()
      let path = try workshop.path(file.split(separator: "/").last.map(String.init) ?? "session")
      var trimmer = SessionTrimmer(reader)
      trimmer.redaction = redaction
      try trimmer.trim(reader.steps, to: path)
      copies[file] = path
      return path
    }
  }

  /// What is said of a copy is said of the file.
  func named(_ text: String) -> String {
    copies.withLock { $0.reduce(text) { $0.replacing($1.value, with: $1.key) } }
  }
}

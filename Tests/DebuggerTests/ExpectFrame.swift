import Platform
import Testing

/// Compares a screen with the text that it should be; the first line that is otherwise is named, and
/// the whole screen printed.
func expectFrame(
  _ frame: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard frame != expected else { return }
  let lines = frame.split(separator: "\n", omittingEmptySubsequences: false)
  let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let row = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }?.offset
  let place = "\(sourceLocation.fileName):\(sourceLocation.line)"
  print("\(place): the screen is\n\(frame)\n<end>")
  fflush(nil)
  Issue.record(
    "row \(row ?? min(lines.count, wanted.count)) is otherwise", sourceLocation: sourceLocation)
}

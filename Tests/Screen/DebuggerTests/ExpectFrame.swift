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
  Issue.record(
    "row \(row ?? min(lines.count, wanted.count)) is otherwise; the screen is\n\(frame)\n<end>",
    sourceLocation: sourceLocation)
}

/// Compares a text with a file beside the tests; `make frames` writes the files anew, for a person to
/// look at what has changed.
func expectFile(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
  let path = "/\(folder)/Frames/\(name)"
  if getenv("RETCON_WRITE_FRAMES") != nil, let file = fopen(path, "w") {
    fputs(text + "\n", file)
    fclose(file)
    return
  }
  var held: [UInt8] = []
  if let file = fopen(path, "r") {
    held = WholeTransfer.readAll(from: fileno(file)) ?? []
    fclose(file)
  }
  guard String(decoding: held, as: UTF8.self) != text + "\n" else { return }
  let wanted = String(decoding: held, as: UTF8.self).split(
    separator: "\n", omittingEmptySubsequences: false)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let line = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }
  let number = line.map { $0.offset } ?? min(lines.count, wanted.count)
  Issue.record(
    """
    Frames/\(name), line \(number + 1): make frames writes it anew
    held: \(line.map { String($0.element.1) } ?? "nothing more")
    now:  \(line.map { String($0.element.0) } ?? "nothing more")
    """, sourceLocation: sourceLocation)
}

/// A place in a session as it is written on a command line: `file`, `file@step` or
/// `file@branch/step`.
struct FilePosition: Sendable, Equatable {
  var file: String
  var branch = "main"
  var step: Int?

  init(file: String) { self.file = file }

  init(_ text: String) throws(UsageError) {
    guard let at = text.lastIndex(of: "@"), !text[text.index(after: at)...].contains(".") else {
      file = text
      return
    }
    file = String(text[..<at])
    var place = text[text.index(after: at)...]
    if let slash = place.lastIndex(of: "/") {
      branch = String(place[..<slash])
      place = place[place.index(after: slash)...]
    }
    guard let step = Int(place), step >= 0, !file.isEmpty, !branch.isEmpty else {
      throw UsageError(
        what: "\(text) is no position", next: "Write file@step or file@branch/step")
    }
    self.step = step
  }
}

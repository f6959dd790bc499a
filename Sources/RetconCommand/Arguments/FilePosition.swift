/// A place in a session as it is written on a command line: `file`, `file@step`, `file@branch` or
/// `file@branch/step`.
struct FilePosition: Sendable, Equatable {
  var file: String
  var branch = "main"
  var step: Int?

  init(file: String) { self.file = file }

  /// What is a file's whole name is that file; else the shortest place behind a file that is there.
  init(
    _ text: String, exists: (String) -> Bool = { FileSystem.exists($0) || $0 == "-" }
  ) throws(UsageError) {
    guard !exists(text) else {
      self.init(file: text)
      return
    }
    let ends = text.indices.filter { text[$0] == "@" }.reversed()
    if let at = ends.first(where: { exists(String(text[..<$0])) }) {
      try self.init(text, at: at)
    } else if let at = ends.first, !text[text.index(after: at)...].contains(".") {
      try self.init(text, at: at)
    } else {
      self.init(file: text)
    }
  }

  private init(_ text: String, at: String.Index) throws(UsageError) {
    file = String(text[..<at])
    var place = text[text.index(after: at)...]
    if let slash = place.lastIndex(of: "/") {
      branch = String(place[..<slash])
      place = place[place.index(after: slash)...]
    } else if Int(place) == nil, !place.isEmpty, !file.isEmpty {
      branch = String(place)
      return
    }
    guard let step = Int(place), step >= 0, !file.isEmpty, !branch.isEmpty else {
      throw UsageError(
        what: "\(text) is no position", next: "Write file@step, file@branch or file@branch/step")
    }
    self.step = step
  }
}

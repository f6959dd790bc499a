import Platform
import SessionFile
import SessionImports
import SessionWords
import TimeTravel
import ValueTree

/// A place in a session on a command line: `file`, `file@step`, `file@branch` or
/// `file@branch/step`.
struct FilePosition: Sendable, Equatable {
  var file: String
  /// Its name.
  var branch = BranchID.main.text
  var step: Int?

  var isOnMain: Bool { branch == BranchID.main.text }

  init(file: String) { self.file = file }

  /// Prefers an existing file with the whole name, else the existing file with the shortest place
  /// behind it.
  init(
    _ text: String, exists: (String) -> Bool = { FileSystem.exists($0) || $0 == "-" }
  ) throws(UsageError) {
    guard !text.isEmpty else {
      throw UsageError(what: "the name of the file is empty", next: "Name a session")
    }
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
        what: "\(text) is not a position", next: "Write file@step, file@branch or file@branch/step")
    }
    self.step = step
  }
}

/// A range of steps on a command line: `800..812`, `800-812`, `800..`, `..812`, `812`.
struct StepRange: Sendable, Equatable {
  var first: Int?
  var last: Int?

  init(_ text: String) throws(UsageError) {
    let isDotted = text.contains("..") || text.hasPrefix("-")
    let parts = text.split(separator: isDotted ? ".." : "-", omittingEmptySubsequences: false)
    let numbers = parts.map { Int($0) }
    let isNumber = zip(parts, numbers).allSatisfy { $0.isEmpty || ($1 ?? -1) >= 0 }
    switch parts.count {
    case 1 where isNumber && numbers[0] != nil: try self.init(numbers[0], numbers[0])
    case 2 where isNumber: try self.init(numbers[0], numbers[1])
    default:
      throw UsageError(
        what: "\(text) is not a range of steps", next: "Write 800..812, 800.. or ..812")
    }
  }

  init(_ first: Int?, _ last: Int?) throws(UsageError) {
    if let first, let last, first > last {
      throw UsageError(
        what: "\(first)..\(last) ends before it starts", next: "Write \(last)..\(first)")
    }
    (self.first, self.last) = (first, last)
  }
}

extension Pointer {
  /// A place of the state on a command line.
  init(typed text: String) throws(UsageError) {
    if let place = Condition.codePlace(text) {
      self = place
      return
    }
    guard let place = Pointer(place: text) else {
      throw text.hasPrefix("/")
        ? UsageError(what: "\(text) is not a pointer", next: "Write /cart/items/3, with ~1 for /")
        : UsageError(
          what: "\(text) is not a path in the state",
          next: "Write cart.items[3].title or /cart/items/3/title")
    }
    self = place
  }
}

struct SessionArgument: Sendable {
  var position: FilePosition

  init(_ given: ParsedArguments, command: String) throws {
    guard let file = given.positionals.first else {
      throw UsageError(what: "\(command) needs a file", next: "Write retcon \(command) FILE")
    }
    guard given.positionals.count == 1 else {
      throw UsageError(
        what: "\(command) takes one file, and there is also \(given.positionals[1])",
        next: "Quote names with spaces")
    }
    position = try FilePosition(file)
  }

  init(file: String) { position = FilePosition(file: file) }

  func open(progress: (Double) throws -> Void = { _ in }) throws -> SessionReader {
    let local = try LocalFile(position.file, in: currentEnvironment())
    defer { withExtendedLifetime(local) {} }
    return try local.read {
      try SessionOpener.standard.open($0, as: local.shownName, progress: progress)
    }
  }

  /// Fails for an unreadable file, before the terminal is taken over.
  func check() throws {
    guard FileSystem.exists(position.file) || position.file == LocalFile.standardInput else {
      throw SessionError(.missing, path: position.file)
    }
  }
}

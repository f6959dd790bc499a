import Platform
import SessionFile
import SessionWords

/// The command of a host: a program and its arguments, without a shell.
package struct HostCommand: Sendable, Hashable {
  /// A path, or a name to look up in `PATH`.
  package var program: String
  package var arguments: [String]
  /// Added to this process's environment for the host.
  package var environment: [String: String]
  /// It is one of Retcon's own, which only reduce.
  package var isThin = false

  package init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Splits a line that a user typed: words at spaces, `'…'` and `"…"` keep spaces, `\` takes the
  /// next character as it is. Nothing is expanded. Nil for a line without words or with an open
  /// quote.
  ///
  /// ```swift
  /// HostCommand(words: "node redux-host.mjs 'my reducer.mjs'")
  /// ```
  package init?(words line: String) {
    guard let words = ShellWord.words(in: line), let program = words.first else { return nil }
    self.init(program, Array(words.dropFirst()))
  }

  /// Advice for a line that needs a shell; nil if it does not.
  package static func shellHint(in line: String) -> String? {
    var quote: Character?
    var isEscaped = false
    var isStart = true
    var program = true
    let characters = Array(line)
    for (index, character) in characters.enumerated() {
      defer { isStart = character.isWhitespace && quote == nil }
      if isEscaped {
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if "|&;<>`".contains(character) || (isStart && character == "~") {
        let rest = characters[index...].prefix { $0 == character }
        return "“\(String(rest))” needs a shell, and none is started"
      } else if character == "$", index + 1 < characters.count,
        characters[index + 1] == "(" || characters[index + 1].isLetter
      {
        return "“$” needs a shell, and none is started"
      } else if character == "=", program {
        let name = characters[..<index]
        if !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
          return "“\(String(name))=…” needs a shell, and none is started"
        }
      } else if character.isWhitespace, index > 0 {
        program = false
      }
    }
    return nil
  }

  /// The missing interpreter of an existing script; nil if that is not the problem.
  var missingInterpreter: String? {
    guard program.contains("/"),
      let start = try? PartFile(path: program).bytes(at: 0, count: 256),
      start.starts(with: Array("#!".utf8))
    else { return nil }
    let line = start.dropFirst(2).prefix { $0 != 10 }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard let interpreter = words.first.map(String.init), access(interpreter, X_OK) != 0 else {
      return nil
    }
    return "the interpreter that its first line names, \(interpreter), is not there"
  }

  /// One line that ``init(words:)`` and a shell can read.
  package var text: String { ([program] + arguments).map(ShellWord.quoted).joined(separator: " ") }
}

/// The current files of a host: its program, arguments that are files, and what it has loaded. They
/// reveal a rebuild.
struct HostBuild: Hashable, Sendable {
  private var files: [String: FileStamp] = [:]

  init(_ command: HostCommand, _ loaded: [String]) {
    var paths = loaded + command.arguments.filter { $0.contains("/") || $0.contains(".") }
    if let program = programPath(command.program, in: environmentVariable("PATH")) {
      paths.append(program)
    }
    for path in paths { files[path] = Self.stamp(path) }
  }

  var stamps: [String: String] { files.mapValues { "\($0)" } }

  /// Whether all its files exist: linking removes a program for a moment.
  func isWhole(as other: HostBuild) -> Bool { other.files.keys.allSatisfy { files[$0] != nil } }

  private static func stamp(_ path: String) -> FileStamp? {
    fileStatus(of: path, following: true).flatMap { $0.isFile ? FileStamp($0) : nil }
  }
}

import Debugger
import HostProtocol
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

/// The user's settings from a file: keys, colours, and hosts by app name.
///
/// A line is a setting, split like a command line; `#` begins a comment. A wrong line is ignored
/// and reported.
struct Configuration: Sendable {
  private(set) var keys = UserKeys()
  private(set) var colors = ColorScheme.terminal
  private(set) var problems: [String] = []
  private(set) var keyLines = ""
  private(set) var redactedKeys: [String] = []
  private var hosts: [String: (command: HostCommand, line: Int)] = [:]
  private let name: String

  struct Setting: Sendable {
    var word: String
    var takes: String
    var words: String
    fileprivate var read: @Sendable (inout Configuration, Line) throws(Problem) -> Void
  }

  static let settings = [
    Setting(
      word: "colors", takes: ColorScheme.all.map(\.name).joined(separator: "|"),
      words: "the colours of the screen"
    ) { configuration, line throws(Problem) in
      let name = try line.only("one scheme name")
      guard let scheme = ColorScheme.all.first(where: { $0.name == name }) else {
        throw Problem("unknown colour scheme “\(name)”", near: name, ColorScheme.all.map(\.name))
      }
      configuration.colors = scheme
    },
    Setting(
      word: "color", takes: "NAME COLOR [bold]", words: "a colour for one of these"
    ) { configuration, line throws(Problem) in try configuration.setColor(line) },
    Setting(
      word: "key", takes: "KEY MEANING",
      words: "what a key does: what another key does, a `:command`, or `none`"
    ) { configuration, line throws(Problem) in
      guard let key = line.words.first, line.words.count > 1 else {
        throw Problem("key takes a key and what it does, as in key F2 f")
      }
      let meaning = Array(line.words.dropFirst())
      configuration.keyLines += line.text + "\n"
      do throws(UserKeys.Problem) {
        try configuration.keys.bind(key, to: meaning, line: line.number)
      } catch {
        throw Problem(error.words)
      }
    },
    Setting(
      word: "host", takes: "APP COMMAND", words: "the host of the sessions of an app"
    ) { configuration, line throws(Problem) in try configuration.setHost(line) },
    Setting(
      word: "redact-key", takes: "KEY…", words: "keys whose values a live recording never holds"
    ) { configuration, line throws(Problem) in
      guard !line.words.isEmpty else {
        throw Problem("redact-key takes keys, as in redact-key token")
      }
      configuration.redactedKeys += line.words
    },
  ]

  fileprivate struct Line {
    var number: Int
    var text: Substring
    var words: [String]

    func only(_ what: String) throws(Problem) -> String {
      guard let word = words.first, words.count == 1 else { throw Problem("expected \(what)") }
      return word
    }
  }

  fileprivate struct Problem: Error {
    var words: String

    init(_ words: String) { self.words = words }

    init(_ words: String, near word: String, _ known: [String]) {
      self.words =
        words
        + (suggestion(for: word, among: known).map { "; did you mean \($0)?" }
          ?? "; there are \(known.joined(separator: ", "))")
    }
  }

  static func path(in environment: [String: String]) -> String? {
    userFolder("XDG_CONFIG_HOME", ".config") { environment[$0] }.map { $0 + "/config" }
  }

  init(in environment: [String: String]) {
    let path = Self.path(in: environment)
    let home = environment["HOME"].map { $0 + "/" } ?? "/"
    let shown = path.map {
      $0.hasPrefix(home) && home != "/" ? "~/" + $0.dropFirst(home.count) : $0
    }
    guard let path, FileSystem.exists(path) else {
      self.init("", name: shown ?? "")
      return
    }
    do {
      self.init(try FileSystem.text(of: path, limit: 1 << 18), name: shown ?? path)
    } catch {
      self.init("", name: shown ?? path)
      problems = [sentence(for: error)]
    }
  }

  init(_ text: String, name: String) {
    self.name = name
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, text) in lines.enumerated() {
      let number = index + 1
      do throws(Problem) { try readSetting(text, number) } catch { report(error.words, of: number) }
    }
    for loss in keys.losses { report(loss.words, of: loss.line) }
  }

  init(keys: String, problems: [String]) {
    self.init(keys, name: "")
    self.problems = problems
  }

  private mutating func report(_ words: String, of line: Int) {
    problems.append("\(name), line \(line): \(words)")
  }

  private mutating func readSetting(_ text: Substring, _ number: Int) throws(Problem) {
    guard let first = text.first(where: { !$0.isWhitespace }), first != "#" else { return }
    guard let line = HostCommand(words: String(text)) else {
      throw Problem("a quote is open, or the line ends with \\")
    }
    guard let setting = Self.settings.first(where: { $0.word == line.program }) else {
      throw Problem(
        "there is no setting “\(line.program)”", near: line.program, Self.settings.map { $0.word })
    }
    try setting.read(&self, Line(number: number, text: text, words: line.arguments))
  }

  private mutating func setColor(_ line: Line) throws(Problem) {
    guard line.words.count > 1 else {
      throw Problem("color takes one of its names and a colour, as in color red 124 bold")
    }
    let roles = ColorScheme.ColorRole.allCases.map(\.rawValue)
    guard let role = ColorScheme.ColorRole(rawValue: line.words[0]) else {
      throw Problem("“\(line.words[0])” is not a colour name here", near: line.words[0], roles)
    }
    guard let color = Color(named: line.words[1]) else {
      throw Problem(
        "“\(line.words[1])” is not a colour: write a number up to 255, or a name",
        near: line.words[1],
        Color.allNames)
    }
    var style = Style(foreground: color)
    for word in line.words.dropFirst(2) {
      guard let known = Style.Attributes.byName.first(where: { $0.name == word }) else {
        throw Problem("unknown style “\(word)”", near: word, Style.Attributes.byName.map(\.name))
      }
      style = style.adding(known.attribute)
    }
    colors[role] = style
  }

  private mutating func setHost(_ line: Line) throws(Problem) {
    guard let app = line.words.first, line.words.count > 1 else {
      throw Problem("host takes the name of an app and a command, as in host Cart /opt/CartHost")
    }
    if let other = hosts[app] {
      throw Problem("“\(app)” has a host in line \(other.line) already")
    }
    if let hint = HostCommand.shellHint(in: String(line.text)) { throw Problem(hint) }
    hosts[app] = (HostCommand(line.words[1], Array(line.words.dropFirst(2))), line.number)
  }

  /// The user's host command for the app that a session claims to be of, and where it is set. A
  /// session can choose among these commands, but cannot write or change one.
  func host(ofSessionAt path: String) -> (command: HostCommand, because: String)? {
    guard !hosts.isEmpty, let app = SessionHeader.read(at: path, upTo: 1 << 22)?.app?.name,
      let host = hosts[app]
    else { return nil }
    return (
      host.command, "\(host.command.text) runs: line \(host.line) of \(name) names it for “\(app)”"
    )
  }

  /// The reason a host runs that the command line does not name.
  func words(for host: HostConnection?, ofSessionAt path: String) -> String? {
    guard let found = self.host(ofSessionAt: path), found.command.text == host?.command.text else {
      return nil
    }
    return found.because
  }
}

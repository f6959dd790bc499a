/// A block of Swift in a comment, and how it becomes code that stands by itself.
struct Example {
  private let file: String
  /// Of its first line.
  private let line: Int
  private var lines: [String] = []

  /// The parts of an example are in a type of their own, so that two may declare the same name.
  /// Extensions of outer types are at the top of the file.
  private enum Kind {
    case top, types, tests, body, reducer, effect, change, statements

    init(_ line: String, besideExtensions: Bool) {
      func begins(_ words: String...) -> Bool { words.contains { line.hasPrefix($0) } }
      self =
        switch true {
        case begins("extension "): .top
        case begins("struct ", "enum ", "@DependencyClient"): besideExtensions ? .top : .types
        case begins("@Reducer", "@CasePaths", "@Suite"): .types
        case begins("@Test"): .tests
        case begins("var body"): .body
        case begins("Reduce "): .reducer
        case begins("return "): .effect
        case begins("$0."): .change
        default: .statements
        }
    }

    /// The code before and after such a part.
    var frame: (String, String) {
      switch self {
      case .top, .types: ("", "")
      case .tests: ("struct Tests {", "}")
      case .body:
        ("struct App: Reducer { typealias State = AppState; typealias Action = AppAction", "}")
      case .reducer: ("struct App: Reducer { var body: some Reducer<AppState, AppAction> {", "} }")
      case .effect: ("static func effect() -> Effect<Action> {", "}")
      case .change: ("static let change: @Sendable (inout DependencyValues) -> Void = {", "}")
      case .statements: ("static func run() async throws {", "}")
      }
    }
  }

  static func all(in text: String, of file: String) -> [Example] {
    var examples: [Example] = []
    var current: Example?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let comment = line.drop { $0 == " " }
      let words = comment.dropFirst(comment.hasPrefix("/// ") ? 4 : 3)
      if !comment.hasPrefix("///") {
        current = nil
      } else if words == "```swift" {
        current = Example(file: file, line: index + 2)
      } else if words == "```" {
        if let current { examples.append(current) }
        current = nil
      } else {
        current?.lines.append(String(words))
      }
    }
    return examples
  }

  var code: String {
    var parts: [(kind: Kind, line: Int, lines: [String])] = []
    let besideExtensions = lines.contains { $0.hasPrefix("extension ") }
    var isFresh = true
    for (index, line) in lines.enumerated() {
      // All is imported, nothing is started, and no type is another module's.
      let line =
        line.hasPrefix("import ")
        ? "" : line.replacing("@main ", with: "").replacing("@retroactive ", with: "")
      if isFresh, let first = line.first, !" })".contains(first) {
        let kind = Kind(line, besideExtensions: besideExtensions)
        if kind != .statements || parts.last?.kind != .statements {
          parts.append((kind, index, []))
        }
      }
      isFresh = line.isEmpty
      if !parts.isEmpty { parts[parts.count - 1].lines.append(line) }
    }
    let pieces = parts.map { kind, index, lines in
      let (open, close) = kind.frame
      let code = """
        #sourceLocation(file: "\(file)", line: \(line + index - 1))
        \(open)
        \(lines.joined(separator: "\n"))
        \(close)
        #sourceLocation()
        """
      return (isOutside: kind == .top, code: code)
    }
    let name = file.filter { $0.isLetter } + "\(line)"
    let outside = pieces.filter(\.isOutside).map(\.code)
    let inside = pieces.filter { !$0.isOutside }.map(\.code)
    return
      (outside + ["extension In\(file.split(separator: "/")[2]) { enum \(name) {"] + inside
      + ["} }"]).joined(separator: "\n")
  }
}

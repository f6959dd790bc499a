struct Options {
  var topic: String?
  var row: String?
  var jsonPath: String?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--topic": topic = try Options.value(of: word, &rest)
      case "--row": row = try Options.value(of: word, &rest)
      case "--json": jsonPath = try Options.value(of: word, &rest)
      default:
        throw OptionError(
          text: "there is no option \(word); there are --topic NAME, --row TEXT, --json FILE")
      }
    }
  }

  func wants(topic name: String) -> Bool {
    topic.map { name.lowercased() == $0.lowercased() } ?? true
  }

  func wants(row name: String, in topic: String) -> Bool {
    row.map { name.lowercased().contains($0.lowercased()) } ?? true
  }

  private static func value(of word: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw OptionError(text: "\(word) needs a value") }
    return value
  }
}

struct OptionError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

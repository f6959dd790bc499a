struct Options {
  var topic: String?
  var row: String?
  var jsonPath: String?

  init(_ arguments: [String]) throws {
    let options = ["--topic": \Options.topic, "--row": \.row, "--json": \.jsonPath]
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let option = options[word] else {
        throw OptionError(
          text: "there is no option \(word); there are --topic NAME, --row TEXT, --json FILE")
      }
      guard let value = rest.popFirst() else { throw OptionError(text: "\(word) needs a value") }
      self[keyPath: option] = value
    }
  }

  func wants(topic name: String) -> Bool {
    topic.map { name.lowercased() == $0.lowercased() } ?? true
  }

  func wants(row name: String) -> Bool {
    row.map { name.lowercased().contains($0.lowercased()) } ?? true
  }
}

struct OptionError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

import ValueTree

/// Opens files of Redux DevTools: an app's export, a lifted state, or a list of actions.
///
/// It keeps what the extension itself loses on import: skipped actions, times, errors, and the
/// author's position.
package struct ReduxImporter: SessionImporter {
  package let format = "Redux DevTools"

  package init() {}

  package func recognizes(_ start: [UInt8]) -> Bool {
    let text = UnescapedText.start(of: start) ?? start
    switch FileStart(text) {
    case .object:
      let known: Set<String> = [
        "payload", "preloadedState", "actionsById", "computedStates", "stagedActionIds",
        "nextActionId", "monitorState",
      ]
      return RecordStart(text).names.first.map(known.contains) == true || Self.isReport(start)
    case .array(let first): return first == UInt8(ascii: "{") || first == UInt8(ascii: "]")
    case .other: return false
    }
  }

  /// Whether an object is the extension's report to a server: an export with extra members in any
  /// order.
  static func isReport(_ start: [UInt8]) -> Bool {
    let members = Set(RecordStart(start).names)
    guard members.isDisjoint(with: ["actionsById", "preloadedState"]) else { return true }
    guard members.isSuperset(of: ["payload", "title"]) else { return false }
    let text = String(decoding: start, as: UTF8.self).replacing(" ", with: "")
    return text.contains(#""payload":"["#) || text.contains(#""payload":"{"#)
  }

  package func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws {
    let file = try FileBytes(path: path)
    let name = path.split(separator: "/").last.map(String.init)
    var cursor = JSONCursor(file)
    // An export wrapped in a string again.
    let isText = try cursor.peek() == UInt8(ascii: "\"")
    let text = isText ? try UnescapedText.file(of: cursor.valueRange(), in: file) : file
    try convert(text, JavaScriptDocument(text), named: name, into: session, progress: progress)
  }

  private func convert(
    _ file: FileBytes, _ document: JavaScriptDocument, named name: String?, into session: String,
    progress: (Double) throws -> Void
  ) throws {
    var cursor = JSONCursor(file)
    guard try cursor.peek() == UInt8(ascii: "{") else {
      return try ReduxActions(document: document, list: 0..<file.count, preloadedState: nil)
        .write(into: session, named: name, progress: progress)
    }
    let members = try file.members(at: 0)
    let texts = try ["actionsById", "computedStates"].filter { key in
      try members[key].map { try file.byte(at: $0.lowerBound) == UInt8(ascii: "\"") } ?? false
    }
    guard texts.isEmpty else {
      let plain = try UnescapedText.file(of: members, texts: Set(texts), in: file)
      return try convert(
        plain, JavaScriptDocument(plain), named: name, into: session, progress: progress)
    }
    if members["actionsById"] != nil {
      return try ReduxLifted(document: document, members: members)
        .write(into: session, named: name, progress: progress)
    }
    guard let payload = members["payload"] else { throw unknown(file, members.keys.sorted()) }
    var text = file
    var start = payload.lowerBound
    if try file.byte(at: payload.lowerBound) == UInt8(ascii: "\"") {
      text = try UnescapedText.file(of: payload, in: file)
      start = 0
    }
    var inner = JSONCursor(text, at: start)
    guard try inner.peek() != UInt8(ascii: "{") else {
      let document = try JavaScriptDocument(text, at: inner.offset)
      return try ReduxLifted(document: document, members: text.members(at: inner.offset))
        .write(into: session, named: name, progress: progress)
    }
    let preloaded = try members["preloadedState"].map { range in
      try document.textualValue(range)
    }
    try ReduxActions(
      document: JavaScriptDocument(text, at: inner.offset), list: inner.offset..<text.count,
      preloadedState: preloaded
    )
    .write(into: session, named: name, progress: progress)
  }

  private func unknown(_ file: FileBytes, _ keys: [String]) -> ImportError {
    ImportError(
      what: "expected an export of Redux DevTools with \"payload\" or \"actionsById\", found the "
        + "keys " + keys.prefix(8).map { "\"\($0)\"" }.joined(separator: ", "),
      place: file.path, next: "Export the session again with \"Export\" in Redux DevTools")
  }
}

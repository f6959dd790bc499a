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

  package func source(_ path: String) throws -> InPlaceFile {
    let file = try FileBytes(path: path)
    var cursor = JSONCursor(file)
    // An export wrapped in a string again.
    let isText = try cursor.peek() == UInt8(ascii: "\"")
    let indexer = try ReduxIndexer(
      isText ? UnescapedText.file(of: cursor.valueRange(), in: file) : file)
    return try InPlaceFile(
      path, indexer.file, isCopy: indexer.file !== file, ReduxLines(of: indexer), indexer)
  }
}

import SessionFile
import ValueTree

/// Opens files of Redux DevTools: an app's export, a lifted state, or a list of actions.
///
/// It keeps what the extension itself loses on import: skipped actions, times, errors, and the
/// author's position.
struct ReduxImporter: SessionImporter {
  func recognizes(_ start: [UInt8]) -> Bool {
    let text = UnescapedText.start(of: start) ?? start
    let head = text.head
    switch head.first {
    case UInt8(ascii: "{"):
      let known: Set<String> = [
        "payload", "preloadedState", "actionsById", "computedStates", "stagedActionIds",
        "nextActionId", "monitorState",
      ]
      let members = RecordStart(text)
      return members.names.first.map(known.contains) == true || members.isReport
    case UInt8(ascii: "["):
      return head.last == UInt8(ascii: "{") || head.last == UInt8(ascii: "]")
        || RecordStart(text).names.contains("type")
    default: return false
    }
  }

  func source(_ path: String) throws -> (file: PartFile, format: any LineFormat) {
    let indexer = try ReduxIndexer(FileBytes(path: path))
    let document = Document(indexer.file.descriptor, indexer)
    return (try PartFile(path: path, document: document), try ReduxLines(of: indexer))
  }
}

import SessionLog
import TimeTravel
import ValueTree

extension ForkForm {
  /// What the form describes, or nil after noting what is wrong with it.
  mutating func wantedChange() -> BranchChange? {
    problem = nil
    switch change {
    case .skip: return .skip
    case .insert: return parsedText().map { .insert($0) }
    case .replace: return parsedText().map { .replace($0) }
    case .answer: return wantedAnswer()
    case .set:
      guard let path else { return nil }
      return parsedText().map { .set(pointer: path.pointer.description, value: $0) }
    case .read:
      guard reads.indices.contains(read) else { return nil }
      let key = reads[read].key
      let index = reads[..<read].count { $0.key == key }
      return parsedText().map {
        .read(key: key, index: index, outcome: givesError ? .failure($0) : .value($0))
      }
    }
  }

  private mutating func wantedAnswer() -> BranchChange? {
    guard let effect = chosenEffect else {
      problem = "no effect is in flight here"
      return nil
    }
    switch answer {
    case .emit:
      return parsedText().map { .answer(effect: effect.number, outcome: .emit(action: $0)) }
    case .finish: return .answer(effect: effect.number, outcome: .finish)
    case .fail: return .answer(effect: effect.number, outcome: .fail(message: text.text))
    case .cancel: return .answer(effect: effect.number, outcome: .cancel)
    }
  }

  /// Whether the text is JSON.
  var isJSON: Bool { change != .skip && !(change == .answer && answer != .emit) }

  /// Takes over what comes back from an editor: on one line where it is as it should be, else as it
  /// is, with what is wrong.
  mutating func take(edited: String) {
    var edited = edited
    while edited.last?.isNewline == true { edited.removeLast() }
    text.replace(with: edited)
    field = .text
    problem = nil
    if isJSON, let value = parsedText() { text.replace(with: value.text()) }
  }

  private mutating func parsedText() -> Value? {
    field = .text
    guard !text.text.isEmpty else {
      problem =
        change == .set || change == .read
        ? "no value yet: type it as JSON" : "no action yet: pick one above, or type it as JSON"
      return nil
    }
    do {
      return try Value(parsing: text.text)
    } catch {
      let line = text.characters.contains(where: \.isNewline) ? "line \(error.line), " : ""
      problem = "\(line)column \(error.column): \(error.what)"
      text.place(line: error.line, column: error.column)
      return nil
    }
  }
}

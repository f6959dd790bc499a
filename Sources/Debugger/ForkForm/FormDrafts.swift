import SessionWords
import ValueTree

/// An answer and an error have separate texts, so that text typed for one does not silently become
/// the other.
extension ForkForm {
  enum TextKind: Sendable, Hashable { case action, message, value, error }

  struct Draft: Sendable, Hashable {
    var text: LineEditor
    var isTyped: Bool
  }

  /// Nil without a text, or if it belongs to another change.
  private var textKind: TextKind? {
    switch change {
    case .read: givesError ? .error : .value
    case .answer:
      switch answer {
      case .emit, .last: .action
      case .fail: .message
      case .reply: .value
      case .refusal: .error
      case .finish, .cancel, .live: nil
      }
    case .insert, .replace, .skip, .set: nil
    }
  }

  mutating func choose(_ answer: Answer) { changeText { $0.answer = answer } }

  mutating func toggleError() { changeText { $0.givesError.toggle() } }

  private mutating func changeText(_ change: (inout Self) -> Void) {
    let before = textKind
    if let before { drafts[before] = Draft(text: text, isTyped: isTextTyped) }
    change(&self)
    guard let kind = textKind, kind != before else { return }
    if let draft = drafts[kind] {
      (text, isTextTyped) = (draft.text, draft.isTyped)
    } else {
      isTextTyped = false
      put(recordedText(of: kind))
    }
  }

  private func recordedText(of kind: TextKind) -> String {
    if change == .read, reads.indices.contains(read) {
      let outcome = reads[read].outcome
      return outcome.isError == givesError ? outcome.content.text() : ""
    }
    return offers.first { $0.kind == kind }?.text ?? ""
  }
}

extension Offer {
  fileprivate var kind: ForkForm.TextKind? {
    switch content {
    case .outcome(.emit): .action
    case .outcome(.fail): .message
    case .outcome(.finish), .outcome(.cancel): nil
    case .reply(let outcome): outcome.isError ? .error : .value
    }
  }

  var text: String? {
    switch content {
    case .outcome(.emit(let action)): action.text()
    case .outcome(.fail(let message)): message
    case .outcome(.finish), .outcome(.cancel): nil
    case .reply(let outcome): outcome.content.text()
    }
  }
}

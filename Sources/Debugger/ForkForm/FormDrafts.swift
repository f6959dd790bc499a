import SessionWords
import ValueTree

/// An answer and an error have separate texts, so that text typed for one does not silently become
/// the other.
extension ForkForm {
  enum TextKind: String, Sendable, Hashable {
    case action, message, error
    case value = "answer"
  }

  struct Draft: Sendable, Hashable {
    var text: LineEditor
    var isTyped: Bool
  }

  /// Nil without a text, or if it belongs to another change.
  private var textKind: TextKind? {
    switch change {
    case .read: givesError ? .error : .value
    case .answer: answer.textKind
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
    return offers.first { $0.answer.textKind == kind }?.text ?? ""
  }
}

extension ForkForm.Answer {
  /// Nil for an answer without a text.
  var textKind: ForkForm.TextKind? {
    switch self {
    case .emit, .last: .action
    case .fail: .message
    case .reply: .value
    case .refusal: .error
    case .finish, .cancel, .live: nil
    }
  }
}

extension Offer {
  var answer: ForkForm.Answer {
    switch content {
    case .outcome(.emit): .emit
    case .outcome(.finish): .finish
    case .outcome(.cancel): .cancel
    case .outcome(.fail): .fail
    case .reply(let outcome): outcome.isError ? .refusal : .reply
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

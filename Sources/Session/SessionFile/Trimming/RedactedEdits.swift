import SessionWords
import ValueTree

extension Redactor {
  /// An edit of a fork without secrets, as the lines that it makes.
  package func edit(_ edit: Edit) -> Edit {
    guard !redaction.isEmpty else { return edit }
    switch edit {
    case .skip, .move: return edit
    case .replace(let step, let action):
      return .replace(step: step, action: value(action, .action))
    case .insert(let after, let action):
      return .insert(after: after, action: value(action, .action))
    case .read(let step, let key, let index, let outcome):
      let read = read(Read(key: key, outcome: outcome))
      return .read(step: step, key: read.key, index: index, outcome: read.outcome)
    case .set(let step, let place, let value):
      return .set(step: step, pointer: pointer(place), value: part(value, at: place))
    case .reply(let reply):
      let question = reply.question
      let read = read(
        Read(key: question.key, arguments: question.arguments, outcome: reply.outcome))
      return .reply(
        Reply(
          to: Question(read.key, read.arguments, at: question.time), read.outcome, took: reply.took)
      )
    case .answer(var answer):
      switch answer.outcome {
      case .emit(let action): answer.outcome = .emit(action: value(action, .action))
      case .fail(let message): answer.outcome = .fail(message: text(message, .message))
      case .finish, .cancel: break
      }
      if let reads = answer.live?.reads { answer.live?.reads = reads.map { read($0) } }
      return .answer(answer)
    }
  }
}

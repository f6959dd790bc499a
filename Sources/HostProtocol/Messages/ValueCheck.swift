import SessionWords
import ValueTree

/// A value that somebody has typed: whether the types of the app can hold it. It is decoded, and nothing
/// runs.
package enum ValueCheck: Sendable, Hashable {
  case action(Value)
  /// A part of the state after a step of a branch.
  case part(Pointer, Value, step: Int, of: BranchPath)
}

extension HostConnection {
  package func verdict(on check: ValueCheck) async throws -> ValueVerdict {
    guard let talk = try await checking() else { return .unknown }
    let answer = try await ask(.check(check), talk)
    guard case .checked(let problem) = answer else { throw unexpected(answer) }
    return problem.map { .problem($0) } ?? .fine
  }

  /// An action of each kind that the app has, whether anybody recorded it or not.
  package func exampleActions() async throws -> [Value] {
    guard let talk = try await checking() else { return [] }
    let answer = try await ask(.actions, talk)
    guard case .actions(let actions) = answer else { throw unexpected(answer) }
    return actions
  }

  private func checking() async throws -> HostTalk? {
    let talk = try await loaded()
    return state.withLock { $0.greeting?.checks == true } ? talk : nil
  }
}

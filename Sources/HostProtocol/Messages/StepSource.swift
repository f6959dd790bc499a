/// Steps as source for a test: what a host, which knows the app's types, writes of values.
package struct StepSource: Sendable, Hashable {
  /// The expression that makes the reducer, as far as it can be told: `Cart()`.
  package var reducer: String
  /// What the source needs to import.
  package var modules: [String]
  /// The state before the first step, as an expression.
  package var state: String
  package var steps: [Step]

  package struct Step: Sendable, Hashable {
    package var number: Int
    /// The action as an expression.
    package var action: String
    /// Statements that make the state after it of the one before, which is called `$0`.
    package var changes: [String]

    package init(number: Int, action: String, changes: [String]) {
      self.number = number
      self.action = action
      self.changes = changes
    }
  }

  package init(reducer: String, modules: [String], state: String, steps: [Step]) {
    self.reducer = reducer
    self.modules = modules
    self.state = state
    self.steps = steps
  }
}

extension HostConnection {
  /// Steps of a branch as source for a test.
  package func source(_ request: SourceRequest) async throws(HostFailure) -> StepSource {
    let answer = try await ask(.source(request), loaded())
    guard case .source(let source) = answer else { throw unexpected(answer) }
    return source
  }
}

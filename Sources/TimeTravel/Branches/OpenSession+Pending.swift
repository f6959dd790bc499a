import HostProtocol
import SessionWords

extension OpenSession {
  /// The effects in flight after a step, with the answers that were recorded for them or for others
  /// of their kind. The host finds them: it runs the branch as far as there.
  package func pendingEffects(at position: Position) async throws -> [PendingEffect] {
    guard let host else {
      throw Trouble("the answers that were recorded are found by a host", next: Trouble.attachHint)
    }
    return try await host.run(ending(at: position), from: position.step + 1) { _ in }.pending
  }

  /// What the service gives that an effect in flight waits for: asked once, for real, with all that this
  /// does in the world. Only when the user asks for it, twice.
  package func askLive(
    _ question: Question, of effect: Int, at position: Position
  ) async throws -> Reply {
    guard let host else {
      throw Trouble("only a host can ask \(question.text)", next: Trouble.attachHint)
    }
    let run = try await host.runLive(
      LiveRequest(branch: ending(at: position), effect: effect, question: question))
    guard let read = run.reads.first else {
      throw Trouble(
        "\(question.text) gave no answer within \(run.duration.decimalSeconds) s",
        next: "Ask it again, or type an answer")
    }
    return Reply(to: question, read.outcome, took: run.duration)
  }

  /// The branch as far as a step.
  private func ending(at position: Position) -> BranchPath {
    var path = table.withLock { $0.path(to: position.branch) }
    let ending = Script(parent: position.branch, leavesAt: position.step, rest: .nothing)
    path.branches.append(NamedScript(name: "pending", script: ending))
    return path
  }

  /// What was answered to a question of this key wherever somebody asked, the last answers first, each once.
  package func replies(to key: String) throws -> [RecordedReply] {
    var known: Set<Read.Outcome> = []
    var replies: [RecordedReply] = []
    for effect in try recording.effects(in: summary.steps).suffix(5_000).reversed() {
      for read in try recording.reads(ofEffect: effect.number).reversed()
      where read.key == key && !read.isCancelled && known.insert(read.outcome).inserted {
        replies.append(RecordedReply(step: effect.origin.step, outcome: read.outcome))
      }
      if replies.count > 40 { break }
    }
    return replies
  }
}

/// What was recorded as the answer to a question of an effect.
package struct RecordedReply: Sendable, Hashable {
  /// The step that started the effect.
  package var step: Int
  package var outcome: Read.Outcome

  package init(step: Int, outcome: Read.Outcome) {
    self.step = step
    self.outcome = outcome
  }
}

import Recorder
import SessionWords
import StoreCore
import ValueTree

/// A reducer in this process: the store's own machine with its codec.
package typealias LocalMachine<State: Codable & Sendable, Action: Codable & Sendable> =
  StoreMachine<State, Action>

extension StoreMachine: Machine where State: Codable, Action: Codable {
  package func state(_ encoder: IncrementalEncoder?) throws -> Value {
    try encoder?.encode(state) ?? ValueEncoder().encode(state)
  }

  package var holdsReferences: Bool { ReferenceSearch.findsReference(in: state) }

  package mutating func put(_ state: Value) throws {
    self.state = try ValueDecoder().decode(State.self, from: state)
  }

  package mutating func pass(to state: Value?) throws {
    pass(state: try state.map { try ValueDecoder().decode(State.self, from: $0) } ?? self.state)
  }

  package mutating func reduce(_ step: MachineStep) throws -> StepOutcome {
    keepsEffects = step.keepsEffects
    // A setup makes its machines and their actions.
    let action = unsafeDowncast(step.action, to: LocalAction<Action>.self).action
    reduce(action, cause: .user, root: step.root)
    return StepOutcome()
  }
}

extension StoreMachine where Action: Codable {
  package var sent: [SentAction] { waitingOutputs.compactMap(SentAction.init) }
  package mutating func removeSent(at place: Int) -> SentAction? {
    let output = place == 0 ? takeOutput() : removeOutput(at: waitingOutputs.startIndex + place)
    return output.flatMap(SentAction.init)
  }

  package mutating func takeEffects() -> [EffectChange] {
    takeChanges().map { change in
      switch change {
      case .started(let effect, let run): .started((effect, run))
      case .cancelled(let effect): .cancelled(effect)
      }
    }
  }

  package func root(ofEffect number: Int) -> Int? { ledger.root(ofEffect: number) }
  package var hasOpenWindows: Bool { ledger.hasOpenWindows }
  package func newestEffects() -> [StartedEffect] { newestRuns().map { ($0.effect, $0.run) } }
}

package final class LocalAction<Action: Codable & Sendable>: MachineAction {
  package let action: Action
  private let known: Value?

  /// `known` is its value, if it came as one.
  package init(_ action: Action, known: Value? = nil) {
    (self.action, self.known) = (action, known)
  }

  package var label: String { actionLabel(action) }
  package func value() throws -> Value { try known ?? ValueEncoder().encode(action) }
}

extension SentAction {
  fileprivate init?<State, Action: Codable>(_ output: StoreMachine<State, Action>.Output) {
    guard case .output(let sender) = output.cause else { return nil }
    self.init(action: LocalAction(output.action), sender: sender, root: output.root)
  }
}

extension EffectRun: EffectBody where Action: Codable {
  package var foreign: (any ForeignRun)? { site.inputs?.base as? any ForeignRun }

  package func asksTheSame(as other: any EffectBody) -> Bool {
    (other as? Self).map(isSame) ?? false
  }

  package func perform(
    _ send: @escaping @Sendable (any MachineAction) -> Void
  ) async -> LiveRun.End {
    let isForeign = foreign != nil
    let deliver: @Sendable (Action) -> Void = { send(LocalAction($0)) }
    let send = Send<Action>(deliver)
    return await dependencies.run { () async -> LiveRun.End in
      do {
        guard isForeign else {
          try await body(send)
          return .finished
        }
        let deliver: @Sendable (Any) -> Void = { action in
          if let action = action as? Action { deliver(action) }
        }
        try await ForeignBody.$deliver.withValue(deliver) { try await body(send) }
        return .finished
      } catch is CancellationError {
        return .finished
      } catch {
        guard let handler else { return .failed(message: "\(error)") }
        await handler(error, send)
        return .finished
      }
    }
  }
}

import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Effects of a step that does not run again: the recording has their cancel ids as texts alone.
@Suite struct UnseenCancelTests {
  private struct App: Reducer {
    struct State: Codable, Hashable, Sendable { var log: [String] = [] }

    enum Action: Codable, Hashable, Sendable {
      case wait(ID)
      case stop(ID)
      /// Cancels when a pause is over.
      case stopLater(ID)
      case note(String)
    }

    enum ID: Codable, Hashable, Sendable {
      case one, two
      case many(Set<Int>)
    }

    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .wait(let id):
        return .run(name: "wait") { [clock] send in
          try await clock.sleep(for: .seconds(2))
          await send(.note("waited"))
        }
        .cancellable(id: id)
      case .stop(let id): return .cancel(id: id)
      case .stopLater(let id):
        return .concatenate(
          .run(name: "later") { [clock] _ in try await clock.sleep(for: .seconds(1)) },
          .cancel(id: id))
      case .note(let text): state.log.append(text)
      }
      return .none
    }
  }

  private static let doubt =
    "effect 1 “wait” of step 1 was started by a step that is not run again: it may or may not be "
    + "cancelled here"

  /// A fork in which another action comes before a note; the wait's action does not decode.
  private func fork(
    waiting id: App.ID, _ inserted: App.Action
  ) async throws -> (lines: [String], doubts: [String]) {
    let (session, _, file) = try await record(
      App(), from: App.State(),
      [
        .send(.wait(id)), .wait(.milliseconds(500)), .send(.note("a")), .wait(.seconds(3)),
        .send(.note("b")),
      ])
    defer { withExtendedLifetime(file) {} }
    let upgrade = SessionUpgrade(action: { action, _ in
      guard action["wait"] == nil else { throw ReplayError.cancelled }
      return action
    })
    var setup = ReplaySetup(App(), upgrade: upgrade)
    setup.runsEffectsOnTape = true
    let replay = try SessionReplay(session, setup)
    var lines: [String] = []
    let edit = Edit.insert(after: 1, action: try .encoding(inserted))
    let report = try replay.run([Script(leavesAt: 1, edits: [edit])]) { lines.append($0.line) }
    return (lines, report.assumptions.map(\.sentence))
  }

  @Test("endings/unseen-cancel: an id that no changed step cancels leaves the effect known")
  func otherID() async throws {
    for inserted in [App.Action.note("x"), .stop(.two), .stopLater(.two)] {
      let fork = try await fork(waiting: .one, inserted)
      #expect(fork.lines.dropFirst().allSatisfy { $0.contains(" recorded/") }, "\(fork.lines)")
      #expect(fork.lines.contains { $0.contains("note ⚡1") }, "\(fork.lines)")
      #expect(fork.doubts == [])
    }
  }

  @Test("endings/unseen-cancel: a changed step cancels an effect by its recorded id")
  func sameID() async throws {
    for inserted in [App.Action.stop(.one), .stopLater(.one)] {
      let fork = try await fork(waiting: .one, inserted)
      #expect(fork.lines.dropFirst().allSatisfy { $0.contains(" recorded/") }, "\(fork.lines)")
      #expect(!fork.lines.contains { $0.contains("⚡1") }, "\(fork.lines)")
      #expect(fork.doubts == [])
    }
  }

  @Test("endings/unseen-cancel: an id whose text can differ leaves a doubt, and says why")
  func unknownID() async throws {
    for (id, inserted) in [(App.ID.many([1, 2]), App.ID.many([2, 1])), (.one, .many([1]))] {
      let fork = try await fork(waiting: id, .stop(inserted))
      #expect(fork.lines.contains { $0.contains("note ⚡1") && $0.contains(" open/") })
      #expect(fork.doubts == [Self.doubt])
    }
  }
}

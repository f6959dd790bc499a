import Platform
import Recorder
import SessionFile
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Where the states of a playback come from.
@Suite struct PlaybackStateTests {
  private let screen = Screen()

  /// A shop that counts how often it reduced.
  private struct CountingShop: Reducer {
    typealias State = Shop.State
    typealias Action = Shop.Action

    let count: ReplayTestLock<Int>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      count.withLock { $0 += 1 }
      return Shop().reduce(into: &state, action: action)
    }
  }

  /// 1,500 steps; every fifteenth sends two more at once.
  private static let long: [Doing<Shop.Action>] = (0..<1_300).map { number in
    .send(number.isMultiple(of: 13) ? .announce : .add(number))
  }

  @Test("without recorded states any step can be shown, in a turn too, with a bounded re-run")
  func withoutStates() async throws {
    let shop = try await RecordedShop(Self.long, RecordingWays(states: .first))
    let count = ReplayTestLock(0)
    let setup = ReplaySetup(CountingShop(count: count)) { RecordedShop.tapes(&$0, Tape()) }
    let playback = try screen.playback(of: shop, setup)
    #expect(playback.steps == 0...1_500)
    try await playback.playAtOnce()
    #expect(screen.states == shop.states)
    var random = SeededRandomNumberGenerator(seed: 5)
    var most = 0
    for _ in 0..<300 {
      count.withLock { $0 = 0 }
      if Bool.random(using: &random) {
        try await playback.step(by: Int.random(in: -2...2, using: &random))
      } else {
        try await playback.seek(to: Int.random(in: 0...1_500, using: &random))
      }
      let shown = await playback.currentStep
      #expect(screen.states.last == shop.states[shown], "step \(shown)")
      most = max(most, count.withLock { $0 })
    }
    #expect(most <= 256, "a step took \(most) runs of the reducer")
  }

  @Test("recorded states are shown without running the reducer, whatever it does today")
  func recorded() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.announce), .send(.add(2))])
    let count = ReplayTestLock(0)
    let playback = try screen.playback(
      of: shop, ReplaySetup(CountingShop(count: count)) { RecordedShop.tapes(&$0, Tape()) })
    try await playback.playAtOnce()
    try await playback.step(by: -3)
    #expect(screen.states == shop.states + [shop.states[2]])
    #expect(count.withLock { $0 } == 0)
  }

  @Test("where only every seventh state is recorded the others are computed")
  func fewStates() async throws {
    let shop = try await RecordedShop(Array(Self.long.prefix(60)), RecordingWays(states: .every(7)))
    let playback = try screen.playback(of: shop)
    try await playback.playAtOnce()
    for _ in shop.states.dropLast() { try await playback.step(by: -1) }
    #expect(screen.states == shop.states + shop.states.dropLast().reversed())
  }

  @Test("a torn session is played up to where it is torn")
  func torn() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let file = TemporaryFile()
    try shop.file.copy(to: file.path, upTo: #"{"step":3,"t"#)
    let session = try SessionReader(path: file.path)
    #expect(session.notices.count == 1)
    #expect(session.steps == 0...2)
    let screen = screen
    let playback = try Playback(of: session, with: RecordedShop.setup) { frame in
      screen.frames.withLock { $0.append(frame) }
    }
    try await playback.playAtOnce()
    #expect(screen.states.map(\.total) == [0, 1, 3])
  }

  /// Types of an app that cannot `rate` any more.
  private struct Newer: Reducer {
    enum Action: Codable, Hashable, Sendable { case add(Int) }

    func reduce(into state: inout Shop.State, action: Action) -> Effect<Action> {
      guard case .add(let number) = action else { return .none }
      state.total += number
      return .none
    }
  }

  private static let old: [Doing<Shop.Action>] = [
    .send(.add(1)), .send(.rate), .send(.add(2)), .send(.add(3)),
  ]

  @Test("an action that does not decode is shown by its recorded state")
  func undecodableAction() async throws {
    let shop = try await RecordedShop(Self.old)
    let totals = ReplayTestLock<[Int]>([])
    let playback = try Playback(of: shop.session, with: ReplaySetup(Newer())) { frame in
      totals.withLock { $0.append(frame.state.total) }
    }
    try await playback.playAtOnce()
    #expect(totals.withLock { $0 } == [0, 1, 4, 6, 9])
  }

  @Test("an action that does not decode and has no state stops the playback with its step")
  func undecodableWithoutState() async throws {
    let shop = try await RecordedShop(Self.old, RecordingWays(states: .first))
    let totals = ReplayTestLock<[Int]>([])
    let playback = try Playback(of: shop.session, with: ReplaySetup(Newer())) { frame in
      totals.withLock { $0.append(frame.state.total) }
    }
    let error = await #expect(throws: ReplayError.self) { try await playback.playAtOnce() }
    guard case .actionDoesNotDecode(step: 2, _)? = error else {
      Issue.record("it stopped with \(String(describing: error))")
      return
    }
    #expect(await playback.currentStep == 1)
    #expect(await !playback.isPlaying)
    try await playback.step(by: -1)
    #expect(totals.withLock { $0 } == [0, 1, 0])
  }
}

extension TemporaryFile {
  /// A copy that ends in the middle of a line.
  func copy(to other: String, upTo text: String) throws {
    let source = try #require(fopen(path, "r"))
    let target = try #require(fopen(other, "w"))
    defer {
      fclose(source)
      fclose(target)
    }
    let sought = Array(text.utf8)
    var bytes: [UInt8] = []
    while !bytes.reversed().starts(with: sought.reversed()) {
      let byte = fgetc(source)
      try #require(byte != EOF)
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    #expect(fwrite(bytes, 1, bytes.count, target) == bytes.count)
  }
}

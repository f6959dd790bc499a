import StoreCore
import Testing
import ValueTree

@testable import Replay

/// The steps and states that a playback showed.
struct Screen {
  let frames = ReplayTestLock<[Playback<Shop.State, Shop.Action>.Frame]>([])

  var steps: [Int] { frames.withLock { $0.map(\.step.number) } }
  var states: [Shop.State] { frames.withLock { $0.map(\.state) } }

  func playback(
    of shop: RecordedShop, _ setup: ReplaySetup<Shop.State, Shop.Action> = RecordedShop.setup,
    _ clock: any Clock<Duration> = ManualClock()
  ) throws -> Playback<Shop.State, Shop.Action> {
    try Playback(of: shop.session, with: setup, clock: clock) { frame in
      frames.withLock { $0.append(frame) }
    }
  }
}

@Suite struct PlaybackTests {
  private let clock = ManualClock()
  private let screen = Screen()

  /// Steps 1 and 2 at 0 s, 3 at 2 s, 4 at 12 s.
  private func playback() async throws -> Playback<Shop.State, Shop.Action> {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.add(1)), .wait(.seconds(2)), .send(.add(1)), .wait(.seconds(10)),
      .send(.add(1)),
    ])
    return try screen.playback(of: shop, RecordedShop.setup, clock)
  }

  @Test("at recorded speed each step is shown at its time, and not before")
  func recordedSpeed() async throws {
    let playback = try await playback()
    #expect(screen.steps == [0])
    let playing = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(2))
    #expect(screen.steps == [0, 1, 2])
    #expect(await playback.isPlaying)
    clock.advance(to: .milliseconds(1_999))
    #expect(await clock.sleeper() == .seconds(2))
    clock.advance(to: .seconds(2))
    #expect(await clock.sleeper() == .seconds(12))
    #expect(screen.steps == [0, 1, 2, 3])
    clock.advance(to: .seconds(12))
    try await playing.value
    #expect(screen.steps == [0, 1, 2, 3, 4])
    #expect(screen.states.map(\.total) == [0, 1, 2, 3, 4])
    #expect(await !playback.isPlaying)
    #expect(clock.sleepCount == 2)
  }

  @Test("n times faster, n times slower, and with long pauses cut")
  func faster() async throws {
    let playback = try await playback()
    let fast = Task { try await playback.play(speed: 4, longestPause: .seconds(4)) }
    #expect(await clock.sleeper() == .milliseconds(500))
    clock.advance(to: .milliseconds(500))
    #expect(await clock.sleeper() == .milliseconds(1_500))
    clock.advance(to: .milliseconds(1_500))
    try await fast.value
    try await playback.seek(to: 0)
    let slow = Task { try await playback.play(speed: 0.25) }
    #expect(await clock.sleeper() == .milliseconds(9_500))
    await playback.pause()
    try await slow.value
  }

  @Test("a step that comes late is made up for, and a clock that slept for long does not rush")
  func late() async throws {
    let playback = try await playback()
    let playing = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(2))
    clock.advance(to: .milliseconds(2_300))
    #expect(await clock.sleeper() == .seconds(12))
    await playback.pause()
    try await playing.value
    try await playback.seek(to: 2)
    let again = Task { try await playback.play() }
    #expect(await clock.sleeper() == .milliseconds(4_300))
    clock.advance(to: .seconds(100))
    #expect(await clock.sleeper() == .milliseconds(109_500))
    await playback.pause()
    try await again.value
  }

  @Test("a pause in the middle ends the playing at once, and playing goes on from there")
  func pause() async throws {
    let playback = try await playback()
    let playing = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(2))
    clock.advance(to: .seconds(1))
    await playback.pause()
    // The clock does not move: the caller of `play` does not wait for the step that will not be
    // shown.
    try await playing.value
    #expect(await !playback.isPlaying)
    clock.advance(to: .seconds(60))
    #expect(screen.steps == [0, 1, 2])
    let again = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(62))
    clock.advance(to: .seconds(62))
    #expect(await clock.sleeper() == .seconds(72))
    clock.advance(to: .seconds(72))
    try await again.value
    #expect(screen.steps == [0, 1, 2, 3, 4])
  }

  @Test("a cancelled task stops playing where it is")
  func cancellation() async throws {
    let playback = try await playback()
    let playing = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(2))
    playing.cancel()
    try await playing.value
    #expect(screen.steps == [0, 1, 2])
    #expect(await playback.currentStep == 2)
    #expect(await !playback.isPlaying)
  }

  @Test("who plays, steps or seeks takes over from who was playing")
  func takingOver() async throws {
    let playback = try await playback()
    let first = Task { try await playback.play() }
    #expect(await clock.sleeper() == .seconds(2))
    try await playback.step()
    try await first.value
    let second = Task { try await playback.play(speed: 2) }
    #expect(await clock.sleeper() == .seconds(5))
    let third = Task { try await playback.play() }
    try await second.value
    #expect(await clock.sleeper() == .seconds(10))
    #expect(await playback.isPlaying)
    clock.advance(to: .seconds(10))
    try await third.value
    #expect(screen.steps == [0, 1, 2, 3, 4])
  }

  @Test("steps and jumps stay inside the session, however far they want to go")
  func jumps() async throws {
    let playback = try await playback()
    try await playback.step()
    try await playback.step(by: 2)
    try await playback.step(by: -1)
    try await playback.seek(to: 400)
    try await playback.step(by: .max)
    try await playback.step(by: .min)
    try await playback.seek(to: -5)
    try await playback.seek(to: 3)
    try await playback.step(by: .max)
    #expect(screen.steps == [0, 1, 3, 2, 4, 4, 0, 0, 3, 4])
    #expect(screen.states.map(\.total) == [0, 1, 3, 2, 4, 4, 0, 0, 3, 4])
    #expect(await playback.currentStep == 4)
  }

  @Test("no speed stops the program: what is none is an error, what is next to none waits for long")
  func speeds() async throws {
    let playback = try await playback()
    for speed in [0, -1, -Double.infinity, .nan] {
      let error = await #expect(throws: ReplayError.self) { try await playback.play(speed: speed) }
      #expect(error?.what == "nothing can be played at \(speed) times its speed")
    }
    #expect(screen.steps == [0])
    let slow = Task { try await playback.play(speed: .leastNonzeroMagnitude) }
    #expect(await clock.sleeper() == PlaybackPace.longestWait)
    await playback.pause()
    try await slow.value
    for speed in [Double.greatestFiniteMagnitude, .infinity] {
      try await playback.seek(to: 0)
      try await playback.play(speed: speed, longestPause: .seconds(Int64.max))
    }
    try await playback.seek(to: 0)
    try await playback.play(longestPause: .seconds(-1))
    #expect(screen.steps == [0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
    #expect(clock.sleepCount == 1)
  }

  @Test("a session of nothing but its start is over at once")
  func empty() async throws {
    let playback = try screen.playback(of: try await RecordedShop([]))
    try await playback.play()
    try await playback.playAtOnce()
    try await playback.step()
    try await playback.step(by: -1)
    #expect(screen.steps == [0, 0, 0])
    #expect(playback.steps == 0...0)
  }
}

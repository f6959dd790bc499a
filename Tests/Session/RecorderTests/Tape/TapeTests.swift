import Platform
import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("The tape") struct TapeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Failure: Error, Codable, Hashable { var code = 7 }

  private func reads(
    _ work: (Tape, SessionRecorder<Int, String>) async throws -> Void
  ) async throws -> SessionReader {
    var options = RecordingOptions()
    options.clock = { .zero }
    let recorder = SessionRecorder<Int, String>(to: folder("t.retcon"), options: options)
    recorder.start(with: 0)
    try await work(recorder.tape, recorder)
    recorder.finish()
    return try SessionReader(path: folder("t.retcon"))
  }

  @Test("Reads in a step belong to the step, in order, several of a key too")
  func stepReads() async throws {
    let session = try await reads { tape, recorder in
      let dice = tape.closure("dice") { (sides: Int) -> Int in sides }
      let pair = tape.closure("pair") { () -> [String] in ["a", "b"] }
      recorder.step("rolled") { dice(6) + dice(20) + pair().count }
    }
    #expect(session.tape == ["dice", "pair"])
    #expect(
      try session.step(1).reads == [
        Read(key: "dice", arguments: [6], value: 6),
        Read(key: "dice", arguments: [20], value: 20),
        Read(key: "pair", value: ["a", "b"]),
      ])
    #expect(try session.outsideReads(in: 0...1) == [])
  }

  @Test("Reads in an effect belong to it, those of nobody are listed apart")
  func outsideReads() async throws {
    let session = try await reads { tape, recorder in
      let fetch = tape.closure("fetch") { (page: Int, name: String) async throws -> String in
        guard page > 0 else { throw Failure() }
        return "\(name) \(page)"
      }
      recorder.step("tapped") { 1 }
      await recorder.effect(3) {
        _ = try? await fetch(1, "tea")
        async let child = fetch(2, "milk")
        _ = try? await child
        _ = try? await fetch(0, "none")
        _ = await Task.detached { try? await fetch(9, "detached") }.value
      }
      _ = try? await fetch(10, "outside")
    }
    #expect(
      try session.outsideReads(in: 0...1).map {
        "\($0.effect.map(String.init) ?? "nobody") \(Self.plain($0.read.outcome))"
      } == [
        "3 value(\"tea 1\")", "3 value(\"milk 2\")", "3 failure({\"code\":7})",
        "nobody value(\"detached 9\")", "nobody value(\"outside 10\")",
      ])
  }

  @Test("A read inside a dependency on tape is not recorded again")
  func nestedReads() async throws {
    let session = try await reads { tape, recorder in
      let inner = tape.closure("inner") { () -> Int in 2 }
      let outer = tape.closure("outer") { () -> Int in inner() * 2 }
      recorder.step("a") { outer() }
    }
    #expect(try session.step(1).reads == [Read(key: "outer", value: 4)])
  }

  @Test("A task that a reducer left behind reads for nobody")
  func lateReads() async throws {
    let session = try await reads { tape, recorder in
      let gate = Gate()
      let late = Locked<Task<Void, Never>?>(nil)
      recorder.step("a") {
        late.withLock {
          $0 = Task {
            gate.wait()
            _ = tape.value("late") { 1 }
          }
        }
        return 1
      }
      gate.open()
      await late.withLock { $0 }?.value
    }
    #expect(try session.step(1).reads == [])
    #expect(try session.outsideReads(in: 0...1).map(\.effect) == [nil])
  }

  @Test("Elements of a stream are reads, and its end and its error too")
  func streams() async throws {
    let session = try await reads { tape, recorder in
      let numbers = tape.stream("numbers") { (count: Int) in
        AsyncThrowingStream<Int, any Error> { continuation in
          for number in 0..<count { continuation.yield(number) }
          continuation.finish(throwing: Failure())
        }
      }
      recorder.step("a") { 1 }
      await recorder.effect(1) {
        var sum = 0
        do { for try await number in numbers(3) { sum += number } } catch { sum += 100 }
        #expect(sum == 103)
      }
    }
    #expect(
      try session.outsideReads(in: 0...1).map { Self.plain($0.read.outcome) } == [
        .value([0]), .value([1]), .value([2]), .failure(["code": 7]),
      ])
  }

  /// An error as it encodes, without its type.
  private static func plain(_ outcome: Read.Outcome) -> Read.Outcome {
    guard case .failure(let error) = outcome, let value = error["value"] else { return outcome }
    return .failure(value)
  }

  @Test("An error that can be encoded is thrown again as what it was, whatever a closure may throw")
  func wholeErrors() async throws {
    let error = TapedError.value(of: Failure(code: 9))
    #expect(error["type"] == "RecorderTests.TapeTests.Failure")
    #expect(TapedError.isWhole(error) && !TapedError.isWhole(["type": "X", "description": "gone"]))
    await TapeContext.with(Playback([.failure(error)])) {
      _ = await #expect(throws: Failure(code: 9)) {
        try await Tape().closure("c") { () async throws -> Int in fatalError("asked") }()
      }
    }
  }

  /// Gives recorded outcomes back, as a replay does.
  final class Playback: TapeSource {
    private let outcomes: Locked<[Read.Outcome]>
    let log = Told()

    init(_ outcomes: [Read.Outcome]) { self.outcomes = Locked(outcomes) }

    func answer(to question: TapeQuestion) -> TapeAnswer {
      outcomes.withLock { $0.isEmpty ? .assumed(Self.substitutes) : .recorded($0.removeFirst()) }
    }

    func record(_ read: @escaping PendingRead, askedAt: Duration?) {
      let read = read()
      log.add("kept \(read.key) \(read.outcome)")
    }

    func refuse(
      _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
    ) -> TapeAnswer {
      log.add("refused \(outcome)")
      return .assumed(Self.substitutes)
    }

    static let substitutes = TapeSubstitutes(
      random: { 5 }, secondsSince1970: { 0 }, count: { 1 })
  }

  @Test("In a replay the recorded values come back, errors by their type, and live is not asked")
  func replays() async throws {
    let playback = Playback([
      .value(4), .failure(["code": 9]), .failure(["type": "X", "description": "gone"]),
      .value([1]), .failure("end"),
    ])
    let tape = Tape()
    await TapeContext.with(playback) {
      #expect(tape.value("a") { () -> Int in fatalError("asked") } == 4)
      #expect(throws: Failure(code: 9)) {
        try tape.value("b") { () throws(Failure) -> Int in fatalError("asked") }
      }
      let error = await #expect(throws: TapedError.self) {
        try await tape.closure("c") { () async throws -> Int in fatalError("asked") }()
      }
      #expect(error?.description == "gone")
    }
    #expect(playback.log.all == [])
  }

  @Test("A value that does not decode is refused; without an answer a substitute is kept")
  func substitutes() {
    let playback = Playback([.value("text")])
    TapeContext.with(playback) {
      #expect(Tape().value("a", substitute: { Int($0.random()) }) { 1 } == 5)
      #expect(Tape().value("b", substitute: { Int($0.count()) }) { 1 } == 1)
      #expect(Tape().value("c") { 8 } == 8)
    }
    #expect(
      playback.log.all == [
        "refused value(\"text\")", "kept a value(5)", "kept b value(1)", "kept c value(8)",
      ])
  }
}

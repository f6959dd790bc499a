import Platform
import Recorder
import SessionWords
import StoreCore
import Synchronization
import ValueTree

@testable import Replay

/// The origin of a question: the user's move at its root, and the effect in between, if there is
/// one.
struct Origin: Hashable, Sendable, CustomStringConvertible {
  @TaskLocal static var current = Origin(move: 0)

  var move: Int
  /// `0 fetch 1`: which of the steps of its origin started it, its name and its place among those of
  /// this step; behind it, what it emitted started. Empty in the user's own steps.
  var effect = ""

  init(move: Int) { self.move = move }

  /// Of an effect that this step started.
  init(_ effect: StoreEffect, of place: Place?) {
    let place = place ?? Place(origin: .current, number: 0)
    move = place.origin.move
    self.effect =
      "\(place.origin.effect) \(place.number) \(effect.name ?? "pause") \(effect.ordinal)"
  }

  var description: String { effect.isEmpty ? "move \(move)" : "“\(effect)” of move \(move)" }
}

/// A step by what it is, whatever its number: the n-th that came from somewhere.
struct Place: Hashable, Sendable {
  var origin: Origin
  var number: Int
}

/// A read inside a step: the n-th of a key.
struct ReadPlace: Hashable, Sendable {
  var place: Place
  var key: String
  var number: Int
}

/// The values that the dependencies of a run give. Services are functions of the seed, the key and
/// the arguments: the same question gets the same answer, after the same time. Random numbers and
/// ids are a function of the step that draws them, and dates are functions of the time.
///
/// `@unchecked Sendable`: what changes is touched only while the lock is held.
final class World: @unchecked Sendable {
  let seed: UInt64
  /// Reads that are to give something else.
  private let otherReads: [ReadPlace: UInt64]
  private let lock = Lock()
  private var reduced: [Origin: Int] = [:]
  private var place: Place?
  private var reads: [String: Int] = [:]
  private var running: [Origin: RunningEffect] = [:]
  private var stopped: Set<Origin> = []
  private var failureCount = 0
  let clock = TestClock()
  private let mix: Mix

  init(seed: UInt64, _ mix: Mix = .hard, otherReads: [ReadPlace: UInt64] = [:]) {
    self.seed = seed
    self.mix = mix
    self.otherReads = otherReads
  }

  /// How often a service threw.
  var failures: Int { lock.withLock { failureCount } }

  /// Some number that depends on these words and nothing else.
  private func number(_ words: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    for word in words {
      for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    var random = SeededRandomNumberGenerator(seed: hash)
    return random.next()
  }

  /// A service's answer: it takes its time, fails now and then, and sometimes never comes.
  func service(
    _ key: String, _ argument: String
  ) -> (took: Duration, result: Result<UInt64, WorldError>) {
    let words = [key, argument]
    let kind = number(words + ["kind"]) % 20
    let delay = number(words + ["delay"]) % mix.slowestService
    let microseconds = kind == 0 ? 0 : Int64(delay)
    let failure = WorldError(description: "no \(key) for \(argument)")
    return (
      kind == 1 ? .seconds(3_600) : .microseconds(microseconds),
      kind < 6 ? .failure(failure) : .success(number(words + ["value"]))
    )
  }

  /// Asks a service.
  func call(_ key: String, _ argument: String) async throws -> UInt64 {
    let (took, result) = service(key, argument)
    if took > .zero { try await clock.sleep(for: took) }
    if case .failure = result { lock.withLock { failureCount += 1 } }
    return try result.get()
  }

  /// The answer to a user who asks a service the effect's question. `value` makes the answer of its
  /// number.
  func reply(
    to question: Question, _ argument: String? = nil, _ value: (UInt64) -> Value
  ) -> Reply {
    let words = question.arguments?.first.map { argument in
      if case .string(let text) = argument { text } else { argument.text() }
    }
    let (took, result) = service(question.key, argument ?? words ?? "")
    let outcome: Read.Outcome =
      switch result {
      case .success(let number): .value(value(number))
      case .failure(let error): .failure(TapedError.value(of: error))
      }
    return Reply(to: question, outcome, took: took)
  }

  /// Asks a service that answers at once.
  func answer(_ key: String, _ argument: String) -> UInt64 { number([key, argument, "value"]) }

  /// The seconds since 1970 when the sessions start: 2026-11-20, 10:56.
  static let start = 1_795_172_160.0

  /// The time of a clock on the wall: the app reads it a little after the time of the step.
  var secondsSince1970: Double {
    let late = lock.withLock { place }.map {
      number(["late", "\($0.origin)", "\($0.number)"]) % 200
    }
    return Self.start + clock.now.offset.inSeconds + Double(late ?? 0) / 1e6
  }

  /// The number that a reducer draws.
  func read(_ key: String) -> UInt64 {
    let asked = lock.withLock { () -> ReadPlace? in
      guard let place else { return nil }
      defer { reads[key, default: 0] += 1 }
      return ReadPlace(place: place, key: key, number: reads[key, default: 0])
    }
    guard let asked else { return 7 }
    return otherReads[asked]
      ?? number([key, "\(asked.place.origin)", "\(asked.place.number)", "\(asked.number)"])
  }

  /// Surrounds a reducer with the place of its step; nil if the step stays unknown.
  func reducing<Result>(_ reduce: (Place) -> Result) -> Result? {
    let origin = Origin.current
    let place = lock.withLock { () -> Place? in
      let number = reduced[origin, default: 0]
      reduced[origin] = number + 1
      guard !stopped.contains(origin) else { return nil }
      self.place = Place(origin: origin, number: number)
      reads = [:]
      return self.place
    }
    defer { lock.withLock { self.place = nil } }
    return place.map(reduce)
  }

  /// Around the body of an effect.
  func running(_ origin: Origin, _ body: () async -> Void) async {
    withUnsafeCurrentTask { task in
      let task = task.map(RunningEffect.init)
      lock.withLock { running[origin] = task }
    }
    await Origin.$current.withValue(origin) { await body() }
    lock.withLock { running[origin] = nil }
  }

  /// Ends an effect in the middle: it does nothing more.
  func stop(_ origin: Origin) {
    let effect = lock.withLock { () -> RunningEffect? in
      stopped.insert(origin)
      return running[origin]
    }
    effect?.task.cancel()
  }
}

struct WorldError: Error, Codable, CustomStringConvertible {
  var description: String
}

/// `@unchecked Sendable`: the task is only cancelled, and only while its body runs.
private struct RunningEffect: @unchecked Sendable {
  var task: UnsafeCurrentTask
}

/// Random numbers of a world.
struct WorldNumbers: RandomNumberGenerator, Sendable {
  let world: World

  func next() -> UInt64 { world.read("random") }
}

import Platform

/// Something that costs time or memory, measured once per call of `sample`.
struct Work {
  var name: String
  var unit: Unit
  /// Does the work `count` times and gives the cost of one.
  var sample: (_ count: Int) async throws -> Double
  /// Whether more repetitions in one sample make the figure steadier.
  var repeats: Bool

  /// The time of a closure, repeated until a sample is long enough for the clock.
  static func timed(_ name: String, _ body: @escaping () throws -> Void) -> Work {
    Work(
      name: name, unit: .seconds,
      sample: { count in
        let watch = Stopwatch()
        for _ in 0..<count { try body() }
        return watch.seconds / Double(count)
      },
      repeats: true)
  }

  /// The time of an async closure.
  static func timedAsync(_ name: String, _ body: @escaping () async throws -> Void) -> Work {
    Work(
      name: name, unit: .seconds,
      sample: { count in
        let watch = Stopwatch()
        for _ in 0..<count { try await body() }
        return watch.seconds / Double(count)
      },
      repeats: true)
  }

  /// A figure that the closure measures by itself: bytes, a share, a time with its own set-up.
  static func measured(
    _ name: String, unit: Unit, _ body: @escaping () async throws -> Double
  ) -> Work {
    Work(name: name, unit: unit, sample: { _ in try await body() }, repeats: false)
  }

  /// The wall time of a whole process, from start to end.
  static func process(_ name: String, _ arguments: [String]) -> Work {
    .measured(name, unit: .seconds) { try ChildProcess.run(arguments).seconds }
  }
}

/// The time since it was made.
struct Stopwatch {
  private let start = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

/// Keeps the optimiser from removing work whose result nobody uses.
@inline(never) func keep<T>(_ value: T) {}

/// The time that this thread has computed since it was made: not what others had of its core meanwhile.
struct ThreadWatch {
  private let start = Self.now

  var seconds: Double { Self.now - start }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

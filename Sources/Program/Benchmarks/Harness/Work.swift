import Platform
import SessionFile
import SessionImports

struct Work {
  /// Shown where it is a baseline.
  var name: String
  var unit: Unit
  /// Does the work `count` times and returns the cost of one.
  var sample: (_ count: Int) async throws -> Double
  var repeats: Bool

  /// The time of a closure, repeated until the clock is precise enough.
  static func timed(_ name: String = "", _ body: @escaping () throws -> Void) -> Work {
    Work(
      name: name, unit: .seconds,
      sample: { count in
        let watch = Stopwatch()
        for _ in 0..<count { try body() }
        return watch.seconds / Double(count)
      },
      repeats: true)
  }

  static func timedAsync(
    _ name: String = "", _ body: @escaping () async throws -> Void
  ) -> Work {
    Work(
      name: name, unit: .seconds,
      sample: { count in
        let watch = Stopwatch()
        for _ in 0..<count { try await body() }
        return watch.seconds / Double(count)
      },
      repeats: true)
  }

  /// A figure that the closure measures itself: bytes, a share, or a time.
  static func measured(
    _ name: String = "", unit: Unit = .seconds, _ body: @escaping () async throws -> Double
  ) -> Work {
    Work(name: name, unit: unit, sample: { _ in try await body() }, repeats: false)
  }

  static func process(_ arguments: [String], _ name: String = "") -> Work {
    .measured(name) { try ChildProcess.run(arguments).seconds }
  }

  static func peakBytes(_ arguments: [String], _ name: String = "") -> Work {
    .measured(name, unit: .bytes) { try MemoryRows.peaking.run(arguments)[0] }
  }

  static func lines(of path: String) -> Work { .process(["wc", "-l", path], "wc -l") }

  /// Opens a session and reads its last step and state.
  static func lastStep(of path: String, _ cache: IndexCache? = nil, _ name: String = "") -> Work {
    var opener = SessionOpener.standard
    opener.indexCache = cache
    return .timed(name) { [opener] in
      let session = try opener.open(path)
      let last = session.steps.upperBound
      blackHole((try session.step(last), try session.state(after: last)))
    }
  }
}

struct Stopwatch {
  private let start = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

/// Keeps the optimiser from removing unused results.
@inline(never) func blackHole<T>(_ value: T) {}

/// The CPU time of this thread, without that of others on its core.
struct ThreadWatch {
  private let start = Self.now

  var seconds: Double { Self.now - start }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

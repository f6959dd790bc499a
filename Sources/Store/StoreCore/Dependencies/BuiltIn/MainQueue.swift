public import Dispatch

/// The Composable Architecture's name for a scheduler; here each is a clock.
public typealias AnySchedulerOf<Scheduler> = any Clock<Duration>

extension DependencyValues {
  /// Another name for ``continuousClock``, for code of the Composable Architecture.
  public var mainQueue: any Clock<Duration> {
    get { continuousClock }
    set { continuousClock = newValue }
  }
}

extension DispatchQueue {
  /// A new clock that only the test advances.
  public static var test: TestClock { TestClock() }
  /// A clock whose sleeps return at once.
  public static var immediate: ImmediateClock { ImmediateClock() }
}

extension Clock where Duration == Swift.Duration {
  /// This clock.
  public func eraseToAnyScheduler() -> any Clock<Duration> { self }
}

extension Clock where Self == ImmediateClock {
  /// A clock whose sleeps return at once: `$0.mainQueue = .immediate`.
  public static var immediate: ImmediateClock { ImmediateClock() }
}

extension Effect {
  /// Waits on this clock before it starts the effect; each new request restarts the wait.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration, scheduler: any Clock<Duration>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    withDependencies {
      $0.continuousClock = scheduler
    } operation: {
      debounce(
        id: id, for: duration, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// Starts the effect at most once in every `duration` of this clock.
  public func throttle(
    id: some Hashable & Sendable, for duration: Duration, scheduler: any Clock<Duration>,
    latest: Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    withDependencies {
      $0.continuousClock = scheduler
    } operation: {
      throttle(
        id: id, for: duration, latest: latest, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }
  }
}

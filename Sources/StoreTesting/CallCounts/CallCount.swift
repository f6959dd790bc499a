import Platform
import StoreCore

final class CallCount: EndChecks.Check {
  enum Expectation: Sendable {
    case never, once, atLeastOnce
    case times(Int)

    var least: Int {
      switch self {
      case .never: 0
      case .once, .atLeastOnce: 1
      case .times(let count): count
      }
    }

    var most: Int {
      switch self {
      case .atLeastOnce: .max
      case .never, .once, .times: least
      }
    }

    var text: String {
      switch self {
      case .never: "never"
      case .once: "once"
      case .atLeastOnce: "at least once"
      case .times(let count): CallCount.times(count)
      }
    }
  }

  private let expectation: Expectation
  private let place: SourcePlace
  private let reporter: FailureReporter
  private let state = Locked((calls: 0, isChecked: false))

  init(_ expectation: Expectation, place: SourcePlace) {
    self.expectation = expectation
    self.place = place
    reporter = .current
    EndChecks.current?.add(self)
  }

  deinit { checkAtEnd() }

  func countCall() {
    let calls = state.withLock { state in
      state.calls += 1
      return state.calls
    }
    if calls > expectation.most {
      report("This was called \(Self.times(calls)); it was expected \(expectation.text).")
    }
  }

  func checkAtEnd() {
    let calls = state.withLock { exchange(&$0.isChecked, with: true) ? nil : $0.calls }
    guard let calls, calls < expectation.least else { return }
    report("This was called \(Self.times(calls)); it was expected \(expectation.text).")
  }

  private func report(_ message: String) {
    (FailureReporter.innermost ?? reporter).report(Failure(message, place: place))
  }

  static func times(_ count: Int) -> String {
    switch count {
    case 0: "never"
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }
}

import Platform
import StoreCore

final class CallCount: EndChecks.Check {
  enum Expectation: Sendable {
    case atLeastOnce
    case times(Int)

    var least: Int { if case .times(let count) = self { count } else { 1 } }

    var most: Int { if case .times(let count) = self { count } else { .max } }

    var text: String {
      if case .times(let count) = self { CallCount.times(count) } else { "at least once" }
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
    if calls > expectation.most { report(calls) }
  }

  func checkAtEnd() {
    let calls = state.withLock { exchange(&$0.isChecked, with: true) ? nil : $0.calls }
    if let calls, calls < expectation.least { report(calls) }
  }

  private func report(_ calls: Int) {
    let message = "This was called \(Self.times(calls)); it was expected \(expectation.text)."
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

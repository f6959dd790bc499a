import Platform

/// The collected messages of any thread.
package final class Told: Sendable {
  private let texts = Locked<[String]>([])
  package init() {}

  package var all: [String] { texts.withLock { $0 } }
  package func add(_ text: String) { texts.withLock { $0.append(text) } }
}

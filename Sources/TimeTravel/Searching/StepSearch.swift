import SessionLog
import ValueTree

/// A text looked for in labels and actions. All in lower case, it finds upper case too.
public struct StepText: Sendable, Hashable {
  public var text: String
  private let ignoresCase: Bool

  public init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
  }

  public func matches(_ step: Step) -> Bool {
    contains(step.label) || contains(step.action)
      || step.error.map { contains($0) } == true
  }

  private func contains(_ value: Value) -> Bool {
    switch value {
    case .string(let string): contains(string)
    case .number(let number): contains(number.previewText)
    case .bool(let value): contains(value ? "true" : "false")
    case .null: false
    case .array(let array): array.contains { contains($0) }
    case .object(let object): object.contains { contains($0.key) || contains($0.value) }
    }
  }

  private func contains(_ string: String) -> Bool {
    ignoresCase ? string.lowercased().contains(text) : string.contains(text)
  }
}

/// What one part of a search found.
public struct SearchBatch: Sendable {
  /// The steps that match, in their order.
  public var hits: [Int]
  /// How many steps have been looked at so far, of how many.
  public var searched: Int
  public var total: Int

  public init(hits: [Int], searched: Int, total: Int) {
    self.hits = hits
    self.searched = searched
    self.total = total
  }
}

/// A range of steps as it is written on a command line: `800..812`, `800-812`, `800..`, `..812`, `812`.
struct StepRange: Sendable, Equatable {
  var first: Int?
  var last: Int?

  init(_ text: String) throws(UsageError) {
    let isDotted = text.contains("..") || text.hasPrefix("-")
    let parts = text.components(separatedBy: isDotted ? ".." : "-")
    let numbers = parts.map { Int($0) }
    let isNumber = zip(parts, numbers).allSatisfy { $0.isEmpty || ($1 ?? -1) >= 0 }
    switch parts.count {
    case 1 where isNumber && numbers[0] != nil: (first, last) = (numbers[0], numbers[0])
    case 2 where isNumber: (first, last) = (numbers[0], numbers[1])
    default:
      throw UsageError(
        what: "\(text) is no range of steps", next: "Write 800..812, 800.. or ..812")
    }
    if let first, let last, first > last {
      throw UsageError(what: "\(text) ends before it starts", next: "Write \(last)..\(first)")
    }
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

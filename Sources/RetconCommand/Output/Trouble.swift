import SessionLog

/// The one place where errors become words: what happened, where, what to do next.
enum Trouble {
  static func sentence(for error: any Error) -> String {
    switch error {
    case let error as UsageError:
      return error.what + (error.next.map { "; \($0)" } ?? "")
    default:
      return String(describing: error)
    }
  }
}

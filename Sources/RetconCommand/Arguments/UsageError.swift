import SessionWords

/// A command line that cannot be understood, or that asks for something that is not there.
struct UsageError: Explained, Equatable {
  var what: String
  var next: String?
  var place: String? { nil }
}

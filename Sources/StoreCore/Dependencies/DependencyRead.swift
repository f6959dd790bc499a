/// One reading of a dependency whose default is being made.
struct DependencyRead: Sendable {
  @TaskLocal static var current: DependencyRead?

  var name: String
  var place: SourcePlace?

  func reportMissingTestValue() {
    reportIssue(
      """
      \(name) has no test value, but a test reads it. \
      Override it for this test, or give its key a testValue.
      """, at: place)
  }
}

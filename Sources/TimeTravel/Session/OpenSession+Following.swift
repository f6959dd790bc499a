extension OpenSession {
  /// Looks whether the recording has changed since the last look, and takes in what is new: its
  /// steps, its effects, its notices. Nil when nothing has changed.
  package func refresh() async throws -> RecordingNews? {
    guard var news = try recording.refresh() else { return nil }
    news.summary.notices += sidecarNotices
    if news.change == .grew { try await recording.findEffects() }
    let summary = news.summary
    known.withLock { $0 = summary }
    table.withLock { $0.grow(to: summary.steps) }
    return news
  }
}

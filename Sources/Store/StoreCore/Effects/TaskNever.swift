extension Task where Success == Never, Failure == Never {
  /// Waits until the task is cancelled, then throws: an effect that ends only by cancelling.
  public static func never() async throws -> Never {
    let (endless, end) = AsyncStream.makeStream(of: Never.self)
    defer { end.finish() }
    for await _ in endless {}
    throw _Concurrency.CancellationError()
  }
}

/// Lasts as long as somebody holds it, or until it is cancelled.
public final class Subscription: Sendable {
  private let end: LockedBox<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = LockedBox(end) }

  deinit { cancel() }

  public func cancel() {
    let end = end.withValue { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

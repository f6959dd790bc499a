import StoreCore

/// Discovers what somebody may wish for, and keeps a wish.
public struct WishClient: Sendable {
  public var fetchWishes: @Sendable (_ name: String) async throws -> [Wish]
  public var save: @Sendable (_ wish: Wish) async throws -> Wish

  public init(
    fetchWishes: @escaping @Sendable (_ name: String) async throws -> [Wish],
    save: @escaping @Sendable (_ wish: Wish) async throws -> Wish
  ) {
    self.fetchWishes = fetchWishes
    self.save = save
  }
}

/// What the service says when it does not answer.
public struct WishServiceError: Error, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

extension WishClient: DependencyKey {
  /// The sample brings its own service: it does not know people without a vowel, and keeps nothing
  /// that begins with "World".
  public static var liveValue: WishClient {
    WishClient { name in
      @Dependency(\.continuousClock) var clock
      @Dependency(\.uuid) var uuid
      try await clock.sleep(for: .milliseconds(900))
      guard name.lowercased().contains(where: { "aeiouy".contains($0) }) else {
        throw WishServiceError("Nobody called \(name) is known here.")
      }
      return ["Health", "A quiet garden", "World peace", "A letter from \(name)"]
        .map { Wish(id: uuid(), title: $0) }
    } save: { wish in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(700))
      guard !wish.title.hasPrefix("World") else {
        throw WishServiceError("\(wish.title) is more than this service can keep.")
      }
      return wish
    }
  }
}

extension DependencyValues {
  public var wishClient: WishClient {
    get { self[WishClient.self] }
    set { self[WishClient.self] = newValue }
  }
}

import StoreCore

/// Discovers what somebody may wish for, and keeps a wish.
package struct WishClient: Sendable {
  package var fetchWishes: @Sendable (_ name: String) async throws -> [Wish]
  package var save: @Sendable (_ wish: Wish) async throws -> Wish

}

/// What the service says when it does not answer.
package struct WishServiceError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension WishClient: DependencyKey {
  /// The sample brings its own service: it does not know people without a vowel, and keeps nothing
  /// that begins with "World".
  package static var liveValue: WishClient {
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
  package var wishClient: WishClient {
    get { self[WishClient.self] }
    set { self[WishClient.self] = newValue }
  }
}

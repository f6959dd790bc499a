import StoreCore

package struct WishClient: Sendable {
  package var fetchWishes: @Sendable (_ name: String) async throws -> [Wish]
  package var save: @Sendable (_ wish: Wish) async throws -> Wish

}

package struct WishServiceError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension WishClient: DependencyKey {
  /// A built-in service: it rejects names without a vowel, and wishes that begin with "World".
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

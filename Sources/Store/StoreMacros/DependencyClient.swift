import StoreCore

/// Writes what a client made of closures needs: an initialiser with all of them, one without any, and
/// methods with the labels of their arguments.
///
/// ```swift
/// @DependencyClient
/// struct SearchClient {
///   var find: @Sendable (_ text: String, _ limit: Int) async throws -> [String]
///   var isOnline: @Sendable () -> Bool = { false }
/// }
///
/// extension SearchClient: TestDependencyKey {
///   static let testValue = SearchClient()  // each closure reports an issue when it is called
/// }
///
/// let client = SearchClient(find: { text, limit in [text] }, isOnline: { true })
/// try await client.find(text: "tea", limit: 3)
/// ```
///
/// A closure of `SearchClient()` reports an issue when it is called, and throws. If it cannot throw, it calls
/// the closure that its property has.
@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: Sendable)
public macro DependencyClient() =
  #externalMacro(module: "StoreMacrosPlugin", type: "DependencyClientMacro")

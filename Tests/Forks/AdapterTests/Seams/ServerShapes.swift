import ValueTree

// The shapes of Vapor 4, as far as the page of servers uses them.

protocol Content: Codable, Sendable {}

struct Request: Sendable {
  var content: ContentContainer
}

struct ContentContainer: Sendable {
  var body: Value

  func decode<D: Decodable>(_ type: D.Type) throws -> D {
    try ValueDecoder().decode(type, from: body)
  }
}

final class Application {
  typealias Route = @Sendable (Request) async throws -> any Content
  private(set) var routes: [String: Route] = [:]

  func post<Response: Content>(
    _ path: String, use route: @escaping @Sendable (Request) async throws -> Response
  ) {
    routes["POST /\(path)"] = route
  }
}

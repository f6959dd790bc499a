public import Foundation
import Recorder
public import StoreCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Recordable requests with the functions of `URLSession`.
///
/// ```swift
/// @Dependency(\.urlSession) var urlSession
///
/// let (data, _) = try await urlSession.data(from: url)
/// ```
///
/// ```swift
/// $0.urlSession = recording.tape.urlSession($0.urlSession)
/// ```
///
/// A library of its own, because Foundation's networking is large: apps without such requests do
/// not load it.
public struct WebSession: Sendable {
  private let answer: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// Creates a session that uses this `URLSession`.
  public init(_ session: URLSession) { answer = { try await session.data(for: $0) } }

  /// Creates a session from a closure.
  public init(
    _ answer: @escaping @Sendable (_ request: URLRequest) async throws -> (Data, URLResponse)
  ) {
    self.answer = answer
  }

  /// The answer to a request.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await answer(request)
  }

  /// The answer for a URL.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await answer(URLRequest(url: url))
  }
}

extension WebSession: DependencyKey {
  /// Uses `URLSession.shared`.
  public static var liveValue: WebSession { WebSession(.shared) }
}

extension DependencyValues {
  /// Sends requests to servers. A test that uses it without setting it fails.
  public var urlSession: WebSession {
    get { self[WebSession.self] }
    set { self[WebSession.self] = newValue }
  }
}

extension Tape {
  /// Records a session under the key `urlSession`: each request's method, URL and body, and its
  /// answer's status, headers and body, or its error.
  ///
  /// It omits request headers and cookies, because they contain secrets.
  public func urlSession(_ live: WebSession) -> WebSession {
    register("urlSession")
    return WebSession { request in
      let question = [
        request.httpMethod ?? "GET", request.url?.absoluteString ?? "",
        request.httpBody.map { WebAnswer.Body($0).text } ?? "",
      ]
      let answer = try await value("urlSession", arguments: question) {
        let (data, response) = try await live.data(for: request)
        return WebAnswer(data, response)
      }
      return try answer.parts(for: request)
    }
  }
}

private struct WebAnswer: Codable, Sendable {
  struct Body: Codable {
    var text: String
    var isBase64 = false

    init(_ data: Data) {
      if let text = String(data: data, encoding: .utf8) {
        self.text = text
      } else {
        text = data.base64EncodedString()
        isBase64 = true
      }
    }

    var data: Data { isBase64 ? Data(base64Encoded: text) ?? Data() : Data(text.utf8) }
  }

  var status: Int?
  var headers: [String: String] = [:]
  var body: Body

  init(_ data: Data, _ response: URLResponse) {
    body = Body(data)
    guard let response = response as? HTTPURLResponse else { return }
    status = response.statusCode
    for (name, value) in response.allHeaderFields {
      let name = "\(name)"
      if name.lowercased() != "set-cookie" { headers[name] = "\(value)" }
    }
  }

  func parts(for request: URLRequest) throws -> (Data, URLResponse) {
    let data = body.data
    guard let url = request.url else { throw URLError(.badURL) }
    let plain = URLResponse(
      url: url, mimeType: nil, expectedContentLength: data.count, textEncodingName: nil)
    guard let status else { return (data, plain) }
    let response = HTTPURLResponse(
      url: url, statusCode: status, httpVersion: nil, headerFields: headers)
    return (data, response ?? plain)
  }
}

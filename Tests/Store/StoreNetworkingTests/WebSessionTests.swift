import Foundation
import Recorder
import ReplayTesting
import StoreCore
import StoreNetworking
import StoreRecording
import StoreTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A session with servers")
struct WebSessionTests {
  struct Weather: Reducer {
    struct State: Codable, Equatable, Sendable {
      var text = ""
      var status = 0
    }

    enum Action: Codable, Equatable, Sendable { case asked(String), answered(String, Int), failed }

    @Dependency(\.urlSession) var urlSession

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .asked(let place):
        return .run { [urlSession] send in
          let (data, response) = try await urlSession.data(
            from: URL(string: "https://example.com/\(place)")!)
          let status = (response as? HTTPURLResponse)?.statusCode ?? 0
          await send(.answered(String(decoding: data, as: UTF8.self), status))
        } catch: { _, send in
          await send(.failed)
        }
      case .answered(let text, let status): state = State(text: text, status: status)
      case .failed: state.status = -1
      }
      return .none
    }
  }

  private static let session = WebSession { request in
    guard let url = request.url, url.lastPathComponent != "nowhere" else {
      throw URLError(.cannotFindHost)
    }
    let response = HTTPURLResponse(
      url: url, statusCode: 200, httpVersion: nil,
      headerFields: ["Content-Type": "text/plain", "Set-Cookie": "secret"])
    return (Data("rain in \(url.lastPathComponent)".utf8), response!)
  }

  @Test("a feature is tested with answers of one's own")
  func tested() async {
    let store = TestStore(initialState: Weather.State()) {
      Weather()
    } withDependencies: {
      $0.urlSession = Self.session
    }
    await store.send(.asked("Bern"))
    await store.receive(.answered("rain in Bern", 200)) {
      $0.text = "rain in Bern"
      $0.status = 200
    }
  }

  @Test("answers and errors are on tape, and are not asked for again")
  func recorded() async throws {
    let folder = try TemporaryFolder()
    let recorder = StoreRecorder<Weather.State, Weather.Action>(to: folder("weather.retcon"))
    do {
      let store = Store(initialState: Weather.State(), hooks: recorder) {
        Weather()
      } withDependencies: {
        $0.urlSession = recorder.tape.urlSession(Self.session)
      }
      await store.send(.asked("Bern")).finish()
      await store.send(.asked("nowhere")).finish()
      #expect(store.state == Weather.State(text: "rain in Bern", status: -1))
    }
    recorder.finish()
    let text = folder.text("weather.retcon")
    #expect(text.contains(#"["GET","https://example.com/Bern",""]"#))
    #expect(text.contains(#""body":{"text":"rain in Bern""#))
    #expect(!text.contains("secret"))
    try await expectReplays(URL(filePath: folder("weather.retcon")), Weather()) {
      $0.urlSession = Tape().urlSession(WebSession { _ in throw URLError(.notConnectedToInternet) })
    }
  }

  @Test("an answer that is no text comes back as it was")
  func bytes() async throws {
    let bytes = Data([0xFF, 0x00, 0xFE])
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Int, Int>(to: folder("bytes.retcon"))
    let session = recorder.tape.urlSession(
      WebSession { request in
        (
          bytes,
          URLResponse(
            url: request.url!, mimeType: nil, expectedContentLength: 3, textEncodingName: nil)
        )
      })
    let (data, _) = try await session.data(from: URL(string: "https://example.com")!)
    #expect(data == bytes)
  }
}

import Samples
import SessionFile
import TestSupport
import TextCanvas

@testable import Debugger
@testable import TimeTravel

extension DebuggerApp {
  /// The debugger on the demo of the wishes, with its reducer.
  static func onWishes(in folder: TemporaryFolder) async throws -> DebuggerApp {
    await WishesSample.recordDemo(to: folder("wishes.retcon"))
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let app = DebuggerApp(
      session: OpenSession(SessionRecording(reader), host: try EngineHost<WishesSample>(reader)),
      size: Size(width: 120, height: 36), output: { _ in }, onChange: {})
    await app.start().finish()
    return app
  }

  func type(_ keys: String) async {
    for key in keys { await handle(.key(.typed(key))).finish() }
  }
}

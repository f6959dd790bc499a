import RecordingSupport
import SessionFile
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@Suite("A step that opens an alert, or shows an error, is an error")
struct AlertTests {
  @Test("by the names of members that the state had not before")
  func states() async throws {
    let states: [Value] = [
      ["alert": .null], ["alert": ["title": "No"]], ["alert": ["title": "Not"]], ["alert": .null],
      ["destination": ["alert": ["title": "No"]]], ["loadError": "offline", "errors": 3],
      ["loadError": "", "list": [["error": "one"]]],
    ]
    let steps = states.indices.map { Step(number: $0, label: "a", action: "a") }
    let session = OpenSession(
      MemoryRecording(
        name: "a.retcon", app: "A", steps: steps, states: states, events: [], effectReads: [:]))
    #expect(try await session.errors(in: 0...6, of: "main") == [1, 4, 5])
    #expect(
      try await session.alert(openedAt: Position(step: 4))?.description == "/destination/alert")
  }

  @Test("by the lines of a file, of which only some are read for it")
  func lines() async throws {
    let folder = try TemporaryFolder()
    let patches = [
      #"{"op":"replace","path":"/n","value":1}"#,
      #"{"op":"replace","path":"/alert","value":{"title":"No"}}"#,
      #"{"op":"replace","path":"/alert/title","value":"Not"}"#,
      #"{"op":"replace","path":"/alert","value":null}"#,
      #"{"op":"add","path":"/saveError","value":"offline"}"#,
    ]
    let lines = patches.enumerated().map {
      #"{"step":\#($0 + 1),"label":"tapped","action":null,"cause":"user","patch":[\#($1)]}"#
    }
    let header = #"{"retcon":"1.1","session":"1","app":{"name":"A"},"states":"every","state":"#
    let text = header + #"{"alert":null,"n":0}}"# + "\n" + lines.joined(separator: "\n") + "\n"
    _ = try folder.write(text, to: "a.retcon")
    let session = OpenSession(SessionRecording(try SessionReader(path: folder("a.retcon"))))
    #expect(try await session.errors(in: 0...5, of: "main") == [2, 5])
  }
}

import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("Whole states that no line announces") struct UnmarkedStatesTests {
  @Test("are noted while lines are indexed, so that going to a step reads few lines")
  func noted() throws {
    let folder = try TemporaryFolder()
    let filler = String(repeating: "x", count: 2_000)
    var text = #"{"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}"# + "\n"
    for step in 1...6_000 {
      text +=
        #"{"step":\#(step),"label":"add","action":{"state":"\#(filler)"},"cause":"user","state":{"total":\#(step)}}"#
        + "\n"
    }
    let session = try SessionReader(path: try folder.write(text, to: "unmarked.retcon"))
    #expect(try session.state(after: 6_000) == ["total": 6_000])
    let marked = session.steps.filter { session.isKeyframe($0) }
    #expect(marked.count > 40)
    #expect(zip(marked.dropFirst(2), marked.dropFirst()).allSatisfy { $0 - $1 < 100 })
  }

  @Test("a member of an action is no state")
  func others() throws {
    let folder = try TemporaryFolder()
    let filler = String(repeating: "x", count: 2_000)
    var text = #"{"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}"# + "\n"
    for step in 1...3_000 {
      text +=
        #"{"step":\#(step),"label":"add","action":{"state":"\#(filler)"},"cause":"user","patch":[]}"#
        + "\n"
    }
    let session = try SessionReader(path: try folder.write(text, to: "marked.retcon"))
    #expect(session.steps.filter { session.isKeyframe($0) } == [0])
  }

  @Test("longer lines than the scanner holds at once are looked into, too")
  func longLines() throws {
    let folder = try TemporaryFolder()
    let filler = String(repeating: "x", count: 3 << 20)
    var text = #"{"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}"# + "\n"
    for step in 1...4 {
      text +=
        #"{"step":\#(step),"label":"add","action":"\#(filler)","cause":"user","state":{"total":\#(step)}}"#
        + "\n"
    }
    let session = try SessionReader(path: try folder.write(text, to: "long.retcon"))
    #expect(session.steps.filter { session.isKeyframe($0) } == [0, 2, 3, 4])
  }

  @Test("one that is not what its patch gives counts, in the session and in a trim of it")
  func contradiction() throws {
    let folder = try TemporaryFolder()
    let lines = [
      #"{"step":1,"label":"add","action":1,"cause":"user","patch":[]}"#,
      #"{"step":2,"label":"add","action":1,"cause":"user","patch":[],"state":{"total":2}}"#,
      #"{"step":3,"label":"add","action":1,"cause":"user","patch":[]}"#,
    ].map { $0 + "\n" }.joined()
    // Where a line is lost, whole states are looked for.
    for header in [
      #"{"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}"#,
      #"{"retcn":"1.0","state":{"total":0}}"#,
    ] {
      let session = try SessionReader(
        path: try folder.write(header + "\n" + lines, to: "unmarked.retcon"))
      for step in [3, 2, 1, 3] {
        #expect(try session.state(after: step) == ["total": step == 1 ? 0 : 2])
      }
      let path = folder("trim.retcon")
      try SessionTrimmer(session).trim(1...3, to: path, replacing: true)
      let trim = try SessionReader(path: path)
      for step in 1...3 {
        #expect(try trim.state(after: step) == session.state(after: step))
      }
    }
  }

  @Test("the first one behind a damaged line counts at once")
  func damage() throws {
    let folder = try TemporaryFolder()
    let session = try SessionReader(
      path: try folder.write(
        """
        {"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}
        {"step":1,"label":"add","action":1,"cause":"us
        {"step":2,"label":"add","action":1,"cause":"user","patch":[],"state":{"total":2}}
        {"step":3,"label":"add","action":1,"cause":"user","patch":[],"state":{"total":3}}

        """, to: "damaged.retcon"))
    #expect(session.keyframe(from: 1) == 2)
    #expect(try session.state(after: 2) == ["total": 2])
    #expect(session.keyframe(from: 3) == nil)
  }

  @Test("the first one counts at once where the header has no state")
  func withoutFirst() throws {
    let folder = try TemporaryFolder()
    let session = try SessionReader(
      path: try folder.write(
        """
        {"retcon":"1.0","can":"replay","states":"every"}
        {"step":1,"label":"add","action":1,"cause":"user"}
        {"step":2,"label":"add","action":1,"cause":"user","state":{"total":2}}
        {"step":3,"label":"add","action":1,"cause":"user","patch":[]}

        """, to: "headless.retcon"))
    #expect(try session.state(after: 3) == ["total": 2])
    #expect(try session.state(after: 2) == ["total": 2])
    #expect(throws: SessionError.self) { try session.state(after: 1) }
  }
}

import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Numbers that no recorder writes") struct HostileNumberTests {
  private let folder: TemporaryFolder
  private static let header = #"{"retcon":"1.0","session":"s","state":0}"#
  private static let step = #"{"step":1,"label":"a","action":"a","patch":[]}"#

  init() throws { folder = try TemporaryFolder() }

  /// Everything that can be asked of a session.
  private func readAll(_ session: SessionReader) {
    try? session.examine()
    _ = session.notices.map(\.sentence)
    for step in session.steps { _ = try? session.step(step) }
    _ = try? session.state(after: session.steps.upperBound)
    _ = try? session.effectEvents(in: session.steps)
    _ = try? session.outsideReads(in: session.steps)
    _ = try? session.effectsInFlight(after: session.steps.upperBound)
  }

  @Test(
    "a line with a number beyond 17 digits, or below 0, breaks nothing",
    arguments: [
      #"{"lost":[-9223372036854775808,9223372036854775807],"because":"x"}"#,
      #"{"lost":[0,9223372036854775807],"because":"x"}"#,
      #"{"lost":[],"lines":-9223372036854775808,"because":"x"}"#,
      #"{"effect":1,"event":"started","after":1,"from":-9223372036854775808,"file":"x"}"#,
      #"{"effect":9223372036854775807,"event":"started","after":9223372036854775807,"#
        + #""from":9223372036854775807,"ordinal":9223372036854775807,"file":"x"}"#,
      #"{"effect":-1,"event":"finished","after":-1}"#,
      #"{"read":"k","value":1,"effect":-9223372036854775808,"after":-9223372036854775808}"#,
      #"{"signpost":"s","after":-9223372036854775808}"#,
      #"{"end":-9223372036854775808}"#,
      #"{"step":9223372036854775807,"label":"a","action":"a","patch":[]}"#,
      #"{"step":-9223372036854775808,"label":"a","action":"a","patch":[]}"#,
      #"{"step":2,"label":"a","action":"a","cause":{"effect":-9223372036854775808},"patch":[]}"#,
      #"{"step":2,"label":"a","action":"a","cause":{"output":9223372036854775807},"patch":[]}"#,
      #"{"begin":9223372036854775807,"label":"a","action":"a"}"#,
    ])
  func line(text: String) throws {
    let path = try folder.write(
      [Self.header, Self.step, text, ""].joined(separator: "\n"), to: "hostile.retcon")
    let session = try SessionReader(path: path)
    readAll(session)
    #expect(session.steps.lowerBound == 0)
    #expect(try session.step(1).label == "a")
  }

  @Test(
    "so does a header, which is refused where it cannot be meant",
    arguments: [
      #""part":9223372036854775807"#, #""part":-9223372036854775808"#,
      #""first":9223372036854775807"#, #""first":-1"#,
      #""origin":{"format":"x","position":-9223372036854775808}"#,
      #""effects":[{"effect":-9223372036854775808,"from":9223372036854775807,"file":"x"}]"#,
    ])
  func header(member: String) throws {
    let header = #"{"retcon":"1.0","session":"s",\#(member),"state":0}"#
    let path = try folder.write(
      [header, Self.step, ""].joined(separator: "\n"), to: "hostile.retcon")
    do throws(SessionError) {
      readAll(try SessionReader(path: path))
    } catch {
      #expect(error.sentence.contains("line 1"))
    }
  }
}

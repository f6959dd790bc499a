import Recorder
import SessionWords
import Testing

@testable import RetconCommand

@Suite("What info tells")
struct InfoTests {
  @Test("every line is looked at, and what is wrong with which is said")
  func damage() async throws {
    let runner = try CommandRunner()
    let lines = [
      #"{"retcon":"1.0","app":{"name":"T"},"states":"every","state":{"n":0}}"#,
      #"{"step":1,"time":0.5,"action":1,"patch":[{"op":"replace","path":"/n","value":1}]}"#,
      #"{"step":2,"time":1.9,"action":1,"patch":[{"op":"replace","path":"/m","value":2}]}"#,
      #"{"effect":"x"}"#,
      #"{"step":3,"time":0.4,"action":1,"label":7,"patch":[]}"#,
    ]
    let file = try runner.write(lines.joined(separator: "\n") + "\n", as: "bad.retcon")
    let info = await runner.run("info", file)
    #expect(info.status == .yes)
    #expect(
      info.data == """
        file      $/bad.retcon
        app       T
        steps     3
        duration  1.4 s
        ended     no: the app stopped before it could say so
        notices   line 3: the patch of step 2 does not fit the state before it (Operation 0 (replace \
        /m): There is no member “m” in the object at the top); states are unknown from there to the \
        next keyframe.
                  line 4 cannot be read: line.event: expected a value.
                  line 5 cannot be read: line.label: expected a string.

        """)
    let quick = await runner.run("info", file, "--quick").data
    #expect(!quick.contains("line 3"))
    #expect(quick.hasSuffix("examined  nothing: --quick was given\n"))
    #expect(await runner.run("info", file, "--json").data.contains(#","notices":["line 3: "#))
  }

  @Test("all that is missing is counted, as text and as JSON, and --check says no")
  func census() async throws {
    let runner = try CommandRunner()
    let lines = [
      #"{"retcon":"1.0","state":0}"#,
      #"{"step":1,"action":1,"patch":[]}"#,
      #"{"step":2,"action":1,"dropped":true}"#,
      #"{"step":3,"action":1}"#,
      #"{"step":4,"action":1,"skipped":true,"patch":[]}"#,
      #"{"lost":[5,7],"lines":2,"because":"No space left on device"}"#,
      #"{"step":8,"keyframe":true,"action":1,"state":1}"#,
      #"{"step":11,"keyframe":true,"action":1,"state":1}"#,
    ]
    let file = try runner.write(lines.joined(separator: "\n") + "\n", as: "some.retcon")
    let text = await runner.run("info", file, "--check")
    #expect(text.status == .no)
    #expect(
      text.data.split(separator: "\n").prefix(9).joined(separator: "\n") == """
        dropped states  1: the recorder had fallen behind
        file            $/some.retcon
        steps           11
        ended           no: the app stopped before it could say so
        lost steps      3: the notices say why
        lost lines      2: between steps; the notices say why
        missing steps   2: the file has no line for them
        absent states   1: a host computes them
        skipped steps   1: no reducer ran in them
        """)
    let json = await runner.run("info", file, "--json", "--check")
    #expect(json.status == .no)
    #expect(
      json.data.hasPrefix(
        #"{"file":"$/some.retcon","steps":11,"ended":false,"beingRecorded":false,"lostSteps":3,"lostLines":2,"#
          + #""missingSteps":2,"unknownReferences":0,"droppedStates":1,"absentStates":1,"skippedSteps":1,"missingStart":0,"#
          + #""whole":false,"notices":["#))
  }

  @Test("what lines name and the file does not have is counted and named")
  func references() async throws {
    let runner = try CommandRunner()
    let lines = #"""
      {"retcon":"1.1","effects":[{"effect":1,"from":0,"ordinal":1,"file":"a"}],"state":0}
      {"step":1,"action":1,"cause":{"effect":1},"patch":[]}
      {"step":2,"action":1,"cause":{"effect":7},"patch":[]}
      {"effect":2,"event":"started","after":2,"from":2,"ordinal":1,"file":"a"}
      {"effect":2,"event":"finished","after":40}
      {"read":"fact","effect":9,"after":2,"value":1}
      {"step":3,"action":1,"cause":{"output":12},"patch":[]}
      {"lost":[4,5],"because":"No space left on device"}
      {"signpost":"full","after":5}
      {"end":5}
      """#
    let file = try runner.write(lines + "\n", as: "some.retcon")
    let text = await runner.run("info", file, "--check")
    #expect(text.status == .no)
    #expect(
      text.data.contains("unknown references  4: they name an effect or a step that the file"),
      "\(text)")
    for words in [
      "line 3 names effect 7, which has not started in this file.",
      "line 5 names step 40, which this file does not have.",
      "line 6 names effect 9, which has not started in this file.",
      "line 7 names step 12, which this file does not have.",
    ] {
      #expect(text.data.contains(words), "\(text)")
    }
    #expect(!text.data.contains("line 9"))
  }

  @Test("--check says no to a session whose end tells more steps than it holds")
  func endTooLate() async throws {
    let runner = try CommandRunner()
    let lines = #"""
      {"retcon":"1.0","state":0}
      {"step":1,"action":1,"patch":[]}
      {"lost":[2,3],"lines":0,"because":"No space left on device"}
      {"end":5}
      """#
    let file = try runner.write(lines + "\n", as: "short.retcon")
    let text = await runner.run("info", file, "--check")
    #expect(text.status == .no)
    #expect(text.data.contains("missing steps  2: the file has no line for them\n"), "\(text)")
  }

  @Test("the name of another tool's file is no app")
  func facts() async throws {
    let runner = try CommandRunner()
    let log = try runner.write(#"{"action":{"type":"a"},"state":1}"# + "\n", as: "log.jsonl")
    #expect(await !runner.run("info", log).data.contains("\napp "))
  }

  @Test("--check says no to a session without a state to start with")
  func withoutStart() async throws {
    let runner = try CommandRunner()
    let lines = #"""
      {"retcon":"1.0"}
      {"step":1,"keyframe":true,"action":1,"state":1}
      {"end":true,"steps":1}
      """#
    let file = try runner.write(lines + "\n", as: "startless.retcon")
    let text = await runner.run("info", file, "--check")
    #expect(text.status == .no)
    #expect(text.data.contains("missing start  1: the file has no state to start with\n"))
  }

  @Test(
    "--check says no to each single thing that is missing",
    arguments: [
      #"{"step":1,"action":1,"dropped":true}"#, #"{"step":1,"action":1}"#,
      #"{"step":1,"action":1,"skipped":true,"patch":[]}"#,
      #"{"lost":[],"lines":2,"because":"x"}"#, #"{"step":1,"action":1,"patch":7}"#,
      #"{"step":2,"keyframe":true,"action":1,"state":1}"#, "garbage",
    ])
  func check(line: String) async throws {
    let runner = try CommandRunner()
    let header = #"{"retcon":"1.0","state":0}"# + "\n"
    let file = try runner.write(header + line + "\n{\"end\":0}\n", as: "a.retcon")
    #expect(await runner.run("info", file, "--check").status == .no)
    #expect(await runner.run("info", file).status == .yes)
    let whole = try runner.write(header + "{\"end\":0}\n", as: "b.retcon")
    #expect(await runner.run("info", whole, "--check").status == .yes)
    let cut = try runner.write(header, as: "c.retcon")
    #expect(await runner.run("info", cut, "--check").status == .no)
  }

  @Test("a log with a gap is not whole, and says which of its states it holds")
  func foreign() async throws {
    let runner = try CommandRunner()
    func line(_ before: Int, _ after: Int) -> String {
      #"{"action":{"type":"a"},"prevState":{"n":\#(before)},"nextState":{"n":\#(after)}}"# + "\n"
    }
    let whole = try runner.write(line(0, 1) + line(1, 2), as: "whole.jsonl")
    #expect(await runner.run("info", whole, "--check").status == .yes)
    let gap = await runner.run(
      "info", try runner.write(line(0, 1) + line(3, 4), as: "gap.jsonl"), "--check")
    #expect(gap.status == .no)
    #expect(gap.data.contains("missing steps  1: the file has no line for them\n"), "\(gap)")
    func states(_ lines: String) async throws -> [Substring] {
      await runner.run("info", try runner.write(lines, as: "\(lines.utf8.count).jsonl")).data
        .split(separator: "\n").filter { $0.hasPrefix("states") }
        .map { $0.drop { $0 != " " }.drop { $0 == " " } }
    }
    let bare = #"{"action":1}"# + "\n"
    #expect(try await states(bare) == ["none"])
    #expect(try await states(bare + #"{"action":1,"state":1}"# + "\n") == ["of some steps only"])
    #expect(try await states(#"{"state":0}"# + "\n" + bare) == ["of the start only"])
  }

  @Test("a session that is recorded right now is told from one whose app stopped")
  func live() async throws {
    let runner = try CommandRunner()
    let recorder = SessionRecorder<Int, Int>(to: runner.folder + "/live.retcon")
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    recorder.flush()
    let answer = await runner.run("info", "$/live.retcon")
    #expect(answer.data.contains("ended     no: an app records into it now\n"))
    #expect(recorder.finish().isComplete)
    #expect(await !runner.run("info", "$/live.retcon").data.contains("ended"))
  }

  @Test("--check reads all of it, so it cannot be quick")
  func quickCheck() async throws {
    let answer = try await CommandRunner().run("info", "a", "--check", "--quick")
    #expect(answer.status == .trouble)
  }

  @Test("JSON holds nothing that acts on a terminal, and means the same")
  func safeJSON() async throws {
    let runner = try CommandRunner()
    let name = "a\u{1B}[2Jb\u{85}c\u{9B}d\u{7F}e\u{202E}f\u{2066}g\u{E0001}h"
    let header =
      "{\"retcon\":\"1.0\",\"app\":{\"name\":\"\(name.replacing("\u{1B}", with: "\\u001b"))\"}}\n"
    let file = try runner.write(header, as: "a.retcon")
    let answer = await runner.run("info", file, "--json")
    #expect(
      answer.data.contains(
        #""app":"a\u001b[2Jb\u0085c\u009bd\u007fe\u202ef\u2066g\udb40\udc01h""#))
    #expect(answer.data.unicodeScalars.allSatisfy { $0.value < 0x7F })
  }

  @Test("a name of any length does not fill the screen")
  func longNames() async throws {
    let runner = try CommandRunner()
    let name = String(repeating: "x", count: 140_000)
    let file = try runner.write(
      "{\"retcon\":\"1.0\",\"state\":0}\n{\"begin\":1,\"label\":\"\(name)\",\"action\":1}\n{\"\(name)\":1}\n",
      as: "a.retcon")
    let answer = await runner.run("info", file)
    #expect(answer.data.contains("xx…xx"))
    #expect(answer.data.utf8.count < 1_500)
  }
}

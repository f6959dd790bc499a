import SessionWords
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("Verifying from the command line")
struct VerifyTests {
  private let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"

  /// The demo, with one recorded value changed by hand.
  private func changed(_ runner: CommandRunner) async throws -> String {
    let text = try runner.text(of: await runner.recordCounter())
    let changed = text.replacing(
      #""path":"/isTimerOn","value":true"#, with: #""path":"/isTimerOn","value":false"#)
    #expect(text != changed)
    return try runner.write(changed, as: "changed.retcon")
  }

  @Test("a session that runs as recorded is said to, with exit status 0")
  func equal() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    #expect(
      await runner.run("verify", file, "--host", host)
        == .init(
          status: .yes, data: "$/counter.retcon: 34 steps were run again, all as recorded.\n"))
  }

  @Test("where a recording was cut, verify says up to which step it ran, and what is missing")
  func cut() async throws {
    let runner = try CommandRunner()
    let text = try runner.text(of: await runner.recordCounter())
    let lines = text.split(separator: "\n")
    let steps = lines.indices.filter { lines[$0].hasPrefix(#"{"step":"#) }
    let kept = lines[..<steps[20]].joined(separator: "\n")
    let killed = try runner.write(kept + "\n", as: "killed.retcon")
    #expect(
      await runner.run("verify", killed, "--host", host)
        == .init(
          status: .yes,
          data: """
            $/killed.retcon: 20 steps were run again, all as recorded.

            the recording stops after step 20: what came after is missing.

            """))
    let short = try runner.write(kept + "\n\(lines[lines.count - 1])\n", as: "short.retcon")
    #expect(
      await runner.run("verify", short, "--host", host)
        == .init(
          status: .trouble,
          data: """
            $/short.retcon: 20 steps were run again and equal; the rest was not checked.
            $/short.retcon: the recording ended with step 34, and the file with step 20: the rest is missing.

            """))
  }

  @Test("the first difference stands in two columns, and exit status is 1")
  func different() async throws {
    let runner = try CommandRunner()
    let file = try await changed(runner)
    let answer = await runner.run("verify", file, "--host", host)
    #expect(
      answer.data == """
        $/changed.retcon: 9 steps were run again, and the re-run differs from step 9 on.

        step 9  timerTapped, sent by the user: different state
                      recorded  re-run
          /isTimerOn  false     true

        """)
    #expect(answer.status == .no)
  }

  @Test("several sessions are counted, and trouble with one does not stop the others")
  func several() async throws {
    let runner = try CommandRunner()
    let torn = try await changed(runner)
    let good = await runner.recordCounter()
    let answer = await runner.run("verify", "$/none.retcon", torn, good, "--host", host)
    #expect(answer.status == .trouble)
    #expect(
      answer.data.hasPrefix(
        "3 sessions: 1 as recorded, 1 differ, 1 could not be run; 2 findings.\n\n(1) timerTapped: ")
    )
    #expect(answer.data.contains("(2) not run: there is no such file"))
  }

  @Test("one JSON object a session")
  func json() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    #expect(
      await runner.run("verify", file, "--host", host, "--json").data
        == #"{"file":"$/counter.retcon","equal":true,"steps":34}"# + "\n")
    let answer = await runner.run("verify", "none.retcon", "--host", host, "--json")
    #expect(answer.status == .trouble)
    #expect(answer.data.hasPrefix(#"{"file":"none.retcon","error":"#))
  }

  @Test("sessions are run side by side, and those with one cause are one finding")
  func groups() async throws {
    let runner = try CommandRunner()
    let changed = try await changed(runner)
    let again = try runner.write(try runner.text(of: changed), as: "again.retcon")
    let good = await runner.recordCounter()
    let answer = await runner.run("verify", changed, good, again, "--host", host, "-j", "3")
    let lines = answer.data.split(separator: "\n").map(String.init)
    #expect(
      answer.data.hasPrefix(
        """
        3 sessions: 1 as recorded, 2 differ; 1 finding.

        (1) timerTapped: different state at /isTimerOn, in 2 sessions
            $/again.retcon@9  recorded false, today true

        """), "\(answer.data)")
    #expect(answer.status == .no)
    let start = "    retcon "
    let advice = try #require(lines.first { $0.hasPrefix(start) })
    #expect(advice.hasPrefix(start + "$/again.retcon@9 --again --host "))
    let words = try #require(ShellWord.words(in: String(advice.dropFirst(start.count))))
    let frame = await runner.run(["open"] + words + ["--print", "160x24"])
    #expect(frame.data.contains("−  main 9 timerTapped"), "\(frame)")
    #expect(frame.data.contains("+  step 9 again 9 timerTapped"))
    #expect(frame.data.contains("▸ 9╭ +1.8s ≠   timerTapped"))
    #expect(frame.data.contains("│ ≠  9 timerTapped"))
    #expect(
      await runner.run("open", changed, "--again").messages
        == "retcon: --again needs a step. Write FILE@STEP.\n")
  }

  @Test("errors are one cause if their type and line are the same", .needs(.node))
  func groupedErrors() async throws {
    let runner = try CommandRunner()
    let reducer = try runner.write(
      """
      export default (s = { n: 0 }, a) => {
        if (a.kind === 1) throw new Error(`no ${a.name}`);
        return a.kind === 2 ? s.list[0].name : { n: s.n + 1 };
      };
      """, as: "thrower.mjs")
    let files = try [("tea", 1), ("milk", 1), ("tea", 2)].enumerated().map { index, given in
      let first = #"{"action":{"type":"x"},"state":{"n":1}}"# + "\n"
      let action = #"{"type":"x","name":"\#(given.0)","kind":\#(given.1)}"#
      return try runner.write(
        first + #"{"action":\#(action),"state":{"n":2}}"# + "\n", as: "s\(index).jsonl")
    }
    let answer = await runner.run(["verify"] + files + ["--reducer", reducer])
    #expect(
      answer.data.contains(
        """
        3 sessions: 0 as recorded, 3 differ; 2 findings.

        (1) x: crash: Error at thrower.mjs:2, in 2 sessions
            $/s0.jsonl@2  Error: no tea at default (file://$/thrower.mjs:2:27)
            $/thrower.mjs:2

        """), "\(answer.data)")
    #expect(answer.data.contains("\n(2) x: crash: TypeError at thrower.mjs:3, in 1 session\n"))
  }

  @Test("JUnit has a case for each session of a shard")
  func junit() async throws {
    let runner = try CommandRunner()
    let changed = try await changed(runner)
    let good = await runner.recordCounter()
    let all = ["verify", good, changed, good, "--host", host, "--format", "junit"]
    let answer = await runner.run(all + ["--shard", "1/3", "--twice"])
    #expect(
      answer.data == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="retcon verify" tests="2" failures="0" errors="0" skipped="0">
          <testcase classname="retcon.verify" name="$/counter.retcon"/>
          <testcase classname="retcon.verify" name="$/counter.retcon"/>
        </testsuite>

        """)
    let other = await runner.run(all + ["--shard", "3/3"])
    #expect(
      other.data.contains(
        #"<failure message="timerTapped: different state at /isTimerOn">"#))
    #expect(other.status == .no)
  }

  @Test(
    "what makes no sense is said",
    arguments: [
      (["--shard", "3/2"], "3/2 is no shard. Write --shard 1/4 to 4/4."),
      (["-j", "0"], "--jobs is 0, and has to be from 1 to 256. Write -j 4."),
      (
        ["--format", "xml"],
        "there is no format xml. Write --format text, json, junit, sarif, github, markdown."
      ),
    ])
  func nonsense(words: [String], message: String) async throws {
    let runner = try CommandRunner()
    let answer = await runner.run(["verify", "$/x.retcon", "--host", host] + words)
    #expect(answer == .init(status: .trouble, messages: "retcon: \(message)\n"))
  }

  @Test("a log that is for browsing says why it cannot be run again")
  func browsing() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(
      #"{"retcon":"1.0","can":"browse","because":"Cart is not Codable","state":{}}"# + "\n",
      as: "browse.retcon")
    #expect(
      await runner.run("verify", file, "--host", host)
        == .init(
          status: .trouble,
          messages:
            "retcon: $/browse.retcon: it can be browsed but cannot run again: step 0: the log "
            + "says: Cart is not Codable.\n"))
  }

  @Test("without a host, the sentence says how one is named")
  func noHost() async throws {
    let runner = try CommandRunner()
    #expect(
      await runner.run("verify", "$/x.retcon").messages
        == "retcon: verify needs the app's reducer, and no host is named. Write --reducer "
        + "FILE.js for a Redux app, else --host COMMAND.\n")
  }
}

import HostProtocol
import Platform
import Samples
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("Timelines, annotations and comments for other tools")
struct TimelineTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func wishes() async -> String {
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
    return "$/wishes.retcon"
  }

  private func list(_ value: Value?) -> [Value] {
    if case .array(let array)? = value { Array(array) } else { [] }
  }

  @Test("times of other ages are written")
  func longTimes() async throws {
    let log = try runner.write(
      """
      {"retcon":"1.1","started":"9999-12-31T23:59:59Z","state":0}
      {"step":1,"time":31000000000.5,"label":"a","action":{},"state":1}

      """, as: "ages.retcon")
    let trace = await runner.run("convert", log, "--to", "chrome-trace")
    #expect(trace.status == .yes && trace.data.contains("3.10000000005e+16"), "\(trace)")
    let spans = await runner.run("convert", log, "--to", "otlp")
    #expect(spans.data.contains(#""253402300799000000000""#), "\(spans)")
  }

  @Test("a Chrome trace has an instant for each action, and begins and ends each effect")
  func chrome() async throws {
    let file = await wishes()
    let answer = await runner.run(
      "convert", file, "--to", "chrome-trace", "--watch", "path.nextID", "-o", "$/trace.json")
    #expect(answer == .init(status: .yes))
    let trace = try Value(parsing: runner.text(of: "$/trace.json"))
    let events = list(trace["traceEvents"])
    func all(_ phase: String) -> [Value] { events.filter { $0["ph"]?.string == phase } }
    func time(_ event: Value) -> Double { event["ts"].flatMap { Double($0.text()) } ?? -1 }
    #expect(all("i").count == 28)
    #expect(all("i")[3]["name"] == "discoverWishesTapped")
    #expect(time(all("i")[3]) == 1_560_000)
    let effects = await runner.run("effects", file)
    #expect(all("b").count == effects.data.split(separator: "\n").count)
    #expect(all("b").map { $0["id"] } == all("e").map { $0["id"] })
    #expect(all("e").allSatisfy { $0["cat"] == "effect" })
    // As `retcon effects` says: two were cancelled at once, and the last never ended.
    #expect(
      zip(all("b"), all("e")).map { time($1) - time($0) }
        == [900, 900, 700, 700, 0, 900, 0, 0].map { $0 * 1_000 })
    // Each arrow has both ends, and no two have one id.
    #expect(all("s").map { $0["id"] } == all("f").map { $0["id"] } && all("s").count > 5)
    #expect(Set(all("s").map { $0["id"]?.text() }).count == all("s").count)
    #expect(all("C").map { $0["args"]?["value"] } == [0, 1])
    #expect(events.allSatisfy { $0["pid"] == 1 && $0["tid"] == 1 && $0["name"]?.string != nil })
  }

  @Test("an OTLP trace has the session as a span, with its actions and effects below it")
  func otlp() async throws {
    let answer = await runner.run("convert", await wishes(), "--to", "otlp")
    let resource = list(try Value(parsing: answer.data)["resourceSpans"]).first
    #expect(
      list(resource?["resource"]?["attributes"]).first
        == ["key": "service.name", "value": ["stringValue": "Wishes"]])
    let spans = list(list(resource?["scopeSpans"]).first?["spans"])
    let root = try #require(spans.first)
    let actions = spans.filter { list($0["attributes"]).contains { $0["key"] == "retcon.action" } }
    #expect(actions.count == 28 && root["events"] == nil)
    #expect(root["startTimeUnixNano"] == "1767605400000000000")
    #expect(actions[0]["startTimeUnixNano"] == "1767605400220000000")
    let ids = Set(spans.map { $0["spanId"]?.string })
    #expect(actions.contains { $0["parentSpanId"] != root["spanId"] })
    for span in spans {
      #expect(span["traceId"] == root["traceId"] && span["traceId"]?.string?.count == 32)
      #expect(span["spanId"]?.string?.count == 16)
      let (start, end) = (span["startTimeUnixNano"]?.string, span["endTimeUnixNano"]?.string)
      #expect((start.flatMap { Int($0) } ?? 1) <= (end.flatMap { Int($0) } ?? 0))
    }
    #expect(spans.dropFirst().allSatisfy { ids.contains($0["parentSpanId"]?.string) })
    #expect(Set(spans.map { $0["spanId"]?.text() }).count == spans.count && spans.count > 5)
  }

  @Test("an asciicast is a tour of whole screens, with a marker at each step")
  func asciicast() async throws {
    let file = await wishes()
    _ = await runner.run("mark", "\(file)@14", "here")
    let answer = await runner.run("convert", file, "--to", "asciicast", "-o", "$/tour.cast")
    #expect(answer.status == .yes, "\(answer)")
    let lines = try runner.text(of: "$/tour.cast").split(separator: "\n").map {
      try Value(parsing: String($0))
    }
    #expect(lines[0]["version"] == 2 && lines[0]["width"] == 100 && lines[0]["height"] == 30)
    let markers = lines.filter { $0[1] == "m" }.compactMap { $0[2]?.string }
    #expect(markers.first == "step 0" && markers.contains("step 14") && markers.last == "step 28")
    let screens = lines.filter { $0[1] == "o" }.compactMap { $0[2]?.string }
    #expect(screens.count == markers.count)
    for screen in screens {
      #expect(screen.hasPrefix("\u{1B}[H\u{1B}[2J"))
      #expect(screen.split(separator: "\r\n", omittingEmptySubsequences: false).count == 30)
    }
    let times = lines.dropFirst().compactMap { $0[0].flatMap { Int($0.text()) } }
    #expect(times == times.sorted() && times.last == 2 * (screens.count - 1))
    let new = await runner.run("convert", file, "--to", "asciicast-v3")
    #expect(new.data.hasPrefix(#"{"version":3,"term":{"cols":100,"rows":30}"#))
    #expect(new.data.hasSuffix("[2,\"x\",\"0\"]\n"))
  }

  @Test("SARIF and GitHub name the difference, the session and the place in the source")
  func verify() throws {
    var report = VerifyReport(
      steps: 3,
      divergences: [
        Divergence(
          step: 2, label: "coupon", kind: .crash,
          hint: "RangeError: bad\n at cart (file:///app/cart.mjs:12:5)")
      ])
    report.divergences.append(
      Divergence(
        step: 3, label: "a,b:c%", kind: .state, path: ["total"], recorded: 1, rerun: 2))
    let loading = LoadReport(steps: 3, grade: .fine)
    let verdict = SessionVerdict.report(
      report, VerifyGaps(report, loading, 3...3, first: 0), loading)
    var findings = try Findings(hostWords: ["--host", "H"])
    findings.add(verdict.line(of: "my shop.retcon", HandlerLines([])))
    report.divergences.removeFirst()
    let other = SessionVerdict.report(
      report, VerifyGaps(report, loading, 3...3, first: 0), loading)
    findings.add(other.line(of: "my shop.retcon", HandlerLines([])))
    let sarif = Locked("")
    findings.write(
      as: .sarif,
      in: runner.context(data: { text in sarif.withLock { $0 = text } }, messages: { _ in }))
    let log = try Value(parsing: sarif.withLock { $0 })
    #expect(log["version"] == "2.1.0")
    let run = try #require(list(log["runs"]).first)
    let results = list(run["results"])
    #expect(results.map { $0["ruleId"] } == ["different-state", "crash"])
    let place = list(results[1]["locations"]).first?["physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"] == "file:///app/cart.mjs")
    #expect(place?["region"]?["startLine"] == 12)
    #expect(
      list(results[0]["locations"]).first?["physicalLocation"]?["artifactLocation"]?["uri"]
        == "my%20shop.retcon")
    #expect(
      results[0]["message"]?["text"]
        == "a,b:c%: different state at /total, in 1 session. recorded 1, today 2. Look: retcon 'my shop.retcon@3'"
    )
    let github = Locked("")
    findings.write(
      as: .github,
      in: runner.context(data: { text in github.withLock { $0 = text } }, messages: { _ in }))
    let lines = github.withLock { $0 }.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[1].hasPrefix("::error file=/app/cart.mjs,line=12,title=retcon verify::coupon: crash: "))
    #expect(lines[0].contains("::a,b:c%25: different state at /total"))
    var odd = try Findings(hostWords: [])
    odd.add(other.line(of: "50%\n\r.retcon", HandlerLines([])))
    odd.write(
      as: .github,
      in: runner.context(data: { text in github.withLock { $0 = text } }, messages: { _ in }))
    #expect(github.withLock { $0 }.hasSuffix("Look: retcon '50%25%0A%0D.retcon@3'\n"))
  }

  @Test("verify writes both, with the summary where GitHub Actions wants it")
  func formats() async throws {
    let file = await wishes()
    let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample wishes"]
    let sarif = await runner.run(["verify", file, "--format", "sarif"] + host)
    #expect(sarif.status == .yes, "\(sarif)")
    #expect(list(list(try Value(parsing: sarif.data)["runs"]).first?["results"]) == [])
    let github = await runner.run(["verify", file, "--format", "github"] + host)
    #expect(github.status == .yes && github.data.isEmpty, "\(github)")
    _ = try runner.write("{broken", as: "broken.retcon")
    let unread = await runner.run(["verify", "$/broken.retcon", "--format", "sarif"] + host)
    let result = list(list(try Value(parsing: unread.data)["runs"]).first?["results"]).first
    let words = result?["message"]?["text"]?.string ?? ""
    #expect(unread.status == .trouble && words.contains(". $/broken.retcon, line 1: "), "\(words)")
    #expect(words.ranges(of: "broken.retcon").count == 2 && words.contains(". Look: retcon "))
    let missing = await runner.run(["verify", "$/brocken.retcon", "--format", "github"] + host)
    #expect(
      missing.data.contains(
        "::not run: there is no such file., in 1 session. "
          + "$/brocken.retcon: there is no such file. Did you mean $/broken.retcon? Look: retcon "),
      "\(missing)")
  }

  @Test("a comment says what fails, who sent it, since when, and how to look at it")
  func markdown() async throws {
    let file = try runner.write(
      """
      {"state":{"total":0,"<b>`":1}}
      {"label":"added","action":{"type":"added"},"state":{"total":27,"<b>`":1}}
      {"label":"```coupon|*","action":{"type":"coupon"},"state":{"total":-1,"<b>`":2}}

      """, as: "shop.jsonl")
    let answer = await runner.run("report", file, "--markdown", "--rule", "state.total >= 0")
    #expect(answer.status == .yes)
    let lines = answer.data.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "### shop.jsonl: step 2 ```` ```coupon¦* ````")
    #expect(lines[2] == "✗ breaks the rule state.total >= 0")
    #expect(answer.data.contains("- `/total` is `-1` since step 2 ```` ```coupon¦* ````\n"))
    #expect(answer.data.contains("Look at it: `retcon $/shop.jsonl@2`\n"))
    #expect(
      answer.data.contains("\n```diff\n- /<b>`: 1\n+ /<b>`: 2\n- /total: 27\n+ /total: -1\n```")
        || answer.data.contains("\n```diff\n- /total: 27\n+ /total: -1\n"), "\(answer)")
    let redacted = await runner.run(
      "report", file, "--markdown", "--rule", "state.total >= 0", "--redact", "/total")
    #expect(!redacted.data.contains("-1") && redacted.data.contains("redacted"), "\(redacted)")
    #expect(!redacted.data.contains(" since step "), "\(redacted)")
    let unnamed = await runner.run(
      "report", file, "--markdown", "--rule", "state.total != 27", "--redact-text", "shop|27")
    #expect(!unnamed.data.contains("shop") && !unnamed.data.contains("27"), "\(unnamed)")
    #expect(unnamed.data.hasPrefix(#"### \<redacted>: step 1 `added`"#), "\(unnamed)")
    #expect(unnamed.data.contains("✗ \\<redacted>\n"), "\(unnamed)")
  }

  @Test(
    "with a reducer the comment has the smallest session in a folded block",
    .needs(.node))
  func smallest() async throws {
    try runner.writeCounter(
      #"{"type":"add","by":2}"#, #"{"type":"other"}"#, #"{"type":"add"}"#)
    let answer = await runner.run(
      "report", "$/export.json", "--markdown", "--rule", "state.count < 2", "--reducer",
      "$/counter.mjs")
    #expect(answer.status == .yes, "\(answer)")
    #expect(
      answer.data.contains(
        "\n\nThis 1 of 1 action is enough. ✗ breaks the rule state.count < 2\n\n- `/count` is `"),
      "\(answer)")
    #expect(answer.data.contains("<details><summary>The smallest session: 1 of 1 "), "\(answer)")
    #expect(answer.data.contains("\n```text\nadd  {type: \"add\", by: 2}\n```"), "\(answer)")
    #expect(answer.data.hasSuffix(" --reducer $/counter.mjs`\n"), "\(answer)")
  }

  @Test("an index lists the sessions of a folder by what fails, and says which cannot be read")
  func index() async throws {
    let folder = runner.folder + "/all"
    let evil = "</li><script>alert(1)</script>\u{1B}[31m"
    // Seven are fine, five crash alike, four too but otherwise, two break the rule; and two odd ones.
    for n in 1...19 {
      let name = n == 19 ? "<b>&\u{1B}" : "s\(n)"
      let writer = try SessionWriter(
        path: "\(runner.folder)/\(name).retcon", header: SessionHeader(state: ["total": 0]))
      var step = Step(number: 1, label: n == 19 ? evil : "set", action: .null)
      step.error = n < 8 || n > 16 ? nil : n < 13 ? "no card \(n)" : "timeout after \(n) ms"
      if n == 19 { step.error = evil }
      try writer.append(step, state: ["total": Value(n == 17 || n == 18 ? -n : n)])
      try writer.finish()
    }
    _ = try runner.write("{broken", as: "unreadable.retcon")
    _ = try runner.write("{\"action\":1}\n", as: "log.jsonl")
    let words = ["report", "$", "-o", folder, "--rule", "state.total >= 0"]
    let answer = await runner.run(words)
    #expect(answer.status == .trouble)
    #expect(
      answer.messages
        == "$/all/index.html is written: 20 sessions, 12 with failures, 1 could not be read. "
        + "Not in it: 1 other file; name files to add them.\n")
    let page = try runner.text(of: "$/all/index.html")
    let headings = page.split(separator: "<h2").dropFirst().map {
      String($0.drop { $0 != ">" }.dropFirst().prefix { $0 != "/" })
    }
    #expect(
      headings.prefix(3) == [
        "set: no card # <small>5 sessions<", "set: timeout after # ms <small>4 sessions<",
        "set: breaks the rule state.total &gt;= 0 <small>2 sessions<",
      ])
    #expect(headings.count == 6 && headings.last == "No failure <small>7 sessions<")
    #expect(
      page.contains(".html\">$/&lt;b&gt;&amp;␛.retcon</a>".replacing("$", with: runner.folder)))
    #expect(!page.contains("<script") && !page.contains("\u{1B}"))
    #expect(page.contains("default-src 'none'"))
    let link = try #require(page.firstRange(of: "href=\""))
    let first = page[link.upperBound...].prefix { $0 != "\"" }
    #expect(try runner.text(of: "$/all/\(first)").contains("Retcon report"))
    let again = await runner.run(words)
    #expect(again.status == .trouble && again.messages.contains("a file of this name exists"))
  }
}

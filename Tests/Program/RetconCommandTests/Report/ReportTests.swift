import Debugger
import Platform
import SessionFile
import SessionImports
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import RetconCommand

@Suite("retcon report")
struct ReportTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private let shop = """
    {"state":{"items":0,"total":0}}
    {"label":"added","action":{"type":"added"},"state":{"items":1,"total":27}}
    {"label":"coupon","action":{"type":"coupon"},"state":{"items":1,"total":-1}}
    {"label":"removed","action":{"type":"removed"},"error":"TypeError: no item","state":{"items":0,"total":-1}}

    """

  @Test("it says where it opens, replaces no file, and needs a name to write to")
  func words() async throws {
    let file = try runner.write(shop, as: "shop.jsonl")
    let first = await runner.run("report", file, "-o", "$/shop.html")
    #expect(first.status == .yes)
    #expect(
      first.messages
        == "$/shop.html is written. shop.jsonl: 3 steps. Step 3 removed: TypeError: no item\n")
    let again = await runner.run("report", file, "-o", "$/shop.html")
    #expect(
      again.status == .trouble
        && again.messages.contains("a file of this name exists. Add -f to replace it"))
    let ruled = await runner.run(
      "report", file, "-o", "$/shop.html", "-f", "--rule", "state.total >= 0")
    #expect(
      ruled.messages.hasSuffix(
        "Step 2 coupon: breaks the rule state.total >= 0. Then 3 removed: TypeError: no item\n"))
    let nameless = await runner.run("report", file)
    #expect(nameless.messages == "retcon: report needs a file to write. Write -o NEW.html.\n")
    let itself = await runner.run("report", file, "-o", file, "-f")
    #expect(itself.status == .trouble)
    #expect(try runner.text(of: file) == shop)
  }

  @Test("redacted texts are in no name of a page, no title, and no rule")
  func names() async throws {
    _ = try runner.write(shop, as: "Ann.jsonl")
    let words = ["--redact-text", "Ann|27", "--rule", "state.total != 27"]
    let one = await runner.run(["report", "$/Ann.jsonl", "-o", "$/page.html"] + words)
    let summary =
      "<redacted>: 3 steps. Step 1 added: <redacted>. Then 3 removed: TypeError: no item"
    #expect(one.messages == "$/page.html is written. \(summary)\n")
    let page = try runner.text(of: "$/page.html")
    #expect(!page.contains("Ann.jsonl") && page.contains("&lt;redacted&gt;: 3 steps"))
    let both = ["$/Ann.jsonl", "$/Ann.jsonl", "-o", "$/all"]
    #expect(await runner.run(["report"] + both + words).status == .yes)
    #expect(namesInFolder(runner.folder + "/all").allSatisfy { !$0.contains("Ann") })
    #expect(try !runner.text(of: "$/all/index.html").contains("Ann"))
  }

  @Test("it replaces neither a folder nor the session, also when told to replace")
  func targets() async throws {
    let path = runner.folder + "/session.retcon"
    let writer = try SessionWriter(path: path, header: SessionHeader(state: ["n": 0]))
    try writer.append(Step(number: 1, label: "counted", action: .null), state: ["n": 1])
    try writer.finish()
    let before = try runner.text(of: "$/session.retcon")
    var report = SessionReport(OpenSession(SessionRecording(try SessionReader(path: path))))
    report.replaces = true
    for (target, problem) in [
      (path, SessionError.Problem.isTheSession), (runner.folder, .isFolder),
    ] {
      await #expect { try await report.write(to: target) } throws: {
        ($0 as? SessionError)?.problem == problem
      }
    }
    #expect(try runner.text(of: "$/session.retcon") == before)
  }

  @Test("the policy allows the page's own script and style, and nothing else")
  func policy() async throws {
    let file = try runner.write(shop, as: "a<script>alert(1).jsonl")
    _ = await runner.run("report", file, "-o", "$/shop.html")
    let page = try runner.text(of: "$/shop.html")
    let start = try #require(page.firstRange(of: "Content-Security-Policy\" content=\""))
    let policy = page[start.upperBound...].prefix { $0 != "\"" }
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
    #expect(policy.contains("; style-src 'sha256-") && !policy.contains("unsafe"))
    #expect(page.ranges(of: "<script").count == 2 && page.contains("<title>a&lt;script&gt;"))
  }

  @Test("no control character of a name or a label is in the page, its title or its noscript")
  func controls() async throws {
    let hostile = "a\u{1B}[31m\u{202E}\u{9B}b"
    let file = try runner.write(
      #"{"action":{"type":"a\u001b\u202e\u009bb"},"state":{"n":1}}"# + "\n", as: "\(hostile).jsonl")
    _ = await runner.run("report", file, "--rule", "state.n != 1", "-o", "$/shop.html")
    let page = try runner.text(of: "$/shop.html")
    #expect(page.contains("<title>a␛[31m"), "\(page.prefix(800))")
    let hidden = page.unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
    }
    #expect(hidden.isEmpty)
  }

  @Test("a session that is too large is there around its position, and the report says so")
  func large() async throws {
    let path = runner.folder + "/long.retcon"
    let writer = try SessionWriter(path: path, header: SessionHeader(state: ["n": 0]))
    for n in 1...400 {
      try writer.append(
        Step(number: n, label: "counted", action: .string(String(repeating: "x", count: 100))),
        state: ["n": .number(Number(n))])
    }
    try writer.finish()
    try Sidecar(session: path).update {
      $0.branches = [
        SavedBranch(name: "less", script: Script(leavesAt: 3, edits: [.skip(step: 4)]))
      ]
    }
    let session = OpenSession(
      SessionRecording(try SessionReader(path: path)), sidecar: Sidecar(session: path))
    var report = SessionReport(session)
    report.limit = 10_000
    report.position = Position(step: 300)
    let written = try await report.write(to: runner.folder + "/long.html")
    #expect(written.summary.contains("long.retcon"))
    guard Need.node.isMet, Need.chromium.isMet else { return }
    let browser = try Browser()
    try browser.open(runner.folder + "/long.html")
    #expect(try browser.step == "300")
    let notes = try browser.text(of: "#notes")
    #expect(notes.contains("of 400 steps: more do not fit into one."), "\(notes)")
    #expect(notes.contains("The fork “less” has not run: its steps need the app's reducer"))
    #expect(try browser.leaves(of: 0, at: 300) == ["/n 300"])
  }
}

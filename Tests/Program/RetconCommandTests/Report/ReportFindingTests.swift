import Platform
import Testing
import ValueTree

@testable import RetconCommand

@Suite("A report of what differs today", .needs(.node))
struct ReportFindingTests {
  private let runner: CommandRunner
  private let host = ["--reducer", "$/cart.mjs"]

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      export default (state = { total: 0 }, { type, by }) =>
        type === 'add' ? { total: state.total + by } : type === 'coupon' ? { total: state.total - 2 } : state;
      """, as: "cart.mjs")
  }

  private func session(_ name: String, adds: Int, total: Int?) throws -> String {
    var text = #"{"state":{"total":0}}"# + "\n"
    for n in 1...adds {
      text += #"{"action":{"type":"add","by":3},"state":{"total":\#(3 * n)}}"# + "\n"
    }
    if let total { text += #"{"action":{"type":"coupon"},"state":{"total":\#(total)}}"# + "\n" }
    return try runner.write(text, as: name)
  }

  @Test("only a host says that no failure was found; the head says what was run and by what")
  func verdict() async throws {
    let good = try session("good.jsonl", adds: 2, total: nil)
    let bare = await runner.run("report", good, "-o", "$/bare.html")
    #expect(
      bare.messages == "$/bare.html is written. good.jsonl: 2 steps. Not run with a reducer.\n")
    let run = await runner.run(["report", good, "-o", "$/run.html"] + host)
    #expect(run.messages == "$/run.html is written. good.jsonl: 2 steps. No failure was found.\n")
    let page = await runner.run(["report", good, "-o", "-"] + host)
    #expect(page.status == .yes && page.data.hasPrefix("<!doctype html>"))
    #expect(page.messages == "good.jsonl: 2 steps. No failure was found.\n")
  }

  @Test("a crash behind the step that differs is told beside it, and is not its cause")
  func crashBehind() async throws {
    _ = try runner.write(
      """
      export default (state = { total: 0, user: null }, { type, by }) =>
        type === 'add' ? { ...state, total: state.total + by }
          : type === 'coupon' ? { ...state, total: state.total - 2 }
          : type === 'paid' ? { ...state, by: state.user.name } : state;
      """, as: "shop.mjs")
    let file = try runner.write(
      """
      {"state":{"total":0,"user":null}}
      {"action":{"type":"add","by":3},"state":{"total":3,"user":null}}
      {"action":{"type":"coupon"},"state":{"total":2,"user":null}}
      {"action":{"type":"paid"},"state":{"total":2,"user":null,"by":"guest"}}

      """, as: "shop.jsonl")
    let words = ["--reducer", "$/shop.mjs"]
    let why = await runner.run(["why", file, "--divergence"] + words)
    #expect(why.data.hasPrefix("2 coupon  "), "\(why)")
    #expect(why.data.contains("\n2 coupon meets the same values only if 1 add came before it.\n"))
    let report = await runner.run(["report", file, "-o", "$/shop.html"] + words)
    let told = report.messages
    #expect(told.contains("recorded 2, today 1. 2 coupon meets the same values only"), "\(told)")
    #expect(told.contains(". Then today/3 paid: crashed: TypeError"), "\(told)")
    let folder = await runner.run(["report", file, file, "-o", "$/pages"] + words)
    #expect(folder.status == .yes)
    let index = try runner.text(of: "$/pages/index.html")
    #expect(index.contains("<p>2 sessions: 0 as recorded, 2 differ; 1 finding."), "\(index)")
  }

  @Test("a session that differs today opens there, with both states", .needs(.chromium))
  func beside() async throws {
    let bad = try session("bad.jsonl", adds: 2, total: 5)
    let answer = await runner.run(["report", bad, "-o", "$/bad.html"] + host)
    #expect(
      answer.messages
        == "$/bad.html is written. bad.jsonl: 3 steps. Step 3 coupon: differs today: "
        + "different state at /total: recorded 5, today 4. 3 coupon meets the same values only if "
        + "all of these came before it: 1 add, 2 add.\n")
    let browser = try Browser()
    try browser.open(runner.folder + "/bad.html")
    let detail = try browser.text(of: "#detail")
    #expect(
      try browser.step == "3" && detail.contains("Different from 3 coupon of main:"), "\(detail)")
    #expect(detail.contains("5 → 4"), "\(detail)")
    #expect(try browser.text(of: "#facts").hasSuffix("Retcon \(version)"))
    #expect(try browser.text(of: "#missing") == "")
    try browser.open(runner.folder + "/bad.html", at: "#step=2&branch=else")
    #expect(try browser.text(of: "#missing") == "This report has no branch “else”.")
    let markdown = await runner.run(["report", bad, "--markdown"] + host)
    #expect(
      markdown.data.contains("✗ differs today: different state at /total: recorded 5, today 4\n"),
      "\(markdown)")
    #expect(markdown.data.contains("```diff\n- recorded\n+ today\n- /total: 5\n+ /total: 4\n```"))
  }

  @Test("a step that crashes today is red, beside what was recorded", .needs(.chromium))
  func crash() async throws {
    _ = try runner.write(
      """
      export default (state, { type }) => {
        if (type === 'paid') throw new TypeError('no user');
        return { ...state, total: state.total + 1 };
      };
      """, as: "shop.mjs")
    let file = try runner.write(
      """
      {"retcon":"1.1","session":"shop","state":{"total":0}}
      {"step":1,"label":"add","action":{"type":"add"},"state":{"total":1}}
      {"step":2,"label":"paid","action":{"type":"paid"},"state":{"total":1,"by":"guest"}}

      """, as: "shop.retcon")
    let answer = await runner.run(["report", file, "-o", "$/shop.html", "--reducer", "$/shop.mjs"])
    #expect(answer.messages.contains("differs today: crash: TypeError"), "\(answer)")
    #expect(!answer.messages.contains("Then"), "\(answer)")
    let browser = try Browser()
    try browser.open(runner.folder + "/shop.html")
    let detail = try browser.text(of: "#detail")
    #expect(detail.contains("What was changed by 2 paid of main:"), "\(detail)")
    #expect(detail.contains("by") && detail.contains("guest"), "\(detail)")
    #expect(detail.contains("sent by the user"), "\(detail)")
    #expect(try browser.text(of: ".row.bad").contains("✗"))
  }

  @Test("a folder has one page for each finding, and an index that names all its sessions")
  func index() async throws {
    let files = try (1...4).map { n in try session("s\(n).jsonl", adds: n, total: 3 * n - 1) }
    let good = try session("good.jsonl", adds: 2, total: nil)
    let answer = await runner.run(["report"] + files + [good, "-o", "$/all"] + host)
    #expect(
      answer.messages == "$/all/index.html is written: 5 sessions, 4 with failures (1 finding).\n")
    #expect(
      namesInFolder(runner.folder + "/all") == [
        "1-s1.jsonl.html", "5-good.jsonl.html", "index.html",
      ])
    let page = try runner.text(of: "$/all/index.html").replacing(runner.folder, with: "$")
    #expect(
      page.contains(
        #"<h2 class="bad">coupon: different state at /total <small>4 sessions</small></h2>"#))
    #expect(page.contains(#"<a href="1-s1.jsonl.html">$/s1.jsonl@2</a> <span>recorded 2, today 1"#))
    #expect((2...4).allSatisfy { page.contains("<li>$/s\($0).jsonl@\($0 + 1)</li>") })
    let redacted = await runner.run(
      ["report"] + files + ["-o", "$/less", "--redact", "/total"] + host)
    #expect(redacted.status == .yes, "\(redacted)")
    let less = try runner.text(of: "$/less/index.html")
    #expect(!less.contains("today 1"), "\(less)")
  }
}

import Platform
import Samples
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import RetconCommand

/// Everything that only a browser can tell. It has no network, and its console has to be silent.
@Suite(
  "A report in a browser", .serialized,
  .needs(.node, .chromium))
struct ReportPageTests {
  private let runner: CommandRunner
  private let browser: Browser

  init() throws {
    runner = try CommandRunner()
    browser = try Browser()
  }

  private func page(_ words: String...) async throws -> String {
    let answer = await runner.run(["report", "-f", "-o", "$/report.html"] + words)
    #expect(answer.status == .yes, "\(answer)")
    return runner.folder + "/report.html"
  }

  private func wishes() async -> String {
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
    return "$/wishes.retcon"
  }

  @Test("it opens at the position, else at what failed, and goes by keys, list and address")
  func moving() async throws {
    let file = await wishes()
    try browser.ask(["size": [1280, 800]])
    try browser.open(try await page("\(file)@14"))
    #expect(try browser.step == "14")
    // The rows fill the list, which has its height only when the rest is drawn.
    #expect(
      try browser.run(
        "$('list').getBoundingClientRect().bottom - Math.max(...[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().bottom)) < 1"
      ) == true)
    let detail = try browser.text(of: "#detail")
    #expect(detail.contains("destination.submit.isSaving") && detail.contains("sent by save"))
    try browser.press("j", "j", "k")
    #expect(try browser.step == "15")
    try browser.press("G")
    #expect(try browser.step == "28")
    try browser.press("g")
    #expect(try browser.step == "0")
    let report = try await page("--rule", "step != 9 && step != 20", file)
    try browser.open(report)
    #expect(try browser.step == "9")
    // A failure that an action carries counts, too.
    try browser.press("e")
    #expect(try browser.step == "14")
    try browser.press("e")
    #expect(try browser.step == "20")
    try browser.press("E", "E")
    #expect(try browser.step == "9")
    try browser.open(report, at: "#step=17")
    try browser.press("c")
    #expect(try browser.step == "16")
  }

  @Test("the red box goes back to the failure; parts that a step opened close with the next one")
  func newcomer() async throws {
    let file = try runner.write(
      """
      {"state":{"cart":{"lines":[]},"form":{"name":""},"total":0}}
      {"label":"added","action":{"type":"added"},"state":{"cart":{"lines":[9]},"form":{"name":""},"total":9}}
      {"label":"coupon","action":{"type":"coupon"},"state":{"cart":{"lines":[9]},"form":{"name":"x"},"total":-1}}

      """, as: "shop.jsonl")
    try browser.open(try await page("--rule", "state.total >= 0", file))
    #expect(try browser.text(of: "#why") == "Step 2 coupon: breaks the rule state.total >= 0")
    func open(_ part: String) throws -> Value {
      try browser.run("\(name(part)).closest('details').open")
    }
    func name(_ part: String) -> String {
      "[...document.querySelectorAll('#state .k')].find((one) => one.textContent === '\(part)')"
    }
    func click(_ element: String) throws {
      _ = try browser.run("\(element).click(), new Promise(setTimeout)")
    }
    try browser.press("k")
    #expect(try open("cart") == true && open("form") == false)
    try click("document.querySelector('#why a')")
    try browser.press("x")
    #expect(try browser.step == "2")
    #expect(try open("cart") == false && open("form") == true)
    try click(name("cart"))
    try browser.press("k", "k")
    #expect(try open("cart") == true && open("form") == false)
  }

  @Test("dragging the slider shows the step under the pointer, and the list keeps up")
  func scrubbing() async throws {
    var log = #"{"state":{"total":0}}"# + "\n"
    for n in 1...900 {
      log += #"{"label":"added \#(n)","action":{"type":"added"},"state":{"total":\#(n)}}"# + "\n"
    }
    try browser.open(try await page(try runner.write(log, as: "long.jsonl")))
    let wrong = try browser.run(
      """
      (async () => {
        const wrong = [];
        for (let n = 0; n < 60; n++) {
          const step = n % 3 ? Math.min(here.step + 9, 900) : n * 577 % 901;
          $('slider').value = step;
          $('slider').dispatchEvent(new Event('input'));
          await drawing;
          if (+document.body.dataset.step !== step) wrong.push('at ' + document.body.dataset.step + ', not ' + step);
          const rows = [...document.querySelectorAll('.row')];
          if (rows.some((row, n) => n && +row.dataset.step !== +rows[n - 1].dataset.step + 1)) wrong.push('not in order');
          for (const row of rows) {
            const label = +row.dataset.step ? 'added ' + row.dataset.step : 'init';
            if (!row.textContent.includes(label)) wrong.push(label + ' shown as ' + row.textContent);
            if ((row.getAttribute('aria-selected') === 'true') !== (+row.dataset.step === here.step)) wrong.push(label + ' selected');
          }
          if (!document.querySelector('#detail h2').textContent.startsWith(here.step + ' ')) wrong.push('detail');
        }
        return wrong;
      })()
      """)
    #expect(wrong == [])
  }

  @Test("it filters the steps by what the list shows of them")
  func filtering() async throws {
    let file = await wishes()
    try browser.open(try await page(file))
    func hits(_ text: String) throws -> Value {
      let value = Value.string(text).text()
      return try browser.run("$('search').value = \(value), filter(), filtered ?? null")
    }
    #expect(try hits("SAVEWISH") == [14, 17])
    try browser.press("g", "n")
    #expect(try browser.step == "14")
    try browser.press("n", "n", "N")
    #expect(try browser.step == "14")
    #expect(try browser.text(of: "#found") == "2 steps")
    try browser.press("Escape")
    #expect(try browser.run("filtered ?? null") == .null)
    #expect(try hits("nothing like it") == [])
  }

  @Test("who set a value is a link, as retcon blame says it")
  func blame() async throws {
    let file = await wishes()
    try browser.open(try await page(file), at: "#step=28")
    let session = OpenSession(
      SessionRecording(try SessionReader(path: runner.folder + "/wishes.retcon")))
    for (place, step) in [("/name", 28), ("/discoverButtonState", 20), ("/path/nextID", 28)] {
      let known = try await session.history(
        of: try Pointer(place), at: Position(step: step), limit: 20)
      let shown = try browser.run(
        """
        (async () => {
          here = { branch: 0, step: \(step) };
          let [row] = stateRows(await blockOf(0, \(step)), \(step));
          for (const key of '\(place)'.split('/').slice(1)) row = row.inner.find((one) => one.key === key);
          const item = h('li', {});
          await showHistory(row, item);
          return [...item.querySelectorAll('li')].map((one) => +/steps (\\d+) –/.exec(one.textContent)[1]);
        })()
        """)
      let steps = known.periods.filter { $0.steps.lowerBound <= step }.map(\.steps.lowerBound)
      #expect(shown == Value.list(steps.reversed()) { Value($0) }, "\(place)@\(step)")
    }
    try browser.open(runner.folder + "/report.html", at: "#step=27")
    let before = try browser.text(of: "#detail .changes")
    #expect(before.contains("name") && before.contains("before: set by 26 binding.name"))
    _ = try browser.run("document.querySelector('.changes a').click(), drawing")
    #expect(try browser.step == "26")
    #expect(try browser.run("location.hash.startsWith('#step=26')") == true)
  }

  @Test("the forks are beside the recording, and each step says what it is worth")
  func forks() async throws {
    let file = await wishes()
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample wishes"
    _ = await runner.run(
      "fork", "\(file)@24", "--replace", "destination.presented.submit.save", "--name", "saved",
      "--host", host)
    try browser.open(try await page("\(file)@saved/25", "--host", host))
    #expect(try browser.text(of: "#detail").contains("run again: different from the recording"))
    #expect(try browser.text(of: "#detail").contains("Different from 26 binding.name of main:"))
    #expect(try browser.text(of: "#fork").contains("leaves the recording after step 23"))
    try browser.press("B")
    #expect(try browser.run("here.branch") == 0)
    try browser.press("B")
    #expect(try browser.run("[here.branch, here.step]") == [1, 25])
    let state = await runner.run("state", "\(file)@saved/25", "--json", "--host", host)
    #expect(
      try Browser.leaves(of: Value(parsing: state.data)) == browser.leaves(of: 1, at: 25))
  }

  @Test("the states of 200 random steps are those of retcon state")
  func states() async throws {
    let path = runner.folder + "/random.retcon"
    var random = SeededGenerator(seed: 42)
    var state: Value = ["list": [], "__proto__": ["constructor": 1], "text": "", "number": 0.1]
    let writer = try SessionWriter(path: path, header: SessionHeader(state: state))
    let odd: [Value] = [
      try Value(parsing: "18446744073709551615"), try Value(parsing: "0.10"),
      try Value(parsing: "1e400"), "\u{0}\"\\é🎁", .null, [], [:], ["__proto__": ["a/b~c": []]],
    ]
    for n in 1...1_200 {
      guard case .object(var object) = state, case .array(let old)? = object["list"] else { return }
      var list = Array(old)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where !list.isEmpty: list.remove(at: Int.random(in: list.indices, using: &random))
      case 1 where !list.isEmpty: list.shuffle(using: &random)
      default:
        let value = odd.randomElement(using: &random) ?? .null
        list.insert(
          ["id": Value(n), "is": value], at: Int.random(in: 0...list.count, using: &random))
      }
      object["list"] = .array(ValueArray(list.prefix(30)))
      object["__proto__"] = ["constructor": Value(n)]
      object["text"] = odd.randomElement(using: &random)
      state = .object(object)
      try writer.append(Step(number: n, label: "changed", action: .null), state: state)
    }
    try writer.finish()
    try browser.open(try await page("$/random.retcon"))
    #expect(try browser.run("branches[0].firsts.length > 1") == true)
    let reader = try SessionReader(path: path)
    for _ in 0..<200 {
      let step = Int.random(in: 0...1_200, using: &random)
      let state = try reader.state(after: step)
      #expect(try browser.leaves(of: 0, at: step) == Browser.leaves(of: state), "step \(step)")
    }
  }

  @Test("a damaged block is a hole in the session, not the end of the page")
  func damage() async throws {
    var log = #"{"state":{"n":0,"text":""}}"# + "\n"
    let text = String(repeating: "text ", count: 600)
    for n in 1...200 {
      log +=
        #"{"label":"added","action":{"type":"added"},"state":{"n":\#(n),"text":"\#(text)\#(n)"}}"#
        + "\n"
    }
    _ = try await page(try runner.write(log, as: "long.jsonl"))
    var lines = try runner.text(of: "$/report.html").split(
      separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.contains(#"id="session">"#) })
    // The facts, then the blocks.
    lines[first + 1] = lines[first + 1].prefix(400)
    let path = try runner.write(lines.joined(separator: "\n"), as: "damaged.html")
    try browser.open(path.replacing("$", with: runner.folder))
    #expect(try browser.step == "200")
    #expect(try browser.leaves(of: 0, at: 200).first == "/n 200")
    #expect(try browser.leaves(of: 0, at: 5) == [])
    try browser.press("g", "j")
    #expect(try browser.text(of: "#detail").contains("This part of the report is damaged."))
  }

  @Test("hostile names are shown and do nothing, also those of damaged files")
  func hostile() async throws {
    let evil = "</script><img src=x onerror=alert(1)>\u{202E}\u{1B}[31m&lt;\u{7}"
    let path = runner.folder + "/evil.retcon"
    let writer = try SessionWriter(
      path: path, header: SessionHeader(app: .init(evil), state: [evil: .string(evil)]))
    for n in 1...3 {
      var step = Step(number: n, label: evil, action: [evil: [.string(evil)]])
      step.error = evil
      step.stack = evil
      step.reads = [Read(key: evil, arguments: [.string(evil)], value: .string(evil))]
      try writer.append(step, state: [evil: .string("\(evil)\(n)"), "__proto__": .string(evil)])
      try writer.append(
        EffectEvent(
          effect: EffectID(n), step: n,
          kind: .started(EffectOrigin(step: n, name: evil, file: evil, line: 1))
        ))
      try writer.append(EffectEvent(effect: EffectID(n), step: n, kind: .failed(evil)))
      try writer.append(Signpost(evil, step: n))
    }
    try writer.finish()
    _ = await runner.run("mark", "$/evil.retcon@2", evil)
    try browser.open(try await page("$/evil.retcon@2"))
    let shown = try browser.text(of: "#detail")
    #expect(
      shown.contains("<img src=x onerror=alert(1)>\\u{202e}\\u{1b}[31m&lt;\\u{7}"), "\(shown)")
    #expect(try browser.run("document.querySelectorAll('img').length") == 0)
    #expect(try browser.run("({}).constructor === Object") == true)
    let seeds = "\(Checkout.root)/Tests/Fuzz"
    for folder in ["SessionReaderSeeds", "SessionsSeeds", "ImportsSeeds"] {
      for name in namesInFolder("\(seeds)/\(folder)") {
        let answer = await runner.run(
          "report", "-f", "-o", "$/seed.html", "\(seeds)/\(folder)/\(name)")
        guard answer.status == .yes else { continue }
        try browser.open(runner.folder + "/seed.html")
        _ = try browser.run(
          "(async () => { for (let n = firstOf(); n <= Math.min(lastOf(0), 40); n++) { here = { branch: 0, step: n }; await draw(); } })()"
        )
      }
    }
  }

  @Test("what is redacted is nowhere in the file")
  func redacted() async throws {
    let file = await wishes()
    _ = await runner.run("mark", "\(file)@9", "Stef told us")
    try browser.open(
      try await page("\(file)@9", "--redact", "/name", "--redact-text", "Ste?f?|St"))
    let found = try browser.run(
      "Promise.all(branches.flatMap(({ pieces }) => pieces.map(unpacked))).then((blocks) => JSON.stringify([facts, branches, blocks]))"
    )
    #expect(found.string?.contains("Stef") == false)
    #expect(try browser.leaves(of: 0, at: 9).contains(#"/name "<redacted>""#))
  }

  @Test("it fits a phone, has dark colours, names its parts, and prints")
  func looks() async throws {
    let file = await wishes()
    try browser.ask(["size": [390, 844, 2], "scheme": "dark"])
    try browser.open(try await page("\(file)@14"))
    #expect(try browser.run("document.documentElement.scrollWidth <= 390") == true)
    #expect(try browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(23, 25, 28)")
    #expect(
      try browser.run("document.querySelector('[aria-selected=true][role=option]').innerText")
        .string?.hasPrefix("14") == true)
    let nameless = try browser.run(
      "[...document.querySelectorAll('button, input, select')].filter((one) => !(one.getAttribute('aria-label') || one.innerText.trim() || one.closest('label') || one.offsetParent === null)).map((one) => one.outerHTML)"
    )
    #expect(nameless == [])
    #expect(
      try browser.text(of: "#live").hasPrefix(
        "Step 14, destination.presented.submit.saveWishResponse"))
    try browser.ask(["size": [1280, 800], "scheme": "light", "media": "print"])
    #expect(try browser.run("getComputedStyle(document.querySelector('.steps')).display") == "none")
    #expect(try browser.run("document.querySelector('#detail').offsetHeight > 100") == true)
  }
}

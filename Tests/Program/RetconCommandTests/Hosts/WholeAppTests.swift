import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// An app records itself with what the outside answers. Its forks run its middleware again.
@Suite("Apps that run whole", .needs(.node))
struct WholeAppTests {
  private let recorded: RecordedApp
  private var runner: CommandRunner { recorded.runner }

  init() throws { recorded = try RecordedApp() }

  private static let zustand = """
    import { record } from './retcon-recorder.mjs';
    \(SmallStore.zustandInJavaScript)
    const recorder = record({ name: 'shop', file: 'shop.retcon', world: true });
    export const store = create(recorder.zustand((set, get) => ({
      count: 0, found: null, seen: null,
      add: (by) => set((state) => ({ count: state.count + by })),
      find: async (item) => {
        const answer = await fetch(`/price?item=${item}`);
        set({ found: (await answer.json()).price });
        get().look();
      },
      look: () => set((state) => ({ seen: state.count })),
    })));

    """

  @Test("the recorder keeps calls, requests and timers, and verify runs them again")
  func verified() async throws {
    let labels = try recorded.record("{ type: 'added', by: 7 }", "price('tea')", "checkout()")
    #expect(
      labels == [
        "added", "price()", "GET /price 200", "priced", "checkout()", "POST /checkout 200",
        "settled",
      ])
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(
      try session.steps.dropFirst().map { try session.step($0).cause } == [
        .user, .user, .effect(1), .output(of: 3), .user, .effect(2), .output(of: 6),
      ])
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(answer.data.contains("7 steps were run again, all as recorded"), "\(answer)")
    #expect(
      (answer.data + answer.messages).contains("2 requests and 0 timers came again"), "\(answer)")
  }

  @Test("secret fields of an address do not reach the file")
  func redacted() throws {
    let app = RecordedApp.app.replacing("world: true", with: "world: true, redact: ['item']")
    _ = try recorded.record("price('SECRET')", app: app)
    let text = try runner.text(of: "$/shop.retcon")
    #expect(text.contains("/price?item=<redacted>") && !text.contains("?item=SECRET"))
  }

  @Test("a fork without an action runs its thunks otherwise, and knows it")
  func skipped() async throws {
    _ = try recorded.record(
      "{ type: 'added', by: 3 }", "{ type: 'added', by: 4 }", "checkout()", "price('tea')")
    let (steps, state) = try await recorded.fork(at: 2, "--skip")
    #expect(steps == ["added", "checkout()", "failed", "price()", "GET /price 200", "priced"])
    #expect(state?["saved"] == "too little" && state?["prices"]?["tea"] == 15)
  }

  @Test("what asks a new question is open, and nothing else before it")
  func newQuestion() async throws {
    _ = try recorded.record(
      "{ type: 'added', by: 3 }", "{ type: 'added', by: 7 }", "price('tea')", "checkout()")
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["added", "price()", "GET /price 200", "priced", "checkout()"])
    let answer = await runner.run(
      "fork", "$/shop.retcon@1", "--skip", "--reducer", "$/app.mjs")
    #expect(
      answer.data.contains(#"waits for fetch("POST", "/checkout", "{\"total\":7}")"#), "\(answer)")
  }

  @Test("an effect that asks the same, and knows more, is run and not believed")
  func knowsMore() async throws {
    _ = try recorded.record(
      "{ type: 'added', by: 7 }", "checkout()", "{ type: 'typed', text: 'go' }")
    let (steps, state) = try await recorded.fork(
      at: 2, "--send", #"{"type":"typed","text":"stop"}"#)
    #expect(
      steps == [
        "added", "checkout()", "typed", "POST /checkout 200", "typed", "timer 300 ms", "settled",
      ])
    #expect(state?["saved"] == "go")
  }

  @Test("an answer that the user changes is what the app gets")
  func otherAnswer() async throws {
    _ = try recorded.record("price('tea')", "{ type: 'added', by: 1 }")
    let answer =
      #"{"type":"GET /price 503","retcon":{"answer":"s1.1","status":503,"body":"{\"price\":99}"}}"#
    #expect(try await recorded.fork(at: 2, "--replace", answer).state?["prices"]?["tea"] == 99)
    let failure =
      #"{"type":"GET /price failed","retcon":{"answer":"s1.1","error":"TypeError: offline"}}"#
    let (steps, state) = try await recorded.fork(at: 2, "--replace", failure)
    #expect(steps == ["price()", "GET /price failed", "failed", "added"])
    #expect(state?["saved"] == "offline")
  }

  @Test("a timer that nothing stops any more ends in a fork, in its time")
  func timers() async throws {
    let labels = try recorded.record(
      "{ type: 'typed', text: 'a' }", "{ type: 'typed', text: 'ab' }", "{ type: 'added', by: 1 }")
    #expect(labels == ["typed", "typed", "added", "timer 300 ms", "settled"])
    let (steps, state) = try await recorded.fork(at: 2, "--skip")
    #expect(steps == ["typed", "added", "timer 300 ms", "settled"])
    #expect(state?["saved"] == "a")
  }

  @Test("two timers that end at once are no known order, unless they are as long")
  func tied() async throws {
    let later =
      "later: (type, wait) => (dispatch) => { setTimeout(() => dispatch({ type }), wait); }"
    let app = RecordedApp.app.replacing("price: (item)", with: "\(later),\n price: (item)")
      .replacing("{ price, checkout }", with: "{ later, price, checkout }")
    _ = try recorded.record("{ type: 'added', by: 1 }", "later('short', 200)", app: app)
    func call(_ wait: Int) -> String {
      #"{"type":"later()","retcon":{"call":"later","arguments":["long",\#(wait)]}}"#
    }
    let (tied, _) = try await recorded.fork(at: 1, "--send", call(300))
    #expect(
      tied == ["added", "later()", "later()", "timer 300 ms?", "long?", "timer 200 ms?", "short?"])
    let (other, _) = try await recorded.fork(at: 1, "--send", call(299))
    #expect(
      other == ["added", "later()", "later()", "timer 299 ms", "long", "timer 200 ms", "short"])
    let (equal, _) = try await recorded.fork(at: 2, "--send", call(200))
    #expect(
      equal == ["added", "later()", "later()", "timer 200 ms", "short", "timer 200 ms", "long"])
  }

  @Test("a call that the user adds runs, with the answers of the recording")
  func inserted() async throws {
    _ = try recorded.record("price('tea')", "{ type: 'added', by: 1 }", "{ type: 'added', by: 2 }")
    let call = #"{"type":"price()","retcon":{"call":"price","arguments":["tea"]}}"#
    let (steps, _) = try await recorded.fork(at: 4, "--send", call)
    #expect(
      steps == [
        "price()", "GET /price 200", "priced", "added", "price()", "GET /price 200", "priced",
        "added",
      ]
    )
  }

  @Test("an app that does something else than recorded keeps its doubt, and says why")
  func notAgain() async throws {
    let middleware =
      "[(api) => (next) => (action) => { const result = next(action); "
      + "if (action.type === 'added' && process.title.length && !globalThis[Symbol.for('retcon.host')]) "
      + "api.dispatch({ type: 'typed', text: 'x' }); return result; }]"
    _ = try recorded.record(
      "{ type: 'added', by: 1 }", "{ type: 'added', by: 2 }", middleware: middleware)
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(!steps.isEmpty && steps.allSatisfy { $0.hasSuffix("?") }, "\(steps)")
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect((answer.data + answer.messages).contains("does not run again in forks"), "\(answer)")
  }

  @Test("a date and a set in an action are such again, in verify and in forks")
  func typed() async throws {
    let app = RecordedApp.app.replacing(
      "case 'typed'",
      with: "case 'dated': return { ...state, total: action.at.getTime() + action.of.size };\n"
        + "    case 'typed'")
    _ = try recorded.record(
      "{ type: 'added', by: 1 }", "{ type: 'dated', at: new Date(5), of: new Set(['a', 'b']) }",
      "{ type: 'added', by: 2 }", app: app)
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(answer.data.contains("3 steps were run again, all as recorded"), "\(answer)")
    let (steps, state) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["dated", "added"] && state?["total"] == 9)
  }

  @Test("a function among the arguments of a call makes all that follows a doubt")
  func lossy() async throws {
    let app = RecordedApp.app.replacing(
      "price: (item)",
      with: """
        ask: (item, told) => async (dispatch, getState) => {
              await fetch(`/price?item=${item}`);
              if (getState().total < 5) told();
            },
            price: (item)
        """
    ).replacing("{ price, checkout }", with: "{ later, price, checkout }")
      .replacing("{ later,", with: "{ ask: later,")
    _ = try recorded.record(
      "{ type: 'added', by: 7 }", "later('tea', () => store.dispatch({ type: 'typed' }))",
      "{ type: 'added', by: 2 }", app: app)
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["ask()?", "GET /price 200?", "added?"])
  }

  @Test("an app that reads a header does not run again, and that is the reason it gives")
  func header() async throws {
    let app = RecordedApp.app.replacing(
      "...await answer.json()", with: "price: answer.headers.get('x-price')")
    _ = try recorded.record("price('tea')", app: app)
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(
      (answer.data + answer.messages).contains("Reason: the app reads a header of an answer"),
      "\(answer)")
  }

  @Test("an answer that came too late for one request is not known for another")
  func unheard() async throws {
    let app = RecordedApp.app.replacing(
      "price: (item)",
      with: """
        quick: (item) => async () => {
              const control = new AbortController();
              setTimeout(() => control.abort(), 10);
              await fetch(`/price?item=${item}`, { signal: control.signal }).catch(() => {});
            },
            price: (item)
        """
    ).replacing("{ price, checkout }", with: "{ quick: later, price, checkout }")
    _ = try recorded.record("later('tea')", "price('tea')", "{ type: 'added', by: 1 }", app: app)
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["price()", "added?"])
  }

  @Test("verify runs each of several sessions whole")
  func several() async throws {
    _ = try recorded.record("price('tea')")
    let text = try runner.text(of: "$/shop.retcon")
    _ = try runner.write(text, as: "other.retcon")
    let answer = await runner.run(
      "verify", "$/shop.retcon", "$/other.retcon", "--reducer", "$/app.mjs", "--format", "json")
    let told = answer.data.split(separator: "\n").filter { $0.contains("1 request and 0 timers") }
    #expect(told.count == 2, "\(answer)")
  }

  @Test("scripts that Retcon writes beside a test are not run as the app's own")
  func scripts() async throws {
    let app = RecordedApp.app.replacing("price: (item)", with: "load: (item)")
      .replacing("{ price, checkout }", with: "{ load: price, checkout }")
    #expect(try recorded.record("price('tea')", app: app).first == "load()")
    _ = try runner.write("{}", as: "package.json")
    _ = try runner.write(JoinedScript.loader, as: "retcon-load.mjs")
    _ = try runner.write(JoinedScript.tested, as: "own.mjs")
    let screen = """
      import { load } from './app.mjs';
      // createAsyncThunk
      console.error('the screen is loaded');
      """
    _ = try runner.write(screen, as: "screen.mjs")
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(!(answer.data + answer.messages).contains("ended early"), "\(answer)")
    #expect((answer.data + answer.messages).contains("1 request and 0 timers"), "\(answer)")
  }

  @Test("info lists the requests that run again, and why others do not")
  func listed() async throws {
    _ = try recorded.record("price('tea')", "{ type: 'added', by: 9 }", "checkout()")
    let words = ["info", "$/shop.retcon", "--reducer", "$/app.mjs"]
    #expect(await runner.run(words).data.contains("2 requests and 0 timers came again"))
    let app = try runner.text(of: "$/app.mjs").replacing("'/checkout'", with: "'/pay'")
    FileSystem.remove("\(runner.folder)/app.mjs")
    _ = try runner.write(app, as: "app.mjs")
    let answer = await runner.run(words)
    #expect(
      answer.data.contains(
        "does not run again in forks: at step 5 it does not do what was recorded: "
          + "starts POST /checkout s5.1"), "\(answer)")
    #expect(
      answer.data.contains("1 of 2 requests came again before that; not: POST /checkout"),
      "\(answer)")
  }

  @Test("functions of zustand run again, with what they set later")
  func zustand() async throws {
    let labels = try recorded.record(
      "play(() => store.getState().add(2))", "play(() => store.getState().find('tea'))",
      "play(() => store.setState({ count: 9 }))", app: Self.zustand)
    #expect(labels == ["add", "find", "GET /price 200", "setState", "look", "setState"])
    let (steps, state) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["find", "GET /price 200", "setState", "look", "setState"])
    #expect(state?["seen"] == 0 && state?["count"] == 9 && state?["found"] == 15)
  }

  @Test("an action of the app that the user leaves out makes the rest a doubt")
  func sentSkipped() async throws {
    _ = try recorded.record("{ type: 'added', by: 7 }", "price('tea')", "{ type: 'added', by: 1 }")
    let (steps, state) = try await recorded.fork(at: 4, "--skip")
    #expect(steps == ["added", "price()", "GET /price 200", "added?"])
    #expect(state?["prices"] == [:] && state?["total"] == 8)
  }
}

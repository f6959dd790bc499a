import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// Retcon does not see what an app hides from Redux DevTools.
@Suite("attach: apps that hide something", .needs(.node))
struct HidingAppTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func attach(_ app: String) async throws -> SessionReader {
    _ = try runner.write(AttachTests.createStore + app, as: "app.mjs")
    let answer = await runner.run("attach", "-o", "$/app.retcon", "--", "node", "$/app.mjs")
    #expect(answer.status == .yes, "\(answer)")
    return try SessionReader(path: "\(runner.folder)/app.retcon")
  }

  private var text: String { get throws { try runner.text(of: "$/app.retcon") } }

  @Test func whatSanitizersHideIsRedactedAndSaid() async throws {
    let reader = try await attach(
      """
      const start = { user: { name: 'Ann', token: 'hush' }, list: [1], byMail: { 'a@hush': 1 } };
      const refuse = (token) => { throw new Error(`no ${token}`); };
      const reducer = (state = start, { type, token }) =>
        type === 'bad' ? refuse(token) : type === 'login' ? { ...state, user: { ...state.user, token }, list: [...state.list, 2] } : state;
      const store = createStore(reducer, extension({
        stateSanitizer: ({ byMail, ...rest }) => ({ ...rest, user: { ...rest.user, token: '***' } }),
        actionSanitizer: (action) => ({ ...action, type: `A ${action.type}`, token: action.token && '***' }),
      }));
      store.dispatch({ type: 'login', token: 'hush2' });
      store.dispatch({ type: 'plain', n: 1 });
      try { store.dispatch({ type: 'bad', token: 'hush3' }); } catch { /* recorded */ }
      """)
    #expect(try reader.step(3).error == "<redacted>")
    #expect(try !text.contains("hush"))
    #expect(
      reader.header.redacted == [
        "by the app's stateSanitizer (asked for)", "by the app's actionSanitizer (asked for)",
      ])
    let user: Value = ["name": "Ann", "token": "<redacted>"]
    #expect(
      try reader.state(after: 0) == ["user": user, "list": [1], "<redacted>": "<redacted>"])
    #expect(
      try reader.state(after: 1) == ["user": user, "list": [1, 2], "<redacted>": "<redacted>"])
    #expect(try reader.step(1).label == "A login")
    #expect(try reader.step(1).action["token"] == "<redacted>")
    #expect(try reader.step(2).action["n"] == 1)
  }

  @Test func listsHideActionsAndPredicatesHideStatesToo() async throws {
    let reader = try await attach(
      """
      const store = createStore((state = { n: 0 }, action) =>
        action.type === 'leave' ? { n: 9 } : action.type.startsWith('@@') ? state : { ...state, n: state.n + 1, at: action.at },
        extension({
          actionsDenylist: ['^secret/', 'other'],
          predicate: (state, action) => state.at !== 'hush',
        }));
      store.dispatch({ type: 'one' });
      store.dispatch({ type: 'secret/hush', at: 'here' });
      store.dispatch({ type: 'two', at: 'hush' });
      store.dispatch({ type: 'leave' });
      """)
    #expect(try !text.contains("hush"))
    #expect(try reader.step(1).action == ["type": "one"])
    #expect(try reader.step(2).action == "<redacted>")
    #expect(try reader.state(after: 2) == ["n": 2, "at": "here"])
    #expect(try reader.step(3).action == "<redacted>")
    #expect(throws: SessionError.self) { try reader.state(after: 3) }
    #expect(try reader.step(4).action == ["type": "leave"])
    #expect(try reader.state(after: 4) == ["n": 9])
  }

  @Test func storesWithConnectHideToo() async throws {
    let reader = try await attach(
      """
      const bear = extension.connect({ name: 'bear', actionsAllowlist: 'eat', stateSanitizer: (state) => ({ ...state, den: 0 }) });
      bear.init({ den: 'hush', n: 0 });
      bear.send({ type: 'eat' }, { den: 'hush2', n: 1 });
      bear.send({ type: 'hush' }, { den: 'hush2', n: 2 });
      """)
    #expect(try !text.contains("hush"))
    #expect(try reader.state(after: 2) == ["den": "<redacted>", "n": 2])
    #expect(try (1...2).map { try reader.step($0).label } == ["eat", "(no type)"])
  }

  @Test func whatReplacersHideIsRedactedToo() async throws {
    let reader = try await attach(
      """
      class Money { constructor(cents) { this.cents = cents; this.card = 'hush'; } }
      const start = { user: { name: 'Ann', token: 'hush', pin: 'hush' }, list: ['hush', 2], paid: new Money(5), map: new Map([['token', 'hush']]), set: new Set(['hush']) };
      const store = createStore((state = start, { type, token }) =>
        type === 'login' ? { ...state, user: { ...state.user, token } } : state,
        extension({ serialize: { replacer: (key, value) =>
          key === 'token' ? '***' : key === 'pin' ? undefined : value === 'hush' ? 0 : value instanceof Money ? { cents: value.cents } : value } }));
      store.dispatch({ type: 'login', token: 'hush2', n: 1 });
      const failing = createStore((state = { n: 'hush' }) => state, extension({ serialize: { replacer() { throw new Error('hush'); } } }));
      failing.dispatch({ type: 'a', token: 'hush' });
      """)
    #expect(try !text.contains("hush"))
    #expect(reader.header.redacted == ["by the app's serialize.replacer (asked for)"])
    #expect(
      try reader.state(after: 1) == [
        "user": ["name": "Ann", "token": "<redacted>", "<redacted>": "<redacted>"],
        "list": ["<redacted>", 2], "paid": ["cents": 5], "map": ["token": "***"], "set": [0],
      ])
    #expect(try reader.step(1).action == ["type": "login", "token": "<redacted>", "n": 1])
    #expect(try !runner.text(of: "$/app-2.retcon").contains("hush"))
  }

  @Test func nothingOfAFailingOptionIsTold() async throws {
    let reader = try await attach(
      """
      const fails = (what) => { throw new Error(`hush ${JSON.stringify(what)}`); };
      const store = createStore((state = { n: 'hush' }, { type }) =>
        type === 'boom' ? fails('hush') : { n: state.n + 1 },
        extension({ stateSanitizer: fails, actionSanitizer: fails }));
      store.dispatch({ type: 'a', token: 'hush' });
      try { store.dispatch({ type: 'boom', token: 'hush' }); } catch {}
      """)
    #expect(try !text.contains("hush"))
    #expect(try reader.step(1).action == "<redacted>" && reader.step(2).error == "<redacted>")
    #expect(
      try reader.signposts(in: 0...2).map(\.text).contains("the app’s stateSanitizer failed"))
  }
}

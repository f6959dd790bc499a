import TestSupport
import Testing

@Suite("A page shows a state that is not its own", .needs(.node))
struct ShownStateTests {
  private let shim: ShimAlone

  init() throws { shim = try ShimAlone() }

  @Test("it is told to the app's subscribers, records nothing, and the app goes on with its own")
  func shown() throws {
    let told = try shim.lines(
      """
      const store = createStore(counter, compose(thunk));
      const seen = [];
      store.subscribe(() => seen.push(store.getState().n));
      store.dispatch({ type: 'add', by: 5 });
      print(drive({ drive: 'show', state: { n: 1 }, words: 'one' }));
      await rest();
      store.dispatch({ type: 'add', by: 1 });
      store.dispatch((dispatch, getState) => dispatch({ type: 'add', by: getState().n }));
      print(store.getState().n);
      print(drive({ drive: 'own' }));
      print(seen);
      print(recorded().slice(1).map(({ action }) => [action.type, action.by]));
      """)
    #expect(told == [#""""#, "1", #""""#, "[5,1,1,1,12]", #"[["add",5],["add",1],["add",6]]"#])
  }

  @Test("actions that components send at once because of it do nothing, to any store")
  func reactions() throws {
    let told = try shim.lines(
      """
      const store = createStore(counter, compose(thunk)), other = createStore(counter, compose(thunk));
      const act = (by) => { store.dispatch({ type: 'add', by }); other.dispatch({ type: 'add', by }); };
      let seen = 0;
      store.subscribe(() => {
        const { n } = store.getState();
        if (n === seen) return;
        seen = n;
        act(10);
        Promise.resolve().then(() => act(100)).then(() => act(1000));
        if (n === 7) setImmediate(() => act(1));
      });
      drive({ drive: 'show', state: { n: 7 }, words: 'seven' });
      await rest();
      drive({ drive: 'own' });
      await rest();
      print([store.getState().n, other.getState().n, seen]);
      """)
    #expect(told == ["[1,1,1]"])
  }

  @Test("without a sign of life for two seconds, the page shows its own state")
  func silence() throws {
    let told = try shim.lines(
      """
      const store = createStore(counter, extension());
      drive({ drive: 'show', state: { n: 7 }, words: 'seven' });
      drive({ drive: 'show', words: 'seven' });
      const first = timers.findIndex(([, wait]) => wait === 2000);
      timers.splice(first, 1)[0][0]();
      print(store.getState().n);
      ring(2000);
      print(store.getState().n);
      """)
    #expect(told == ["7", "0"])
  }

  @Test("what JSON lacks and what is redacted stays the app's own; the rest is as recorded")
  func revived() throws {
    let told = try shim.lines(
      """
      class Money { constructor(cents) { this.cents = cents; } }
      const key = { id: 1 }, mark = Symbol('mark'), call = () => {};
      const own = { at: new Date(0), map: new Map([[key, { n: 1 }]]), set: new Set([key, 2]), nan: NaN, big: 5n, mark, call,
        money: new Money(3), text: /a/g, token: 'secret', json: '{"token":"secret"}', same: { deep: [1] }, n: 3 };
      const store = createStore((state = own) => state, extension());
      const shown = recorded()[0].state;
      Object.assign(shown, { n: 2, big: '6n', token: '<redacted>', json: '{"token":"<redacted 2>"}', list: ['<redacted>'] });
      shown.at = '1970-01-01T00:00:01.000Z';
      shown.map[0][1].n = 9;
      shown.set.push(4);
      drive({ drive: 'show', state: shown, words: '' });
      const now = store.getState();
      print([now.at.getTime(), now.at instanceof Date, now.map.get(key).n, now.set.has(key), now.set.has(4)]);
      print([Number.isNaN(now.nan), now.big === 6n, now.mark === mark, now.call === call, now.money === own.money, now.text === own.text]);
      print([now.token, now.json, now.same === own.same, now.n, now.list]);
      drive({ drive: 'own' });
      print(store.getState() === own);
      """)
    #expect(
      told == [
        "[1000,true,9,true,true]", "[true,true,true,true,true,true]",
        #"["secret","{\"token\":\"secret\"}",true,2,["<redacted>"]]"#, "true",
      ])
  }

  @Test("a store that only connects refuses, and says what it can do")
  func connected() throws {
    let told = try shim.lines(
      """
      const bear = extension.connect({ name: 'bear' });
      bear.init({ bears: 1 });
      for (const order of ['show', 'lock']) print(drive({ drive: order, state: { bears: 0 }, words: '' }));
      """)
    #expect(
      told == [
        #""a store of this kind shows only its own state: use :app jump""#,
        #""a store of this kind cannot be locked""#,
      ])
  }

  @Test("a locked app ignores actions; revert goes to the last commit, else to the first state")
  func locked() throws {
    let told = try shim.lines(
      """
      const store = createStore(counter, compose(thunk));
      const add = (by) => { store.dispatch({ type: 'add', by }); return store.getState().n; };
      drive({ drive: 'lock' });
      print(add(1));
      drive({ drive: 'unlock' });
      print(add(1));
      drive({ drive: 'revert' });
      print(add(4));
      drive({ drive: 'commit' });
      print(add(4));
      drive({ drive: 'revert' });
      print(store.getState().n);
      print(recorded().slice(1).map(({ action }) => action.type));
      """)
    #expect(
      told == [
        "0", "1", "4", "8", "4", #"["add","@@retcon/jump","add","add","@@retcon/jump"]"#,
      ])
  }
}

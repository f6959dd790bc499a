import Platform
import TestSupport
import Testing

@testable import RetconCommand

/// A cart, 60 lines of a reducer with two planted bugs, and rules that know it.
@Suite("Functions of the user's own", .needs(.node))
struct OwnFunctionTests {
  private let runner: CommandRunner
  private let session: [String]

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(Self.cart, as: "cart.mjs")
    _ = try runner.write(Self.rules, as: "rules.mjs")
    session = [try runner.write(Self.actions(500), as: "cart.jsonl"), "--reducer", "$/cart.mjs"]
  }

  private func run(_ command: String, _ words: String...) async -> CommandRunner.Answer {
    await runner.run([command, session[0]] + words + session.dropFirst())
  }

  private func output(_ test: String) throws -> (text: String, status: Int32) {
    try Subprocess.output(of: ["node", "--test", test], in: runner.folder, showsErrors: true)
  }

  @Test("a rule says where it is broken first, and why")
  func check() async throws {
    let answer = await run("check", "--rule", "$/rules.mjs#orderIsAPermutation")
    #expect(answer.status == .no)
    #expect(
      answer.data.hasPrefix(
        """
        ✗ $/rules.mjs#orderIsAPermutation
          broken at $/cart.jsonl@30
          $/rules.mjs#orderIsAPermutation: i0 is in the order twice
          30 moved
        """), "\(answer)")
    let json = await run("check", "--json", "--rule", "$/rules.mjs#orderIsAPermutation")
    #expect(json.data.contains(#""why":["$/rules.mjs#orderIsAPermutation: i0 is in the order"#))
    let kept = await run("check", "--rule", "$/rules.mjs#always || state.revision < 0")
    #expect(kept.data == "✓ $/rules.mjs#always || state.revision < 0  (501 steps)\n")
  }

  @Test("a rule remembers what was sent, whichever step is asked first")
  func memory() async throws {
    let hits = await run("find", "!$/rules.mjs#saved", "-c")
    #expect(hits.data == "10\n")
    // The memory begins at the first step, not at the first of the range.
    let late = await run("find", "!$/rules.mjs#saved", "--range", "422..426")
    #expect(late.data == "424    save/fulfilled\n", "\(late)")
    let sent = await run("find", "!$/rules.mjs#savedAsSent && step < 30")
    #expect(sent.status == .no)
  }

  @Test("its value is a part of a condition")
  func values() async throws {
    let few = await run(
      "find", "$/rules.mjs#total > 20 && $/rules.mjs#visible[1].id == 'i1' && label == 'coupon'",
      "--range", "8..20")
    let steps = few.data.split(separator: "\n").map { $0.split(separator: " ")[0] }
    #expect(steps == ["9", "13", "14", "15", "19"], "\(few)")
    let long = await run("find", "length($/rules.mjs#visible) > 2", "--first")
    #expect(long.data == "  3    added {id: \"i2\", price: 3}\n", "\(long)")
  }

  @Test("forks of a search ask it, too: the smallest session, its causes and its test")
  func searches() async throws {
    let rule = ["--rule", "$/rules.mjs#orderIsAPermutation"]
    let smallest = await runner.run(["minimize"] + session + rule)
    #expect(smallest.status == .yes, "\(smallest)")
    #expect(smallest.data.contains("8 of 30 actions are enough"), "\(smallest)")
    let why = await runner.run(["why"] + session + rule)
    #expect(why.status == .yes && why.data.contains("30 moved"), "\(why)")
    let test = await runner.run(
      ["test"] + session + ["--rule", "$/rules.mjs#saved", "-o", "$/saved.test.mjs"])
    #expect(test.status == .yes, "\(test)")
    let red = try output("saved.test.mjs")
    #expect(red.status != 0 && red.text.contains("the rule does not hold"), "\(red.text)")
    let mended = Self.cart.replacing(
      "savedRevision: state.revision", with: "savedRevision: state.sent")
    _ = try runner.write(mended, as: "mended.mjs")
    let text = try runner.text(of: "$/saved.test.mjs")
    _ = try runner.write(text.replacing("cart.mjs", with: "mended.mjs"), as: "green.test.mjs")
    let green = try output("green.test.mjs")
    #expect(green.status == 0, "\(green.text)")
  }

  @Test("verify and report check it")
  func others() async throws {
    let verified = await run("verify", "--rule", "$/rules.mjs#saved")
    #expect(verified.status == .no && verified.data.contains("24"), "\(verified)")
    let kept = await run("verify", "--rule", "$/rules.mjs#always")
    #expect(kept.status == .yes, "\(kept)")
    let report = await run("report", "--markdown", "--rule", "$/rules.mjs#saved")
    #expect(report.status == .yes, "\(report)")
    #expect(report.data.contains("rules.mjs\\#saved: 22 counts as saved"), "\(report)")
  }

  @Test("one that hangs, ends its process, throws or answers later ends with a sentence")
  func hostile() async throws {
    let hanging = await run("find", "$/rules.mjs#hangs", "--patience", "1")
    #expect(hanging.status == .trouble)
    #expect(
      hanging.messages
        == "retcon: $/rules.mjs#hangs did not end within 1.0 s at step 40. --patience allows more.\n"
    )
    let ended = await run("find", "$/rules.mjs#ends")
    #expect(ended.messages.contains("ended with exit status 3"), "\(ended)")
    let thrown = await run("check", "--rule", "$/rules.mjs#throws")
    #expect(thrown.status == .trouble)
    #expect(thrown.data == "? $/rules.mjs#throws  (10 steps; 491 steps have no known answer)\n")
    #expect(
      thrown.messages.contains("$/rules.mjs#throws gave no answer at step 10: TypeError"),
      "\(thrown)")
    let later = await run("find", "$/rules.mjs#later")
    #expect(later.messages.contains("a rule answers at once"), "\(later)")
    let changing = await run("find", "$/rules.mjs#changes")
    #expect(changing.messages.contains("object is not extensible"), "\(changing)")
    let missing = await run("find", "$/rules.mjs#gone")
    #expect(missing.messages.contains("it exports no function gone"), "\(missing)")
    let evil = await run("check", "--rule", "$/rules.mjs#evil")
    #expect(evil.status == .no && !evil.data.contains("\u{1B}"), "\(evil)")
    #expect(evil.data.contains("evil: ␛[31mred") || evil.data.contains("red"), "\(evil)")
  }

  @Test("a file of rules cannot run code that nobody typed")
  func consent() async throws {
    let list = try runner.write("$/rules.mjs#always\n".replacing("$", with: runner.folder), as: "r")
    let refused = await run("check", "--rules", list)
    #expect(refused.status == .trouble)
    #expect(refused.messages.contains("is code, and runs only if you type it"), "\(refused)")
    let typed = await run("check", "--rules", list, "--rule", "$/rules.mjs#always")
    #expect(typed.status == .yes, "\(typed)")
  }

  @Test("sent is the step that started the effect, with its state")
  func sent() async throws {
    let recording = try runner.write(
      #"""
      {"retcon":"1.1","session":"2k8v0q1x7m3pa","can":"browse","state":{"text":"","saved":""}}
      {"step":1,"label":"typed","action":{},"patch":[{"op":"replace","path":"/text","value":"a"}]}
      {"step":2,"label":"save","action":{},"patch":[]}
      {"effect":1,"event":"started","after":2,"from":2,"ordinal":0,"file":"a.js","line":1}
      {"step":3,"label":"typed","action":{},"patch":[{"op":"replace","path":"/text","value":"ab"}]}
      {"step":4,"label":"saved","action":{"type":"saved"},"cause":{"effect":1},
      """#
        + #""patch":[{"op":"replace","path":"/saved","value":"ab"}]}"#,
      as: "sent.retcon")
    let answer = await runner.run("check", recording, "--rule", "$/rules.mjs#savedWhatWasSent")
    #expect(answer.data.contains("a was sent at 2"), "\(answer)")
    // Only the word of a function names one.
    let quoted = await runner.run("find", recording, "$['code']['$/rules.mjs#always']")
    #expect(quoted.status == .no, "\(quoted)")
  }

  @Test("watch, blame and diff take its value for the state")
  func selectors() async throws {
    let watched = await run("watch", "$/rules.mjs#total", "--range", "0..3")
    #expect(
      watched.data == """
        0  0  init
        1  16  added
        2  40  added
        3  43  added

        """, "\(watched)")
    let blamed = await run("blame", "$/rules.mjs#visible[0].count@9", "--last")
    #expect(blamed.status == .yes && blamed.data.contains("1 added"), "\(blamed)")
    let compared = await runner.run(
      ["diff", "\(session[0])@2"] + session.dropFirst() + ["--at", "$/rules.mjs#total"])
    #expect(compared.status == .no && compared.data.contains("16 → 40"), "\(compared)")
    let measured = await run("watch", "length($/rules.mjs#visible)")
    #expect(measured.messages.contains("is not a path in the state"), "\(measured)")
    let mixed = await run("watch", "$/rules.mjs#total", "revision")
    #expect(mixed.messages.contains("cannot be asked for at once"), "\(mixed)")
  }

  @Test("an agent calls those of the files that the server names, and no others")
  func agents() async throws {
    let rules = "\(runner.folder)/rules.mjs"
    func asked(_ files: [String], _ condition: String) async throws -> String {
      let path = session[0].replacing("$", with: runner.folder)
      let server = try runner.server(
        path, host: ["--reducer", "\(runner.folder)/cart.mjs"], rules: files)
      return await server.answer(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","#
          + #""arguments":{"file":"\#(path)","condition":"\#(condition)"}}}"#) ?? ""
    }
    let named = try await asked([rules], "!\(rules)#saved && step < 50")
    #expect(named.contains("24    save/fulfilled"), "\(named)")
    _ = try runner.write("export const reads = () => true;", as: "other.mjs")
    let other = try await asked([rules], "\(runner.folder)/other.mjs#reads")
    #expect(other.contains("may not run here"), "\(other)")
    let none = try await asked([], "\(rules)#saved")
    #expect(none.contains("may not run here"), "\(none)")
  }

  @Test("in Python it names the arguments that it wants", .needs(.python))
  func python() async throws {
    _ = try runner.write(
      """
      def permutation(state):
          twice = [one for one in state["order"] if state["order"].count(one) > 1]
          return f"{twice[0]} is in the order twice" if twice else True


      def saved(state, action, memory):
          if action["type"] == "save/pending":
              memory["sent"] = state["revision"]
          assert action["type"] != "save/fulfilled" or state["savedRevision"] == memory["sent"]
          return True


      def hangs(state, step):
          while step == 40:
              pass
          return True


      def changes(state):
          state["order"].append(1)
      """, as: "rules.py")
    let broken = await run("check", "--rule", "$/rules.py#permutation")
    #expect(broken.data.contains("i0 is in the order twice"), "\(broken)")
    let hits = await run("find", "!$/rules.py#saved && step > 0", "-c")
    #expect(hits.data == "10\n", "\(hits)")
    let hanging = await run("find", "$/rules.py#hangs", "--patience", "1")
    #expect(hanging.messages.contains("hangs did not end within 1.0 s at step 40"), "\(hanging)")
    let changing = await run("find", "$/rules.py#changes")
    #expect(changing.messages.contains("a rule cannot change the state"), "\(changing)")
  }

  private static func actions(_ count: Int) -> String {
    var seed = 7
    func random(_ most: Int) -> Int {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return (seed >> 8) % most
    }
    return (0..<count).map { number in
      switch (number % 50, random(100)) {
      case (20, _): #"{"type":"save/pending"}"#
      case (23, _): #"{"type":"save/fulfilled"}"#
      case _ where number < 8:
        #"{"type":"added","payload":{"id":"i\#(number)","price":\#(1 + random(30))}}"#
      case (29, _): #"{"type":"moved","payload":{"from":1,"to":99}}"#
      case (_, ..<60):
        #"{"type":"counted","payload":{"id":"i\#(random(8))","count":\#(1 + random(5))}}"#
      default: #"{"type":"coupon","payload":{"code":"C\#(random(9))"}}"#
      }
    }.joined(separator: "\n")
  }

  private static let cart = """
    export const initialState = {
      items: {}, order: [], removed: [], coupon: null, revision: 0, savedRevision: 0, saving: false,
    };

    const without = (list, id) => list.filter((each) => each !== id);

    function moved(order, from, to) {
      const next = order.slice();
      const [id] = next.splice(from, 1);
      // The bug: a move to the end keeps the first of the list, too.
      if (to === order.length - 1 && order.length > 6) next.push(order[0]);
      next.splice(to, 0, id);
      return next;
    }

    function edit(state, action) {
      const { type, payload } = action;
      switch (type) {
        case 'added': {
          if (state.items[payload.id]) return state;
          const items = { ...state.items, [payload.id]: { price: payload.price, count: 1 } };
          return { ...state, items, order: [...state.order, payload.id] };
        }
        case 'counted': {
          const item = state.items[payload.id];
          if (!item) return state;
          const items = { ...state.items, [payload.id]: { ...item, count: payload.count } };
          return { ...state, items };
        }
        case 'removed': {
          const { [payload.id]: item, ...items } = state.items;
          if (!item) return state;
          const removed = [...state.removed, { id: payload.id, ...item }].slice(-5);
          return { ...state, items, removed, order: without(state.order, payload.id) };
        }
        case 'moved': {
          const last = state.order.length - 1;
          if (payload.from > last) return state;
          return { ...state, order: moved(state.order, payload.from, Math.min(payload.to, last)) };
        }
        case 'coupon': return { ...state, coupon: payload.code };
        default: return state;
      }
    }

    export default function cart(state = initialState, action) {
      switch (action.type) {
        case 'save/pending': return { ...state, saving: true, sent: state.revision };
        // The other bug: what counts as saved is what is there, not what was sent.
        case 'save/fulfilled': return { ...state, saving: false, savedRevision: state.revision };
        default: {
          const next = edit(state, action);
          return next === state ? state : { ...next, revision: state.revision + 1 };
        }
      }
    }
    """

  private static let rules = #"""
    import { initialState } from './cart.mjs';

    export const always = (state, { previous, step }) =>
      Object.keys(initialState).every((key) => key in state) && (step > 0) === Boolean(previous);
    export function orderIsAPermutation(state) {
      const twice = state.order.find((id, at) => state.order.indexOf(id) !== at);
      if (twice !== undefined) return `${twice} is in the order twice`;
      return state.order.every((id) => state.items[id]) || 'the order names an item that is gone';
    }
    export function saved(state, { action }, memory = {}) {
      if (action?.type === 'save/pending') memory.sent = state.revision;
      if (action?.type !== 'save/fulfilled') return true;
      return state.savedRevision === memory.sent || `${state.savedRevision} counts as saved, and ${memory.sent} was sent`;
    }
    export const savedWhatWasSent = (state, { action, sent }) => action?.type !== 'saved'
      || state.saved === sent?.state.text || `${sent?.state.text} was sent at ${sent?.step}`;
    export const savedAsSent = (state, { sent }) => sent === null || sent.state !== state;
    export const visible = (state) => state.order.map((id) => ({ id, ...state.items[id] }));
    export const total = (state) => visible(state).reduce((sum, it) => sum + it.price * it.count, 0);
    export const hangs = (state, { step }) => { while (step === 40) ; return true; };
    export const ends = (state, { step }) => (step === 40 ? process.exit(3) : true);
    export const throws = (state, { step }) => (step > 9 ? state.nothing.here : true);
    export const later = async () => true;
    export const changes = (state) => { state.order.push('x'); return true; };
    export const evil = (state, { step }) => step < 5 || '\u001b[31mred\u001b]0;title\u0007\nline';
    """#
}

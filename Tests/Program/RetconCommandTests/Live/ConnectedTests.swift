import TestSupport
import Testing

/// Libraries without a reducer make these calls in 2026, in their adapters for Redux DevTools.
@Suite("Stores that only connect", .needs(.node))
struct ConnectedTests {
  private let shim: ShimAlone

  init() throws { shim = try ShimAlone() }

  @Test("effector changes the state it began with, sends copies, and jumps by its own id")
  func effector() throws {
    let told = try shim.lines(
      """
      const model = {}, taken = [];
      const effector = extension.connect({ name: 'shop', instanceId: 'effector_0', maxAge: 50 });
      effector.init(model);
      const leave = effector.subscribe(({ id, type, payload, state }) => {
        if (id === 'effector_0' && type === 'DISPATCH' && payload?.type === 'JUMP_TO_ACTION') taken.push(JSON.parse(state));
      });
      const send = (type, more) => effector.send({ type, ...more }, { ...model });
      model.$count = 1;
      send('[store] $count', { value: 1 });
      send('[event] added', { params: undefined, trace: [{ type: 'on', name: 'count', value: 1 }] });
      model['load.inFlight'] = 1;
      send('[effect] load', { params: new Map([['a', 1]]), loc: { file: 'a.ts', line: 1, column: 2 } });
      print(drive({ drive: 'jump', state: { $count: 1 }, step: 1 }));
      leave();
      print(drive({ drive: 'jump', state: { $count: 1 }, step: 2 }));
      print(taken);
      print([recorded()[0].name, recorded()[0].state, recorded().some(({ mutated }) => mutated)]);
      for (const { action, patch } of recorded().slice(1)) print([action.type, patch]);
      """)
    #expect(
      told == [
        #""""#, #""""#, #"[{"$count":1}]"#, #"["shop",{},false]"#,
        ##"["[store] $count",[{"op":"add","path":"/$count","value":1}]]"##,
        #"["[event] added",[]]"#,
        #"["[effect] load",[{"op":"add","path":"/load.inFlight","value":1}]]"#,
        #"["@@retcon/jump",[{"op":"remove","path":"/load.inFlight"}]]"#,
        #"["@@retcon/jump",[]]"#,
      ])
  }

  @Test("jotai's hook for one atom has a value as its state, and texts as actions")
  func atom() throws {
    let told = try shim.lines(
      """
      let value = 0;
      const atom = Object.assign(extension.connect({ name: 'count' }), { shouldInit: true });
      atom.subscribe(({ type, payload, state }) => {
        if (type === 'DISPATCH' && state && payload?.type === 'JUMP_TO_ACTION') value = JSON.parse(state);
        if (type === 'ACTION' && payload) value = JSON.parse(payload);
      });
      atom.init(value);
      for (const time of ['12:00', '12:01']) atom.send(`count - ${time}`, ++value);
      drive({ drive: 'jump', state: 1, step: 1 });
      print(value);
      drive({ drive: 'send', actions: [9] });
      print(value);
      for (const { action, patch } of recorded().slice(1)) print([action.type, patch[0].value]);
      """)
    #expect(
      told == ["1", "9", #"["count - 12:00",1]"#, #"["count - 12:01",2]"#, #"["@@retcon/jump",1]"#])
  }

  @Test("jotai's hook for all atoms, and NgRx, get their own number of a step, or refuse")
  func numbers() throws {
    let told = try shim.lines(
      """
      const snapshots = [];
      let now;
      const atoms = extension.connect({ name: 'atoms' });
      atoms.subscribe(({ type, payload }) => {
        if (type !== 'DISPATCH' || payload.type !== 'JUMP_TO_ACTION') return;
        now = snapshots[payload.actionId - 1];
        if (!now) throw new Error('out of bounds');
      });
      atoms.init(undefined);
      const send = (count) => {
        for (; count > 0; count--) {
          const n = snapshots.push(snapshots.length + 1);
          atoms.send({ type: `${n}`, updatedAt: '12:00' }, { values: { 'atom1:n': n }, dependents: {} });
        }
      };
      const jump = (step) => {
        print([drive({ drive: 'jump', state: {}, step }).replace(/ at .*/, ''), now]);
      };
      send(4);
      jump(2); // It is step 5 of the session, and none of jotai's.
      send(1);
      jump(6);
      jump(5);
      for (const unknown of [99, undefined]) jump(unknown);
      drive({ drive: 'pause' });
      send(2);
      drive({ drive: 'resume' });
      jump(recorded().length - 1);
      print(recorded().length);
      """)
    #expect(
      told == [
        #"["",2]"#, #"["",5]"#, #"["",2]"#, #"["Error: out of bounds",null]"#,
        #"["Error: out of bounds",null]"#, #"["",7]"#, "11",
      ])
  }
}

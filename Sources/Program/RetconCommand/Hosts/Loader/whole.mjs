// Runs an app whole: its store with its middleware, from any state that it had.
//
// A state has a number in the protocol and a node here: the input that led to it, and the state
// that this input met. An instance of the app stands behind one input at a time. To go on from
// another state, the app is made again and runs the inputs that led there.
import { isLast } from '../Recorder/channels.mjs';
import { withoutFrames } from '../Recorder/outside.mjs';
import { Refusal } from './files.mjs';
import { Instance } from './instance.mjs';
import { revived } from './reducers.mjs';
import { rehearsed } from './rehearsal.mjs';
import { Stored } from './taped.mjs';
import { hasMore } from './together.mjs';

const INSTANCES = 6;
const APART = 'an action that the app sends by itself was left out or changed: '
  + 'what its middleware makes of that is unknown';

const BY_OTHERS = 'code outside of the store’s file sent this in the recording, '
  + 'and nobody knows whether it does so now';
const AWAITED = 'code outside of the store’s file waits for what ended here, '
  + 'and nobody knows what it does then';
const HIDDEN_BEFORE = 'the app’s middleware sent another action before this one';
const TOGETHER = 'the task had another input before, and what the app does behind both '
  + 'depends on both';
const LATE = 'in the recording, another input came in its task before the app sent this';
const NEWER = 'it was recorded after the host had tried the app: open the session again';

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const signature = (segments) => JSON.stringify(segments.map(({ action, effects }) => (
  [action?.type, effects.map(({ name, cancel }) => [name, cancel])])));

/** Two times as one word. */
export const pair = (...times) => times.map((time) => Math.round(time * 1e6)).join(' ');

const exact = (segments) => JSON.stringify(segments.map(({ action, effects }) => (
  [action?.type, effects])));

/** Whether the app behind the same inputs has another state. */
const isElsewhere = ({ isNatural, rest }) => !isNatural || rest.length > 0;

export class Whole {
  /** `load` makes the app anew. `host` writes its values and errors. */
  constructor(load, host) {
    Object.assign(this, {
      load, ...host, instances: [], registered: new Map(), stored: new Stored(),
      heard: new Map(), sentByOthers: new Map(), isRehearsing: false,
      awaited: new Set(), // the calls for which code outside of the store waited
      // The times of inputs that others followed in the same task, and of each two of these.
      followed: new Set(), together: new Set(),
    });
  }

  /** The app, if its recording comes again whole, and what is to be said about that. */
  static async tried(file, load, host) {
    const whole = new Whole(load, host);
    const failed = (why, notes = []) => (
      { notes: [`The app’s middleware does not run again in forks: ${why}`, ...notes] });
    try {
      const { why, notes } = await rehearsed(file, whole);
      return why ? failed(why, notes) : { whole, notes };
    } catch (error) { return failed(host.stackLine(error)); }
  }

  /** Answers a request to reduce: `states` are nodes by their numbers. */
  async reduce(states, { from, as, actions, reads, times }) {
    if (from !== undefined && !states.has(from)) throw new Refusal(`there is no state ${from}`);
    const answer = { patches: [], effects: [], asked: [], doubts: [] };
    const add = (node, before, { effects = [], asked = [], doubt = null }) => {
      answer.patches.push(this.difference(before, this.plain(node.state)));
      answer.effects.push(effects);
      answer.asked.push(asked);
      answer.doubts.push(doubt);
      states.set(as++, node);
    };
    if (from === undefined) {
      add(await this.start(), null, {});
      return answer;
    }
    let node = states.get(from);
    for (const [at, action] of actions.entries()) {
      const given = reads?.[at]?.find(({ key }) => key === 'world')?.value;
      let made;
      try { made = await this.next(node, action, given, times?.[at] ?? 0); } catch (error) {
        made = { error };
      }
      if (made.error) return { ...answer, error: this.stackLine(made.error) };
      add(made.node, this.plain(node.state), made);
      ({ node } = made);
    }
    return answer;
  }

  made() {
    const instance = Object.assign(new Instance(this.stored), { hasMore });
    return Instance.made(this.load, this.stored, instance);
  }

  async start() {
    if (this.root) return this.root;
    const instance = await this.made();
    const { entry, part: { segments } } = instance;
    const [first, ...rest] = entry.isCalled ? [{ state: entry.data() }] : segments.slice(1);
    if (!first) throw new Error('the app makes no store when it is loaded');
    const turn = { signature: signature(segments) };
    this.keep(instance, turn);
    this.root = { turn, state: first.state, isNatural: true, rest: this.told(rest) };
    return this.root;
  }

  keep(instance, turn) {
    instance.at = turn;
    this.instances = [...this.instances.filter((each) => each !== instance), instance];
    if (this.instances.length > INSTANCES) this.instances.shift();
  }

  told(segments) {
    return segments.map((segment) => {
      const { action } = segment, told = this.plain(withoutFrames(action));
      const payload = this.registered.get(action?.type);
      return { ...segment, told: payload === undefined ? told : { ...told, payload } };
    });
  }

  /** The node that an action leads to. `given` is the recorded part of its input. */
  async next(node, action, given, time) {
    const isInput = given !== undefined || action?.retcon;
    const place = isInput ? -1 : node.rest.findIndex(({ told }) => same(told, action));
    if (place === 0 && node.isNatural) return this.step(node, node.rest[0], node.rest.slice(1));
    if (node.rest.length && !isInput) return this.apart(node, action, place);
    return this.memo(node, action, given, time);
  }

  step(node, { state, effects, error, told, doubt }, rest) {
    if (error) return { error, told };
    const after = { turn: node.turn, state, rest, isNatural: true, isApart: node.isApart };
    return { node: after, effects, doubt };
  }

  /** An action that came in the place of what the app sent, or behind such a one. */
  apart(node, action, place) {
    const { reducer } = this.instances.at(-1).entry;
    const rest = node.rest.slice(Math.max(0, place + 1));
    // The app's own, with what JSON has no words for.
    const { effects = [], action: own = revived(action) } = node.rest[place] ?? {};
    const state = reducer(node.state, own);
    const isApart = node.isApart || place !== 0;
    const after = { turn: node.turn, state, rest, isNatural: false, isApart };
    return { node: after, effects, doubt: after.isApart ? APART : undefined };
  }

  /** The same input from the same node has run already, if it is asked for a second time. */
  async memo(node, action, given, time) {
    const others = this.sentByOthers.get(given?.id)?.length;
    const key = JSON.stringify([action, given, Math.round(time * 1e6), others]);
    const known = node.next?.get(key);
    if (known) return known;
    const made = await this.input(node, action, given, time);
    (node.next ??= new Map()).set(key, made);
    return made;
  }

  async input(node, written, given, time) {
    const action = revived(written);
    const depth = (node.turn.depth ?? 0) + 1;
    const key = given?.id === undefined ? `n${depth}` : `s${given.id}`;
    const others = this.sentByOthers.get(given?.id)?.map(revived);
    const awaited = this.awaited.has(action?.retcon?.call) || undefined;
    const isBefore = this.followed.has(pair(time));
    const input = { action, given: given ?? { awaited }, time, key, others, isBefore };
    const isBehind = node.turn.alone && !isElsewhere(node)
      && this.together.has(pair(node.turn.input.time, time));
    const group = isBehind ? this.groups(node.turn).at(-1) : [];
    const instance = await this.instanceAt(group[0]?.from ?? node);
    const part = await this.ran(instance, ...group.map((each) => each.input), input);
    // Each input ran alone before the next one came.
    const isOther = group.some((each, at) => (
      each.isLate || exact(instance.task.inputs[at].segments) !== each.alone));
    if (isOther && this.isRehearsing) return { why: TOGETHER };
    const { segments, doubts } = part, alone = part.hasMore && exact(segments);
    const turn = { from: node, input, depth, signature: signature(segments), alone, isBehind };
    this.keep(instance, turn);
    const asked = given === undefined ? [] : [{ key: 'world', arguments: [] }];
    const isPlain = !action?.retcon;
    const own = isPlain ? segments.findIndex((each) => each.action === action) : -1;
    const at = Math.max(own, 0);
    if (segments[at].error) return { error: segments[at].error, asked };
    const rest = this.told(segments.slice(at + 1));
    const byOthers = this.isRehearsing ? [] : rest.slice(part.ownCount - at - 1);
    for (const each of byOthers) each.doubt = BY_OTHERS;
    const late = isBefore ? rest.slice(part.syncCount - at - 1) : [];
    for (const each of late) each.doubt ??= LATE;
    turn.isLate = late.length > 0;
    const effects = segments.slice(0, at + 1).flatMap((each) => each.effects);
    const state = own > 0 ? segments[own].state : node.state;
    const isHidden = own > 1 ? HIDDEN_BEFORE : undefined;
    const hasEnded = part.hasEnded && !this.isRehearsing ? AWAITED : undefined;
    const isNew = given?.id > this.last ? NEWER : undefined;
    const isApart = node.isApart || isOther;
    const lost = isOther ? TOGETHER : node.rest.length || isApart ? APART : undefined;
    return {
      node: { turn, state, rest, isNatural: true, isApart },
      effects: [...effects, ...rest.map(({ told }) => ({ send: told }))], asked,
      doubt: doubts ?? isHidden ?? lost ?? isNew ?? hasEnded,
    };
  }

  async ran(instance, ...inputs) {
    this.instances = this.instances.filter((each) => each !== instance);
    return instance.run(...inputs.map((each) => (
      { ...each, given: structuredClone(each.given) })));
  }

  async instanceAt(node) {
    const instance = this.instances.find(({ at }) => at === node.turn)
      ?? await this.again(node.turn);
    if (isElsewhere(node)) instance.put(node.state);
    return instance;
  }

  /** The turns up to one, those of one task together. */
  groups(turn) {
    const groups = [];
    let isOpen = false;
    for (let each = turn; each.from; each = each.from.turn) {
      if (isOpen) groups[0].unshift(each); else groups.unshift([each]);
      isOpen = each.isBehind;
    }
    return groups;
  }

  /** The app made again, up to the end of a turn. */
  async again(turn) {
    const instance = await this.made();
    for (const group of this.groups(turn)) {
      const { from } = group[0];
      if (isElsewhere(from)) instance.put(from.state);
      const { segments } = await this.ran(instance, ...group.map(({ input }) => input));
      if (signature(segments) !== group.at(-1).signature) {
        throw new Error('the app does something else when it runs again: '
          + 'it reads a date, a file or chance that is not on tape');
      }
    }
    return instance;
  }

  /**
   * The arguments of a request. If one with as many equal requests before it had no answer in the
   * recording, its answer is unknown: it may be the one that others got.
   */
  asked({ ask, times }) {
    const heard = this.heard.get(JSON.stringify(ask)) ?? [];
    const isKnown = times < heard.length ? heard[times] : heard.every(Boolean);
    return isKnown ? ask : [...ask, `asked ${times + 1} times`];
  }

  /** The work of an effect on the tape. `value` or `error` answer its question. */
  resumed({ work, ...answer }) {
    if (work) [this.working, this.place] = [work, 0];
    const { again } = this.working;
    if (again) return connectsAgain(this.working, this.stored.heard, this.place++);
    const told = resumed({ work, ...answer }, this.working);
    if (work?.ask) told.asks.arguments = this.asked(work);
    return told;
  }

  put(node, state) {
    return { turn: node.turn, state, rest: node.rest, isNatural: false, isApart: node.isApart };
  }
}

/**
 * The events of a channel that was connected after one was lost, up to a place in it. Before the
 * end of the loss it finds no server; then it gets the recorded events from then on.
 */
function connectsAgain({ again, name, key, at, until }, heard, place) {
  const kind = name.replace(/ .*/, ''), all = heard.get(JSON.stringify(again)) ?? [];
  const told = (value) => ({ type: `${name} ${value.event}`, retcon: { hear: key, ...value } });
  if (kind === 'socket' && at < until) {
    const closed = { event: 'close', code: 1006, reason: '', wasClean: false };
    return { sends: [told({ event: 'error' }), told(closed)], ends: true };
  }
  const first = all.find(({ value }) => value.event === 'open');
  const begin = Math.max(at, until) + (first?.after ?? 0) * 1000;
  const events = all.filter((each) => each.at > begin && each.value.event === 'message');
  if (first) events.unshift({ ...first, at: begin });
  const before = events[place - 1], next = events[place];
  const sends = before ? [told(before.value)] : [];
  if (next) return { sends, waits: Math.max(0, next.at - (before?.at ?? at)) / 1000 };
  return { sends, asks: { key: kind, arguments: [...again, 'after it was lost'] } };
}

/** The work of a channel on the tape: it waits for one thing after another. */
function heard({ listen, name, key }, value) {
  const asks = { key: name.replace(/ .*/, ''), arguments: listen };
  if (value === undefined) return { sends: [], asks };
  if (!value?.event) return { failed: 'a channel hears an event, such as {"event":"close"}' };
  const sends = [{ type: `${name} ${value.event}`, retcon: { hear: key, ...value } }];
  return isLast(value) ? { sends, ends: true } : { sends, asks };
}

function resumed({ work, value, error }, last) {
  const { ask, listen, wait, key } = work ?? last;
  if (listen) return heard(work ?? last, work ? undefined : value ?? error);
  if (ask) {
    const name = `${ask[0]} ${ask[1].replace(/[?#].*/, '')}`;
    if (work) return { sends: [], asks: { key: 'fetch', arguments: ask } };
    // The words of an error from an older file or the user.
    const words = error === undefined ? value?.error
      : `${error?.type ?? 'TypeError'}: ${error?.description ?? error}`;
    const type = `${name} ${words === undefined ? value?.status : 'failed'}`;
    const answer = words === undefined ? value : { error: words };
    return { sends: [{ type, retcon: { answer: key, asks: ask, ...answer } }], ends: true };
  }
  if (wait === undefined) return { failed: 'it has no such effect' };
  if (work) return { sends: [], waits: wait / 1000 };
  return { sends: [{ type: `timer ${wait} ms`, retcon: { fire: key } }], ends: true };
}

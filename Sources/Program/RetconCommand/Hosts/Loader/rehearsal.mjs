// Runs a whole recording again, before its app is trusted to run whole in forks.
import fs from 'node:fs';
import { keysOf } from '../Recorder/pointers.mjs';
import { REGISTERED } from './rtk-query.mjs';
import { pair } from './whole.mjs';

const HEAD = 1 << 16;
const LARGEST_FILE = 1 << 28;
const LONGEST = 20_000_000_000n; // nanoseconds

/** The match of a pattern in the first line of a recording. */
function inHead(file, pattern) {
  try {
    const bytes = Buffer.alloc(HEAD), descriptor = fs.openSync(file, 'r');
    const count = fs.readSync(descriptor, bytes, 0, HEAD, 0);
    fs.closeSync(descriptor);
    return pattern.exec(bytes.toString('utf8', 0, count).split('\n')[0])?.[1];
  } catch { return undefined; }
}

/** Where a recording was made that holds what the outside answered: in node or in a page. */
export const worldIn = (file) => inHead(file, /^\{"retcon":.*?"world":"(node|page)"/);

/** The address of the page that was recorded. */
export function pageIn(file) {
  const text = inHead(file, /^\{"retcon":(?:(?!"state":).)*?"page":"(https?:[^"\\]+)"/);
  try { return text && new URL(text).href; } catch { return undefined; }
}

const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A value with RFC 6902 operations applied: those that the recorder writes. */
function patched(value, operations) {
  for (const { op, path, value: news } of operations) {
    const parts = keysOf(path);
    const within = (old, at) => {
      if (at === parts.length) return news;
      const copy = Array.isArray(old) ? [...old] : { ...old }, key = parts[at];
      const isLast = at === parts.length - 1;
      if (isLast && op === 'remove') {
        if (Array.isArray(copy)) copy.splice(Number(key), 1); else delete copy[key];
      } else if (isLast && op === 'add' && Array.isArray(copy)) {
        copy.splice(key === '-' ? copy.length : Number(key), 0, news);
      } else copy[key] = within(copy[key], at + 1);
      return copy;
    };
    value = within(value, 0);
  }
  return value;
}

function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]));
}

/** RTK Query tells an id that it draws when it loads: the recorded one, by the action's type. */
function noteRegistered(text, registered) {
  if (!text.includes(REGISTERED)) return;
  try {
    const { type, payload } = JSON.parse(text).action;
    if (!registered.has(type)) registered.set(type, payload);
  } catch { /* another line */ }
}

/** The app's recorded storages are filled before the app is loaded. */
function noteStored(text, stored) {
  if (!text.includes('"stored":')) return;
  try {
    const { value } = JSON.parse(text).reads.find(({ key }) => key === 'world');
    stored.note(value);
  } catch { /* another line */ }
}

/** The times of inputs of one task are known before the app runs. */
function noteTogether(lines, whole, began) {
  const times = new Map();
  for (const text of lines) {
    const [, step, time] = /^\{"step":(\d+),(?:"keyframe":true,)?"time":([\d.]+)/.exec(text) ?? [];
    if (step) times.set(Number(step), began + Number(time));
    if (!step || !text.includes('"joins":')) continue;
    const { reads } = JSON.parse(text);
    const before = times.get(reads?.find(({ key }) => key === 'world')?.value?.joins);
    if (before === undefined) continue;
    whole.followed.add(pair(before));
    whole.together.add(pair(before, began + Number(time)));
  }
}

const told = ({ name, cancel }) => (
  name === undefined ? `cancels ${cancel}` : `starts ${name} ${cancel}`);
const isTold = ({ effect, event, outside }) => effect !== undefined
  && (event === 'started' || (event === 'cancelled' && !outside));

const isRequest = ({ event, name }) => event === 'started' && !name.startsWith('timer ');

/** How often each is there, as `GET /a, 2 × POST /b`. */
function listed(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name));
  return all.slice(0, 8).join(', ') + (all.length > 8 ? ` and ${all.length - 8} others` : '');
}

/** Why the recording does not come again whole, and how much of it does. */
export async function rehearsed(file, whole) {
  const told = { start: process.hrtime.bigint() };
  const begin = () => Object.assign(told, { requests: [], count: 0 });
  whole.isRehearsing = true;
  let result;
  do {
    begin();
    result = await compared(file, whole, told);
  } while (result.isAgain);
  whole.isRehearsing = false;
  const { why, notes = [] } = result, { requests, count } = told;
  if (why && requests.length) {
    const rest = listed(requests.slice(count));
    notes.push(`${count} of ${counted(requests.length, 'request')} came again before that`
      + (rest ? `; not: ${rest}` : ''));
  }
  return { why, notes };
}

async function compared(file, whole, tally) {
  if (fs.statSync(file).size > LARGEST_FILE) return { why: 'the session has more than 256 MB' };
  const { start } = tally;
  whole.heard.clear();
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const header = JSON.parse(lines.shift());
  if (header.first || header.effects) return { why: 'the recording begins in the middle' };
  const began = Date.parse(header.started) / 1000;
  for (const text of lines) noteRegistered(text, whole.registered);
  for (const text of lines.filter((each) => each.includes('"started"'))) {
    try {
      const line = JSON.parse(text);
      if (isRequest(line)) tally.requests.push(line.name);
    } catch { /* another line */ }
  }
  for (const text of lines) noteStored(text, whole.stored);
  noteTogether(lines, whole, began);
  let node = await whole.start();
  let state = header.state;
  if (!equal(whole.plain(node.state), state)) node = whole.put(node, state);
  let expected = [], last = 0, timers = 0, unknown = 0, doubt, input;
  const keys = new Map(), starts = new Map(), questions = new Map();
  const { heard } = whole.stored;
  heard.clear();
  const because = (why) => ({ why: doubt ? `${why}. Reason: ${doubt}` : why });
  const at = () => (last ? `at step ${last} ` : 'before its first step ');
  const missing = () => (
    expected.length ? `${at()}it ${expected[0]}, and not in the recording` : undefined);
  for (const text of lines) {
    let line;
    try { line = JSON.parse(text); } catch { continue; }
    if (isTold(line)) {
      if (line.event === 'started') {
        keys.set(line.effect, line.cancel);
        starts.set(line.cancel, began + line.time);
      }
      const words = told({ name: line.name, cancel: keys.get(line.effect) });
      if (expected.shift() !== words) {
        return because(`${at()}it does not do what was recorded: ${words}`);
      }
      if (/ timer /.test(words)) timers++; else if (line.event === 'started') tally.count++;
    }
    if (line.step === undefined) continue;
    if (process.hrtime.bigint() - start > LONGEST) {
      return { why: 'running it takes more than 20 s' };
    }
    const why = missing();
    if (why) return because(why);
    const { step, action, cause, reads, time, error } = line;
    if (error) return { why: `step ${step} ended in an error` };
    if (cause?.output === undefined && node.rest.length) {
      return because(`${at()}it sends ${node.rest[0].told.type}, and not in the recording`);
    }
    last = step;
    if (cause === 'unknown') unknown++;
    if (cause?.output !== undefined) {
      const [next] = node.rest;
      const others = whole.sentByOthers.get(input?.id) ?? [];
      const isOthers = input?.others?.includes(step) && others.length < input.others.length;
      if (!next && cause.output === input?.id && isOthers) {
        // Code outside of the store waited for it, and then sent this.
        whole.sentByOthers.set(input.id, [...others, action]);
        return { isAgain: true };
      }
      if (!next || !equal(next.told, action)) {
        const words = next ? `it sends ${next.told.type}` : 'it sends nothing';
        return because(`${words} where step ${step}, ${action.type}, was recorded`);
      }
    }
    const given = reads?.find(({ key }) => key === 'world')?.value;
    input = given ?? input;
    if (given?.awaited && action.retcon?.call) whole.awaited.add(action.retcon.call);
    const result = await whole.next(node, action, given, began + time);
    if (result.error) return { why: `step ${step} ends in an error: ${result.error}` };
    if (result.why) return { why: `of step ${step}, ${result.why}` };
    ({ node } = result);
    doubt = cause?.output === undefined ? result.doubt : doubt;
    for (const { work } of result.effects) {
      if (work?.listen) questions.set(work.key, [JSON.stringify(work.listen)]);
      if (!work?.ask) continue;
      const question = JSON.stringify(work.ask);
      whole.heard.set(question, [...whole.heard.get(question) ?? [], false]);
      questions.set(work.key, [question, work.times]);
    }
    if (action.retcon?.hear) {
      const { hear: key, ...value } = action.retcon, [asked] = questions.get(key) ?? [];
      const event = { at: (began + time) * 1000, after: began + time - starts.get(key), value };
      heard.set(asked, [...heard.get(asked) ?? [], event]);
    }
    const [question, times] = questions.get(action.retcon?.answer) ?? [];
    if (question) whole.heard.get(question)[times] = true;
    expected = result.effects.filter(({ send }) => send === undefined).map(told);
    state = patched(state, line.patch ?? []);
    if (!equal(whole.plain(node.state), state)) {
      return because(`step ${step} leads to another state`);
    }
  }
  whole.last = last;
  const notes = [`The app runs whole in forks: ${counted(tally.count, 'request')} and `
    + `${counted(timers, 'timer')} came again as recorded`];
  if (unknown) notes.push(`Of ${counted(unknown, 'step')} nobody knows what sent them: `
    + 'behind an edit, they are assumed');
  const others = [...whole.sentByOthers.values()].flat().length;
  if (others) notes.push(`Code outside of the store’s file sent ${counted(others, 'action')} while `
    + 'the app was at work: behind an edit, they are assumed');
  return { notes };
}

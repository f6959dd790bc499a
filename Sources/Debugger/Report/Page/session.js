// The recording and its forks. Their steps come in blocks, each unpacked when it is asked for.

const decoder = new TextDecoder();

class Session {
  constructor({ blocks, last }, [around, ...pieces]) {
    Object.assign(this, { firsts: blocks, first: blocks[0], last, pieces, blocks: new Map() });
    this.around = JSON.parse(decoder.decode(unpacked(around)));
    this.effects = this.around.effects.map((words) => {
      const [number, name, place, step, isCalled, end, how, took, message, isBad] = words;
      return { number, name, place, step, isCalled, end, how, took, message, isBad };
    });
  }

  /** The block with a step. Only the last ones stay, since each is unpacked in no time. */
  block(number) {
    const place = lowerBound(this.firsts, number + 1) - 1, known = this.blocks.get(place);
    if (known || place < 0 || number > this.last) return known;
    let block = { first: this.firsts[place], label: [] };
    // What is damaged counts as not there.
    try { block = JSON.parse(decoder.decode(unpacked(this.pieces[place]))); } catch {}
    block.states = new Map([[block.first, block.state ?? undefined]]);
    let time = 0;
    block.time = block.time?.map((passed) => passed === null ? passed : time += passed);
    if (this.blocks.size >= 16) this.blocks.delete(this.blocks.keys().next().value);
    this.blocks.set(place, block);
    return block;
  }

  /** A step, or undefined if the file has no readable line for it. */
  step(number) {
    const block = this.block(number), n = number - block?.first;
    const label = block?.names?.[block.label[n]];
    if (label === undefined) return undefined;
    const [kind, words, place, from] = block.senders[block.sender[n]];
    return { label, action: block.action[n], time: block.time?.[n] ?? undefined,
      sender: { kind, words, place, from: from ?? undefined }, ...block.more[number] };
  }

  /** What a step changed, as Retcon compared the states; null if one of them is unknown. */
  changes(number) {
    const block = this.block(number);
    return block?.changes?.[number - block.first] ?? null;
  }

  /** What it changed, as people read it, and what differs from the parent's step. */
  shown(number) {
    const more = this.block(number)?.more?.[number] ?? {};
    const own = () => this.changes(number)?.map((one) => one[0][0] === '^' ? one : [one[0]]);
    return [more.list ?? own() ?? [], more.beside];
  }

  /** The state after a step, or undefined if the session does not hold it. */
  state(number) {
    const block = this.block(number);
    if (!block) return undefined;
    let from = number;
    while (from > block.first && !block.states.has(from)) from--;
    let state = block.states.get(from);
    for (let n = from + 1; n <= number; n++) {
      state = this.changes(n)?.reduce(changed, state);
      if (n % 64 === 0) block.states.set(n, state);
    }
    block.states.set(number, state);
    return state;
  }

  /** What the sender of a step had read before it. */
  readsBefore(number, effect) {
    if (this.around.stale.includes(effect)) return [];
    return (this.around.reads[effect] ?? []).filter(([after]) => after < number);
  }
}

let facts, branches, here = { branch: 0, step: 0 };

function owner(branch, step) {
  while (branches[branch].parent !== undefined && step <= branches[branch].leavesAt) {
    branch = branches[branch].parent;
  }
  return branch;
}
const sessionOf = (branch, step) => branches[owner(branch, step)].session;
const stepOf = (branch, step) => sessionOf(branch, step).step(step);
const stateOf = (branch, step) => sessionOf(branch, step).state(step);
const firstOf = () => branches[0].session.first;
const lastOfAll = () => Math.max(...branches.map((branch) => branch.session?.last ?? 0));
const lastOf = (branch) => branches[branch].session.last;
const isShared = (branch, step) => owner(branch, step) !== branch;
const labelOf = (branch, step) => stepOf(branch, step)?.label ?? '(not in the file)';
const senderOf = (branch, step) => stepOf(branch, step)?.sender ?? { words: '' };
const failureAt = (branch, step) => facts.byPlace.get(owner(branch, step) + '/' + step);
const markAt = (branch, step) => {
  const { name } = branches[owner(branch, step)];
  return facts.marks.find((mark) => mark.step === step && mark.branch === name);
};
const effectsAround = (branch, step) =>
  sessionOf(branch, step).effects
    .filter((effect) => effect.step <= step && (effect.end === null || effect.end >= step));

/** The step, its sender, the sender's sender, and so on. */
function causes(branch, step) {
  const chain = [];
  for (let next = step; next > 0 && chain.length < 50;) {
    const sender = senderOf(branch, next);
    chain.push({ ...sender, step: next });
    next = sender.from < next ? sender.from : 0;
  }
  return chain;
}

/** Whether a step may have changed a place, and where its value was before. */
function trackBack(branch, step, path) {
  const changes = sessionOf(branch, step).changes(step);
  if (!changes) return { path, isSame: true };
  const isList = (place) => Array.isArray(at(stateOf(branch, step), place));
  const earlier = before(path, changes, isList);
  if (earlier) return { path: earlier, isSame: true };
  const [old, now] = [stateOf(branch, step - 1), stateOf(branch, step)];
  return { path, isSame: old !== undefined && json(at(old, path)) === json(at(now, path)) };
}

const pause = () => new Promise((done) => setTimeout(done));

/** The values that a place had, newest first. Looks for `limit` of them; the screen goes on. */
async function valuesOf(branch, step, path, limit, isWanted) {
  const found = [];
  let until = step, since = performance.now();
  for (let n = step; n > firstOf(); n--) {
    const track = trackBack(branch, n, path);
    if (!track.isSame) {
      const [old, now] = [stateOf(branch, n - 1), stateOf(branch, n)];
      found.push({ from: n, until, value: at(now, path) });
      // An element of a list that was not there before is a new one.
      const isNew = at(old, path) === undefined && path.length
        && Array.isArray(at(now, path.slice(0, -1)));
      if (found.length === limit || isNew) return found;
      until = n - 1;
    }
    path = track.path;
    if (performance.now() - since > 12) {
      await pause();
      if (!isWanted()) return found;
      since = performance.now();
    }
  }
  found.push({ from: firstOf(), until, value: at(stateOf(branch, firstOf()), path) });
  return found;
}

function lowerBound(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (list[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

'use strict';
// Retcon computed and worded what is here; the page unpacks it and shows it. The scripts of this
// folder are joined into one. They make no request, and nothing of a session becomes markup.

let facts, branches, here = { branch: 0, step: 0 };

/** A line of the data, as gzip packs it, or plain. */
async function unpacked(line) {
  const signs = atob(line), bytes = new Uint8Array(signs.length), decoder = new TextDecoder();
  for (let n = 0; n < signs.length; n++) bytes[n] = signs.charCodeAt(n);
  if (bytes[0] !== 0x1f) return JSON.parse(decoder.decode(bytes));
  // Pipes and blobs take ten times as long.
  const gzip = new DecompressionStream('gzip'), writer = gzip.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const reader = gzip.readable.getReader(), read = async (text = '') => {
    const { done, value } = await reader.read();
    return done ? text : read(text + decoder.decode(value, { stream: true }));
  };
  const [text] = await Promise.all([read(), written]);
  return JSON.parse(text);
}

function owner(branch, step) {
  while (branches[branch].parent !== undefined && step <= branches[branch].leavesAt) {
    branch = branches[branch].parent;
  }
  return branch;
}
const firstOf = (branch = 0) => branches[branch].firsts[0];
const lastOf = (branch) => branches[branch].last;

/** A step in the list, with the facts that are known of all steps. */
function stepOf(branch, step) {
  const { index } = branches[owner(branch, step)], n = step - firstOf(owner(branch, step));
  const name = (column) => index.names[index[column][n]] ?? '';
  return { label: index.label[n] === null ? '(not in the file)' : name('label'), sign: name('sign'),
    sender: name('sender'), time: name('time'), payload: index.payload[n] ?? '',
    from: index.from[n] ? step - index.from[n] : undefined };
}

const blocks = new Map();

/** The block with a step. Only the last ones stay, since each is unpacked in no time. */
function blockOf(branch, step) {
  const own = owner(branch, step), { firsts, pieces } = branches[own];
  const place = firsts.findLastIndex((first) => first <= step), name = own + '/' + place;
  const block = blocks.get(name) ?? unpacked(pieces[place])
    .then((block) => ({ ...block, first: firsts[place] })).catch(() => undefined);
  blocks.delete(name);
  blocks.set(name, block);
  if (blocks.size > 16) blocks.delete(blocks.keys().next().value);
  return block;
}

/** The rows of the state after a step, from the outside in. */
function stateRows(block, step) {
  const { depth, key, text, from, until, since, slot } = block.rows, rows = [], above = [];
  for (let n = 0, number = 0, start = 0; n < depth.length; n++) {
    number += slot[n];
    start += from[n];
    const end = until[n] || slot[n + 1] === 0 && start + from[n + 1];
    if (start > step || end && end <= step) continue;
    const row = { depth: depth[n], key: key[n], text: text[n], slot: number, inner: [],
      since: start - since[n] };
    rows.push(row);
    above.length = row.depth;
    above.at(-1)?.inner.push(row);
    above.push(row);
    // All is new at the start.
    if (row.since < step || step === firstOf()) continue;
    for (const one of above) one.isChanged = true;
  }
  return rows;
}

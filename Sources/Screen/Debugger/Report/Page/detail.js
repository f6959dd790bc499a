// One step in detail: who sent it, what it changed, and the state after it.

function section(title, ...inner) {
  const shown = inner.flat(Infinity).filter(Boolean);
  return shown.length ? h('section', {}, title && h('h3', {}, title), shown) : '';
}
const listed = (items, ...kind) => h('ul', { class: ['plain', ...kind].join(' ') }, items);

/** A sign, a place, and the values before and after, or the slot of the rows that have them. */
function changeRow(change, rows) {
  if (!Array.isArray(change)) return h('li', { class: 'quiet' }, change);
  let [sign, place, old, now, since] = change;
  if (typeof old === 'number') {
    const [was, is] = rows.map((all) => all.find((row) => row.slot === old));
    [old, now, since] = [clipped(was?.text), clipped(is?.text), was?.since];
  }
  const both = sign === '^' ? ['↕ ', old, '  ', code(now)]
    : sign === '+' ? h('ins', {}, '+ ', code(now)) : sign === '-' ? h('del', {}, '− ', code(old))
    : [h('del', {}, old), ' → ', h('ins', {}, now)];
  const before = since === undefined ? '' : quiet('before: set by ', stepLink(since));
  return h('li', {}, h('div', { class: 'name' }, h('code', {}, place), before),
    h('div', { class: 'mono' }, both));
}
const clipped = (text) => text?.length > 200 ? text.slice(0, 200) + '…' : text;
const changesOf = (list, rows) => typeof list === 'string' ? h('p', { class: 'quiet' }, list)
  : list.length ? listed(list.map((change) => changeRow(change, rows)), 'changes') : '';

/** The step, its sender, the sender's sender, and so on. */
function chain(branch, step) {
  const items = [];
  for (let next = step; next !== undefined && items.length < 50;) {
    const { sender, from } = stepOf(branch, next);
    if (sender) items.push(h('li', {}, items.length ? [stepLink(next), ', '] : '', quiet(sender)));
    next = from < next ? from : undefined;
  }
  return h('ol', { class: 'chain' }, items);
}

/** The values that a place had, newest first, and who set them. */
async function showHistory(row, item) {
  const old = item.querySelector('.history'), list = h('ol', { class: 'history' });
  if (old) return old.remove();
  item.append(list);
  const own = owner(here.branch, here.step), first = firstOf(own);
  for (let until = here.step, n = 0; row && n < 12; n++) {
    const { since, text, slot } = row, isStart = since <= first;
    const setter = !isStart ? ['set by ', stepLink(since)]
      : branches[own].parent === undefined ? 'since the start'
      : ['since before the fork: ', stepLink(first, branches[own].parent)];
    list.append(h('li', {}, code(text), quiet(`  steps ${since} – ${until}, `, setter)));
    until = since - 1;
    const block = isStart ? undefined : await blockOf(own, until);
    row = block && stateRows(block, until).find((one) => one.slot === slot);
  }
}

const opened = new Set();

/** The parts of a row as a list; of a long one the first parts, and some that changed. */
function parts(row, room, limit = 50) {
  let left = limit;
  const all = row.inner.map((part, n) => [part, part.key ?? n]);
  const shown = all.filter(([part], n) => n < limit || part.isChanged && left-- > 0);
  const rest = all.length - shown.length;
  const more = () => list.replaceWith(parts(row, room, limit * 10));
  const list = h('ul', {}, shown.map(([part, name]) => item(part, name, room)),
    rest ? h('li', {}, h('button', { class: 'quiet', onclick: more }, `… ${rest} more`)) : '');
  return list;
}

function item(row, name, room) {
  // The unnamed value of a Swift case is the case's own.
  while (row.inner.length === 1 && row.inner[0].key === '_0') [row] = row.inner;
  const key = [h('span', { class: row.isChanged ? 'k changed' : 'k' }, name), ': '];
  if (!row.inner.length) {
    const ask = h('button', { class: 'ask', onclick: () => showHistory(row, leaf) }, 'history');
    const leaf = h('li', {}, h('div', { class: 'leaf' }, key, code(row.text), ask));
    return leaf;
  }
  const details = h('details', {}, h('summary', {}, key, quiet(row.text)));
  const fill = () => { if (details.children.length < 2) details.append(parts(row, room)); };
  details.addEventListener('toggle', () => { if (details.open) fill(); });
  // The page closes its own opening again with the next step.
  details.firstChild.addEventListener('click', () => {
    if (details.open) opened.delete(row.slot); else opened.add(row.slot);
  });
  if (opened.has(row.slot) || row.isChanged && (room.left -= row.inner.length) > 0) {
    details.open = true;
    fill();
  }
  return h('li', {}, details);
}

async function drawDetail() {
  const { branch, step } = here, block = await blockOf(branch, step), box = $('detail');
  if (here.branch !== branch || here.step !== step) return;
  const { label, time, payload } = stepOf(branch, step), n = step - block?.first;
  const all = block?.sections[step] ?? [], changes = block?.changes[n];
  const rows = block ? [step - 1, step].map((one) => stateRows(block, one)) : [[], []];
  const [root] = rows[1], action = block?.action[n] || payload;
  const effects = branches[owner(branch, step)].index.effects
    .filter(([from, end]) => from <= step && (end === null || end >= step)).slice(0, 40)
    .map(([, , words]) => h('li', {}, line(words)));
  const sections = (isWanted) => all.filter(([title]) => isWanted(title))
    .map(([title, lines, list]) => section(title,
      lines.map((words) => h('p', {}, line(words))), changesOf(list)));
  const top = box.scrollTop;
  box.replaceChildren(
    h('h2', {}, quiet(`${step} `), label, quiet('  ', time)), chain(branch, step),
    ...sections((title) => !title),
    block ? '' : h('p', { class: 'red' }, 'This part of the report is damaged.'),
    h('div', { class: 'two' }, h('div', {},
      changes && section('What it changed', changesOf(changes, rows)),
      sections((title) => title.startsWith('Beside')),
      action && section('Action', h('pre', {}, action)),
      effects.length ? section('Effects', listed(effects)) : '',
      sections((title) => title && !title.startsWith('Beside'))),
      h('div', {}, root && section('State after it', h('div', { class: 'tree', id: 'state' },
        root.inner.length ? parts(root, { left: 300 }) : code(root.text))))));
  box.scrollTop = top;
  document.body.dataset.step = step;
  announce(`Step ${step}, ${label}`);
}

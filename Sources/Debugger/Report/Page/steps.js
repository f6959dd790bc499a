// The list of steps, of which only what is seen is made, and its search.

let filtered, chip = 'all', searchRun = 0;
const isNarrow = matchMedia('(max-width: 760px)');
const rowHeight = () => isNarrow.matches ? 40 : 26;
const rowCount = () => filtered ? filtered.length : lastOf(here.branch) - firstOf() + 1;
const stepAt = (row) => filtered ? filtered[row] : firstOf() + row;
const rowOf = (step) => filtered ? lowerBound(filtered, step) : step - firstOf();

/** What an action carries: the label says which action it is. */
function preview({ action, label }, room) {
  let value = action;
  if (part(value, 'type') !== undefined) {
    const { type, meta, ...rest } = value, members = Object.values(rest);
    value = members.length === 1 ? members[0] : rest;
  }
  for (let depth = 0; isBranching(value) && !Array.isArray(value) && depth < 8; depth++) {
    const [[key, inner], ...others] = [...Object.entries(value), []];
    if (others.length !== 1 || !label.split('.').includes(key) && key !== '_0') break;
    value = inner;
  }
  const isEmpty = value === undefined || value === 'null' || isBranching(value) && !sizeOf(value);
  return isEmpty ? '' : brief(value, room);
}

/** The rows that are in the page, by their step. One that is out of sight shows another step. */
const rows = new Map();

function newRow() {
  const span = (name) => h('span', { class: name }, '');
  const row = { n: span('n'), sign: span('sign'), head: span('head'), tail: span('tail'),
    what: span('quiet what'), mark: span('amber'), t: span('t') };
  row.l = h('span', { class: 'l' }, row.head, row.tail, row.what);
  row.element = h('div', { class: 'row', role: 'option' }, row.n, row.sign, row.l, row.mark, row.t);
  return row;
}

function fillRow(row, number, place, room) {
  const { branch } = here, step = stepOf(branch, number), failure = failureAt(branch, number);
  const { sign, worth } = isShared(branch, number) ? {} : step ?? {};
  const mark = markAt(branch, number), label = labelOf(branch, number);
  const cutAt = Math.max(label.lastIndexOf('.'), label.lastIndexOf('/')) + 1;
  // A text that only changes costs less than another one in its place.
  const write = ({ firstChild }, text) => {
    text = safe(text);
    if (firstChild.data !== text) firstChild.data = text;
  };
  const named = (element, words) => {
    words = words.filter(Boolean).join(' ');
    if (element.className !== words) element.className = words;
  };
  const glyph = { effect: '⚡', reducer: '↳', outside: '⇢' }[senderOf(branch, number).kind] ?? '';
  write(row.n, number);
  write(row.sign, sign ?? (failure ? '✗' : glyph));
  // Of a long label the end says most.
  const headRoom = Math.max(Math.floor(room * .6) - label.length + cutAt, 3);
  write(row.head, clipped(label.slice(0, cutAt), headRoom));
  write(row.tail, label.slice(cutAt));
  write(row.what, step ? preview(step, Math.max(room - label.length, 12)) : '');
  write(row.mark, mark ? '▲' : '');
  write(row.t, duration(step?.time));
  row.mark.title = mark ? safe(mark.note || 'marked') : '';
  row.sign.title = worth ?? '';
  named(row.sign, ['sign', failure && 'red']);
  named(row.element, ['row', failure && 'bad', step?.skipped && 'skipped',
    branch && isShared(branch, number) && 'shared']);
  row.element.id = 'row-' + number;
  row.element.dataset.step = number;
  row.element.setAttribute('aria-posinset', place + 1);
  row.element.setAttribute('aria-setsize', rowCount());
}

function drawList(isMoved) {
  const list = $('list'), high = rowHeight(), tall = list.clientHeight, selected = rowOf(here.step);
  const room = Math.min(Math.max(list.clientWidth - 110, 0) / 6, 200), all = rowCount();
  // All is read, and scrolled, before anything changes: a change that is read costs a layout.
  const drawn = [here.branch, filtered, high, room, all];
  if (!drawn.every((one, n) => one === drawList.drawn?.[n])) {
    for (const [step, row] of [...rows]) { rows.delete(step); rows.set('was ' + step, row); }
    drawList.drawn = drawn;
    $('rows').style.height = all * high + 'px';
    list.style.setProperty('--digits', String(lastOf(here.branch)).length + 'ch');
  }
  let top = list.scrollTop;
  const place = selected * high;
  if (isMoved && (place < top + high || place > top + tall - 2 * high)) {
    top = Math.max(0, Math.min(place - Math.floor(tall / 2), all * high - tall));
    list.scrollTop = top;
  }
  const first = Math.max(0, Math.floor(top / high) - 2);
  const end = Math.min(all, Math.ceil((top + tall) / high) + 2), wanted = new Map();
  for (let row = first; row < end; row++) wanted.set(stepAt(row), row);
  const free = [...rows.keys()].filter((step) => !wanted.has(step));
  $('rows').style.paddingTop = first * high + 'px';
  // Screen readers go by the order in the page.
  let next = $('rows').firstChild;
  for (const [step, place] of wanted) {
    if (!rows.has(step)) {
      const old = free.shift(), row = rows.get(old) ?? newRow();
      rows.delete(old);
      rows.set(step, row);
      fillRow(row, step, place, room);
    }
    const isSelected = String(step === here.step), { element } = rows.get(step);
    if (element.getAttribute('aria-selected') !== isSelected) {
      element.setAttribute('aria-selected', isSelected);
    }
    if (element === next) next = next.nextSibling; else $('rows').insertBefore(element, next);
  }
  for (const step of free) { rows.get(step).element.remove(); rows.delete(step); }
  const isThere = stepAt(selected) === here.step;
  if (isThere) list.setAttribute('aria-activedescendant', 'row-' + here.step);
  else list.removeAttribute('aria-activedescendant');
}

/** A value to compare with, from its JSON, or a word. */
function plain(text) {
  if (text === undefined || isBranching(text)) return text && json(text);
  try { return JSON.parse(text.trim().replace(/^'(.*)'$/, '"$1"')); } catch { return text.trim(); }
}

const comparisons = {
  '==': (a, b) => a === b, '=': (a, b) => a === b, '!=': (a, b) => a !== b,
  '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
};

/** What a search asks of a step: a place that compares, a place that changes, or a text. */
function question(text) {
  const compared = /^\s*(?:state\.)?([^\s=<>!]+?)\s*(<=|>=|==|!=|=|<|>)\s*(.+)$/.exec(text);
  if (compared) {
    const [, word, operator, value] = compared, wanted = plain(value);
    const place = word.startsWith('/') ? tokens(word) : word.split(/[.[\]]+/).filter(Boolean);
    return (step) => {
      const state = stateOf(here.branch, step), found = plain(at(state, place));
      const isMeant = /[<>]/.test(operator) ? typeof found === typeof wanted : state !== undefined;
      return isMeant && comparisons[operator](found, wanted);
    };
  }
  if (/^\/\S/.test(text)) {
    const place = tokens(text.trim());
    return (step) => step > firstOf() && !trackBack(here.branch, step, place).isSame;
  }
  const wanted = text.trim().toLowerCase();
  return (number) => {
    const step = stepOf(here.branch, number);
    return step !== undefined
      && (step.label + '\n' + json(step.action)).toLowerCase().includes(wanted);
  };
}

const chips = {
  all: ['All', () => true],
  user: ['By the user', (step) => senderOf(here.branch, step).kind === 'user'],
  effect: ['By effects', (step) => /effect|reducer/.test(senderOf(here.branch, step).kind)],
  failure: ['Failures', (step) => failureAt(here.branch, step)],
  mark: ['Marked', (step) => markAt(here.branch, step)],
};

async function search() {
  const run = ++searchRun, text = $('search').value, [, isOfChip] = chips[chip];
  const found = text.trim() || chip !== 'all' ? [] : undefined;
  const asks = text.trim() ? question(text) : () => true;
  let since = performance.now();
  for (let step = firstOf(); found && step <= lastOf(here.branch); step++) {
    if (isOfChip(step) && asks(step)) found.push(step);
    if (performance.now() - since < 12) continue;
    await pause();
    if (run !== searchRun) return;
    since = performance.now();
  }
  filtered = found;
  drawChips();
  drawList(true);
  drawTimeline();
  if (found) announce(count(found.length, 'step') + ' found');
}

function drawChips() {
  const isShown = { all: true, user: facts.knowsCauses, effect: facts.knowsCauses,
    failure: facts.failures.length, mark: facts.marks.length };
  const button = (name) => h('button', {
    'aria-pressed': String(chip === name), onclick: () => { chip = name; search(); },
  }, chips[name][0]);
  $('chips').replaceChildren(
    ...Object.keys(chips).filter((name) => isShown[name]).map(button),
    quiet(filtered ? count(filtered.length, 'step') : ''));
}

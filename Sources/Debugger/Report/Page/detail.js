// One step in detail: what it changed, who sent it, and the state after it.

function section(title, ...inner) {
  const shown = inner.flat().filter(Boolean);
  return shown.length ? h('section', {}, h('h3', {}, title), shown) : undefined;
}

const listed = (items) => h('ul', { class: 'plain' }, items);
const andMore = (number) => number > 0 && h('p', { class: 'quiet' }, `${grouped(number)} more`);

const placeName = (path) =>
  path.filter((key) => key !== '_0').map((key) => /^\d+$/.test(key) ? `[${key}]` : key)
    .join('.').replaceAll('.[', '[') || 'the state';

/** What Retcon listed as changes, a sign and a place each, and the old place; with both values. */
function changesOf(list, old, now) {
  return list.filter(Array.isArray).map(([name, was]) => {
    const [sign] = name, path = tokens(name.slice(1));
    const from = was === undefined ? path : tokens(was);
    return { sign, path, from, old: sign === '+' ? undefined : at(old, from),
      now: sign === '-' ? undefined : at(now, path) };
  });
}
const leftOut = (list) => Number.isInteger(list.at(-1)) ? list.at(-1) : 0;

function changeRow({ sign, path, from, old, now }, step, canAsk = true) {
  const both = sign === '^' ? [`↕ was at ${placeName(from)}  `, inline(now)]
    : old === undefined ? h('ins', {}, '+ ', inline(now))
    : now === undefined ? h('del', {}, '− ', inline(old))
    : [h('del', {}, inline(old)), ' → ', h('ins', {}, inline(now))];
  const button = canAsk && old !== undefined && h('button', {
    class: 'ask', 'aria-label': safe('who set this before: ' + pointer(from)),
    onclick: () => ask(from, step - 1),
  }, 'who set this before');
  return h('li', {}, h('div', { class: 'name' }, h('code', {}, placeName(path)), button),
    h('div', { class: 'mono' }, both));
}

function readItem([, name, value, isError]) {
  return h('li', {}, h('code', {}, name), ' ', isError && h('span', { class: 'red' }, '✗ '),
    h('code', {}, value));
}

function effectItem(effect, step) {
  const { name, place, step: start, isCalled, end, how, took, message, isBad } = effect;
  const began = start === step && !isCalled ? 'started here'
    : [isCalled ? 'called after ' : 'started at ', linkTo({ ...here, step: start }, start)];
  const ended = end === null ? h('span', { class: 'amber' }, 'never ended')
    : h('span', { class: isBad ? 'red' : '' }, how, took && ' after ' + took,
      end !== step && [' at ', linkTo({ ...here, step: end }, end)]);
  return h('li', {}, h('code', {}, name), ' ', began, ', ', ended,
    message && h('span', { class: 'red' }, ': ', message), place && quiet('  ', place));
}

function ask(path, step) {
  if (step !== undefined && step !== here.step) asked = undefined;
  drawHistory(path, step ?? here.step);
  window.history.replaceState(null, '', hash(here, pointer(path)));
}

let historyRun = 0;

/** The values that a place had, and the steps that set them. */
async function drawHistory(path, step) {
  const run = ++historyRun, box = $('history'), place = pointer(path);
  if (!box) return;
  asked = place;
  box.className = 'history';
  const close = () => { box.className = 'hidden'; asked = undefined; box.replaceChildren(); };
  const title = h('h3', {}, h('span', {}, 'Who set ', h('code', {}, place || 'the state')),
    h('button', { 'aria-label': 'Close', onclick: close }, '✕'));
  box.replaceChildren(title, h('p', { class: 'quiet' }, 'looking …'));
  const found = await valuesOf(here.branch, step, path, 12, () => run === historyRun);
  if (run !== historyRun) return;
  const items = found.map(({ from, until, value }) => {
    const chain = causes(here.branch, from);
    const links = chain.map((cause, n) => [n ? ' ← ' : 'by ', stepLink(cause.step),
      n === chain.length - 1 && cause.kind && quiet(', ', cause.words)]);
    const range = until === from ? '  ' : `  steps ${from} – ${until}  `;
    return h('li', {}, inline(value, 100), quiet(range),
      from === firstOf() ? 'since the start' : links);
  });
  const isCut = found.length === 12 && found.at(-1).from > firstOf();
  const more = 'There are earlier values: go to the last of these steps and ask again.';
  box.replaceChildren(title, ...sparkline(found), h('ol', {}, items),
    isCut ? h('p', { class: 'quiet' }, more) : '');
  announce(`${place}: ${brief(found[0].value, 80)}, set by step ${found[0].from}`);
}

/** The course of a number, over the steps. */
function sparkline(found) {
  const numbers = found.filter(({ value }) => typeof value === 'string' && /^[-\d]/.test(value))
    .map(({ from, value }) => [from, +value]).reverse();
  if (numbers.length < 3) return [];
  const values = numbers.map(([, value]) => value);
  const low = Math.min(...values), high = Math.max(...values), [[start]] = numbers;
  const x = (step) => (step - start) / Math.max(found[0].until + 1 - start, 1) * 100;
  const y = (value) => 42 - (value - low) / (high - low || 1) * 40;
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const picture = svg('svg', { class: 'spark', viewBox: '0 0 100 44', preserveAspectRatio: 'none',
    role: 'img', 'aria-label': `From ${low} to ${high}` });
  const line = numbers.map(([step, value], n) =>
    n ? `H${x(step)}V${y(value)}` : `M${x(step)} ${y(value)}`);
  picture.append(svg('path', { d: line.join('') + 'H100' }));
  if (low < 0 && high > 0) picture.append(svg('path', { class: 'zero', d: `M0 ${y(0)}H100` }));
  return [picture];
}

/** A fork's step beside the one of its parent. */
function beside(branch, number) {
  if (!branch || isShared(branch, number)) return undefined;
  const { session, from: counterparts, leavesAt, parent } = branches[branch];
  const step = session.step(number), { name } = branches[parent];
  const from = counterparts[number - leavesAt - 1];
  const inner = [step?.worth && h('p', {}, step.sign, ' ', step.worth, '.'),
    ...(step?.assumptions ?? []).map((words) => h('p', { class: 'amber' }, words))];
  if (from === null || from === undefined) {
    inner.push(h('p', { class: 'quiet' }, `“${name}” has no such step.`));
  } else {
    const [, list] = session.shown(number);
    const found = changesOf(list ?? [], stateOf(parent, from), stateOf(branch, number));
    const other = linkTo({ branch: parent, step: from }, `${from} ${labelOf(parent, from)}`);
    const words = found.length ? 'Different from '
      : list ? 'The same state as ' : 'Not compared with the state of ';
    inner.push(h('p', {}, words, other, ` of ${name}`, found.length ? ':' : '.'),
      found.length > 0 && h('ul', { class: 'plain changes' },
        found.map((change) => changeRow(change, number, false))), andMore(leftOut(list ?? [])));
  }
  return section(parent ? 'Beside ' + name : 'Beside the recording', inner);
}

/** The members that matter, by what they are a part of. */
function partsOf(paths) {
  const special = new Map();
  for (const path of paths) {
    path.forEach((key, n) => {
      const parent = pointer(path.slice(0, n));
      special.set(parent, (special.get(parent) ?? new Set()).add(key));
    });
  }
  return special;
}

function headOf(branch, number, step) {
  const chain = causes(branch, number), failure = failureAt(branch, number);
  const mark = markAt(branch, number), line = (kind, ...words) => h('p', { class: kind }, words);
  const links = chain.map(({ step, words, place }, n) =>
    h('li', {}, n ? [stepLink(step), ', '] : '', quiet(words, place && `  ${place}`)));
  return [
    h('h2', {}, quiet(`${number} `), labelOf(branch, number)),
    chain.length > 0 && h('ol', { class: 'chain' }, links),
    failure && line('red', '✗ ', failure), mark && line('amber', '▲ ', mark.note || 'marked'),
    step?.skipped && line('quiet', 'This step was skipped when it was recorded.'),
    !step && line('red', 'The file has no readable line for this step.'),
    step?.damage && line('red', step.damage),
    ...sessionOf(branch, number).around.posts.filter(([at]) => at === number)
      .map(([, text]) => line('quiet', '⚑ ', text)),
  ].filter(Boolean);
}

function changesSection(number, state, old, changes, list) {
  const words = (text) => h('p', { class: 'quiet' }, text);
  const shown = number === firstOf() ? words('The session starts here.')
    : state === undefined ? words('The session holds no state here.')
    : old === undefined ? words('The session holds no state before this step.')
    : !changes.length ? words('Nothing.')
    : h('ul', { class: 'plain changes' },
      changes.slice(0, 60).map((one) => changeRow(one, number)));
  const more = Math.max(changes.length - 60, 0) + leftOut(list);
  return section('What it changed', shown, andMore(more));
}

function drawDetail(top) {
  const { branch, step: number } = here, own = sessionOf(branch, number), step = own.step(number);
  const state = stateOf(branch, number), box = $('detail'), [list] = own.shown(number);
  const old = number > firstOf() ? stateOf(branch, number - 1) : undefined;
  const changes = state !== undefined && old !== undefined ? changesOf(list, old, state) : [];
  const isChanged = new Set(
    changes.flatMap(({ path }) => path.map((_, n) => pointer(path.slice(0, n + 1)))));
  const effects = effectsAround(branch, number), wasOpen = new Set(opened);
  const reads = [...step?.reads ?? [],
    ...step?.sender.effect ? own.readsBefore(number, step.sender.effect) : []];
  const wanted = asked === undefined ? undefined : tokens(asked);
  const left = [
    changesSection(number, state, old, changes, list),
    beside(branch, number),
    step?.action !== undefined && number > firstOf() && section('Action', h('ul', { class: 'tree' },
      parts(step.action, { open: (_, path) => path.length < 4 }, []))),
    step?.stack && section('Sent from', h('pre', { class: 'mono' }, step.stack)),
    effects.length > 0 && section('Effects',
      listed(effects.slice(0, 40).map((effect) => effectItem(effect, number)))),
    reads.length > 0 && section('What it read', listed(reads.slice(0, 60).map(readItem))),
  ];
  const isOpen = (name, path) => wasOpen.has(name) || isChanged.has(name) && path.length < 6
    || wanted && path.length < wanted.length && pointer(wanted).startsWith(name);
  const right = state !== undefined && section('State after it',
    h('p', { class: 'quiet hint' }, 'Point at a value to see who set it.'),
    h('ul', { class: 'tree', id: 'state' }, parts(state, {
      changed: isChanged, open: isOpen, ask: (path) => ask(path),
      special: partsOf([...changes.map(({ path }) => path), ...wanted ? [wanted] : []]),
      toggled: (name, isOpen) => { if (isOpen) opened.add(name); else opened.delete(name); },
    }, [])));
  box.replaceChildren(...headOf(branch, number, step), h('div', { id: 'history', class: 'hidden' }),
    h('div', { class: 'two' }, h('div', {}, left), h('div', {}, right)));
  if (top) box.scrollTop = top;
  historyRun++;
  if (wanted) {
    drawHistory(wanted, number);
    box.querySelector(`[data-path="${CSS.escape(asked)}"]`)?.classList.add('here');
  }
  const failure = failureAt(branch, number), all = changes.length + leftOut(list);
  const words = changes.length ? count(all, 'change') : 'no change';
  announce([`Step ${number}`, labelOf(branch, number), words, failure].filter(Boolean).join(', '));
}

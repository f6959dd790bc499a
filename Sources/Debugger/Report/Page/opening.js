// The place, the address that names it, the keys, and the start.

function hash(place, path) {
  const words = new URLSearchParams({ step: place.step });
  if (place.branch) words.set('branch', branches[place.branch].name);
  if (path !== undefined) words.set('path', path);
  return '#' + words;
}

const within = (branch, step) => Math.min(Math.max(step, firstOf()), lastOf(branch));

function placeIn(text) {
  const words = new URLSearchParams(text.replace(/^#/, '')), name = words.get('branch') ?? 'main';
  const branch = branches.findIndex((branch) => branch.session && branch.name === name);
  const step = Number.parseInt(words.get('step'), 10);
  if (branch < 0) return { missing: name };
  if (Number.isNaN(step)) return undefined;
  return { place: { branch, step: within(branch, step) }, path: words.get('path') ?? undefined };
}

let asked, opened = new Set(), waiting = false, addressing;

function go(place, isLink = false, path) {
  place.step = within(place.branch, place.step);
  const isSame = place.branch === here.branch && place.step === here.step;
  here = place;
  if (!isSame || path === undefined) asked = path;
  // Only a followed link is a place to go back to. Browsers allow few changes in a short time.
  clearTimeout(addressing);
  const address = (name) => window.history[name](null, '', hash(here, asked));
  if (isLink && !isSame) address('pushState');
  else addressing = setTimeout(() => address('replaceState'), 300);
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

function move(by) {
  if (!filtered) return go({ ...here, step: here.step + by });
  const place = lowerBound(filtered, here.step), isHit = filtered[place] === here.step;
  const next = by > 0 && !isHit ? place + by - 1 : place + by;
  const row = Math.min(Math.max(next, 0), filtered.length - 1);
  if (filtered.length) go({ ...here, step: filtered[row] });
}

function nextFailure(direction) {
  const all = failures();
  const next = direction > 0 ? all.find((step) => step > here.step) ?? all[0]
    : all.findLast((step) => step < here.step) ?? all.at(-1);
  if (next === undefined) announce('No failure is known.'); else go({ ...here, step: next }, true);
}

function choose(branch) {
  const start = branch ? branches[branch].leavesAt + 1 : 0;
  go({ branch, step: Math.max(here.step, start) }, true);
  if (filtered) search();
}

function nextBranch() {
  const shown = branches.flatMap((branch, n) => branch.session ? [n] : []);
  choose(shown[(shown.indexOf(here.branch) + 1) % shown.length]);
}

function draw() {
  const { branch, step: number } = here, top = $('detail').scrollTop;
  const width = $('lanes').clientWidth;
  drawList(true);
  drawTimeline(width);
  $('place').replaceChildren(
    h('b', {}, `step ${grouped(number)}`), ` of ${grouped(lastOf(branch))}`,
    quiet('  ', duration(stepOf(branch, number)?.time)));
  $('slider').value = number;
  $('slider').setAttribute('aria-valuetext', safe(`step ${number}, ${labelOf(branch, number)}`));
  $('branch').value = branch;
  const { parent, leavesAt, edits, outcome, note } = branches[branch];
  show('fork', parent !== undefined);
  if (parent !== undefined) {
    const from = parent ? branches[parent].name : 'the recording';
    const start = `This fork leaves ${from} after step ${leavesAt}: ${edits.join('; ')}`;
    const words = [start, ...outcome, note].filter(Boolean);
    $('fork').textContent = safe(words.map((one) => one.replace(/\.$/, '')).join('. ') + '.');
  }
  drawDetail(top);
  document.body.dataset.step = number;
}

const later = (by) => () => move(by);
const toEnd = (step) => () => go({ ...here, step });
const forget = () => { $('search').value = ''; chip = 'all'; search(); };
const find = () => { $('search').focus(); $('search').select(); };
const toCause = () => {
  const from = causes(here.branch, here.step)[1];
  if (from) go({ ...here, step: from.step }, true);
};

/** What each key does; a second one of a pair has no words of its own. */
const keys = [
  ['j', later(1), 'j ↓', 'one step later'], ['ArrowDown', later(1)],
  ['k', later(-1), 'k ↑', 'one step earlier'], ['ArrowUp', later(-1)],
  [' ', later(10), 'Space b', 'ten steps later, earlier'], ['PageDown', later(10)],
  ['b', later(-10)], ['PageUp', later(-10)],
  ['g', toEnd(0), 'g G', 'start, end'], ['Home', toEnd(0)],
  ['G', toEnd(Infinity)], ['End', toEnd(Infinity)],
  ['/', find, '/', 'search: a word, /total that changes, total < 0'],
  ['n', later(1), 'n N', 'next, previous hit'], ['N', later(-1)],
  ['Escape', forget, 'Esc', 'forget the search'],
  ['e', () => nextFailure(1), 'e E', 'next, previous failure'], ['E', () => nextFailure(-1)],
  ['c', toCause, 'c', 'to the step that caused this one'],
  ['[', () => window.history.back(), '[ ]', 'back, forward'], [']', () => window.history.forward()],
  ['B', nextBranch, 'B', 'next fork, and back to the recording'],
  ['?', () => $('keys').showModal(), '?', 'these keys'],
];

document.addEventListener('keydown', (event) => {
  if (!facts || event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
  if (event.target.matches('input[type=search], select')) {
    if (event.key === 'Enter') {
      $('list').focus();
      const step = filtered?.find((step) => step >= here.step) ?? filtered?.[0];
      if (step !== undefined) go({ ...here, step });
    }
    if (event.key === 'Escape') { $('list').focus(); forget(); }
    return;
  }
  if (event.key === ' ' && event.target.matches('button, summary, a')) return;
  const found = keys.find(([key]) => key === event.key);
  if (!found) return;
  event.preventDefault();
  found[1]();
});

/** What stands above the timeline, and the help. */
function drawFrame() {
  const main = branches[0].session;
  $('title').textContent = safe(facts.title);
  $('facts').textContent = safe([count(main.last - main.first, 'step'), facts.length, ...facts.head,
    facts.failures.length ? '' : facts.why].filter(Boolean).join(' · '));
  show('failure', facts.failures.length > 0);
  if (facts.failures.length === 1) $('failure').textContent = 'the failure';
  if (facts.failures.length) {
    const [[branch, step]] = facts.failures;
    $('why').replaceChildren(linkTo({ branch, step }, facts.why));
    show('why', true);
  }
  Object.assign($('slider'), { min: firstOf(), max: lastOfAll() });
  const notes = [...facts.notices, ...facts.branches.filter((branch) => !branch.blocks)
    .map((branch) => `The fork “${branch.name}” ${branch.notRun}`)];
  show('notes', notes.length > 0);
  $('notes').replaceChildren(notes.length < 2 ? h('span', {}, notes) : h('details', {},
    h('summary', {}, count(notes.length, 'note')),
    h('ul', {}, notes.map((note) => h('li', {}, note)))));
  branches.forEach(({ session, parent, name }, n) => {
    const words = parent === undefined ? 'the recording' : `fork: ${name}`;
    if (session) $('branch').append(h('option', { value: n }, words));
  });
  show('branches', $('branch').length > 1);
  const help = keys.filter((key) => key[2]).map(([, , names, words]) => h('tr', {},
    h('td', {}, names.split(' ').flatMap((name) => [h('kbd', {}, name), ' '])),
    h('td', {}, words)));
  $('keys-table').append(...help);
}

function view(name) {
  document.body.className = 'on-' + name;
  for (const tab of ['step', 'list']) {
    $('tab-' + tab).setAttribute('aria-selected', String(tab === name));
  }
  drawList(true);
}

/** Goes to the place in the address; a branch that is not there is named. */
function follow() {
  const { missing, place, path } = placeIn(location.hash) ?? {};
  const isMissing = missing !== undefined;
  $('missing').textContent = isMissing ? safe(`This report has no branch “${missing}”.`) : '';
  show('missing', isMissing);
  if (place) [here, asked] = [place, path];
  return place !== undefined;
}

function listen() {
  const on = (id, event, work) => $(id).addEventListener(event, work);
  on('back', 'click', () => move(-1));
  on('forth', 'click', () => move(1));
  on('failure', 'click', () => nextFailure(1));
  on('help', 'click', () => $('keys').showModal());
  on('slider', 'input', () => go({ ...here, step: +$('slider').value }));
  on('branch', 'change', () => choose(+$('branch').value));
  on('search', 'input', search);
  on('list', 'scroll', () => drawList(false));
  on('list', 'click', (event) => {
    const row = event.target.closest('[data-step]');
    if (row) { go({ ...here, step: +row.dataset.step }, true); view('step'); }
  });
  const scrub = (event) => {
    if (event.buttons) go({ ...here, step: drawTimeline.step(event.offsetX) });
  };
  on('lanes', 'pointerdown', (event) => {
    $('lanes').setPointerCapture(event.pointerId);
    scrub(event);
  });
  on('lanes', 'pointermove', scrub);
  on('tab-step', 'click', () => view('step'));
  on('tab-list', 'click', () => view('list'));
  window.addEventListener('resize', draw);
  new ResizeObserver(() => drawList(false)).observe($('list'));
  isDark.addEventListener('change', draw);
  for (const event of ['popstate', 'hashchange']) {
    window.addEventListener(event, () => { if (follow()) draw(); });
  }
}

/** The data are lines of packed text: the facts; then of each branch its effects and its blocks. */
function start() {
  const pieces = $('session').textContent.trim().split('\n').reverse();
  $('session').remove();
  facts = JSON.parse(decoder.decode(unpacked(pieces.pop())));
  const taken = (count) => Array.from({ length: count }, () => pieces.pop());
  branches = facts.branches.map((branch) => ({
    ...branch, session: branch.blocks && new Session(branch, taken(1 + branch.blocks.length)),
  }));
  facts.byPlace = new Map(
    facts.failures.map(([branch, step, words]) => [branch + '/' + step, words]));
  here = facts.position;
  drawFrame();
  listen();
  follow();
  drawChips();
  view('step');
  draw();
  document.body.dataset.ready = 'yes';
}

try {
  start();
} catch (error) {
  $('facts').textContent = '';
  $('why').textContent = 'This report cannot be shown: ' + safe(error.message);
  show('why', true);
}

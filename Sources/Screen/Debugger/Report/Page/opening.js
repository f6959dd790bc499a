// The place, the address that names it, the keys, and the start.

function hash({ branch, step }) {
  const words = new URLSearchParams({ step });
  if (branch) words.set('branch', branches[branch].name);
  return '#' + words;
}

/** Goes to the place in the address; a branch that is not there is named. */
function follow() {
  const words = new URLSearchParams(location.hash.slice(1)), name = words.get('branch');
  const branch = name === null ? 0 : branches.findIndex((one) => one.firsts && one.name === name);
  const step = Number.parseInt(words.get('step'), 10);
  write('missing', branch < 0 ? `This report has no branch “${name}”.` : '');
  if (branch >= 0 && !Number.isNaN(step)) here = { branch, step: within(branch, step) };
}

const within = (branch, step) => Math.min(Math.max(step, firstOf()), lastOf(branch));
let addressing, isWaiting = false, drawing;

function go({ branch, step }, isLink = false) {
  here = { branch, step: within(branch, step) };
  // Only a followed link is a place to go back to. Browsers allow few changes in a short time.
  clearTimeout(addressing);
  const address = (name) => window.history[name](null, '', hash(here));
  if (isLink) address('pushState');
  else addressing = setTimeout(() => address('replaceState'), 300);
  if (!isWaiting) drawing = new Promise(requestAnimationFrame).then(draw);
  isWaiting = true;
}

async function draw() {
  isWaiting = false;
  const { branch, step } = here, { label, time } = stepOf(branch, step);
  if (draw.branch !== branch) { opened.clear(); draw.branch = branch; filter(); }
  drawList(true);
  $('slider').max = lastOf(branch);
  $('slider').value = step;
  $('slider').setAttribute('aria-valuetext', safe(`step ${step}, ${label}`));
  $('place').textContent = safe(`step ${step} of ${lastOf(branch)}  ${time}`);
  $('branch').value = branch;
  write('fork', branches[branch].words ?? '');
  await drawDetail();
}

function move(by) {
  if (!filtered) return go({ ...here, step: here.step + by });
  const place = rowOf(here.step), isHit = filtered[place] === here.step;
  const next = filtered[by < 0 && !isHit ? place : place + by];
  if (next !== undefined) go({ ...here, step: next });
}

function nextFailure(by) {
  const all = facts.failures.filter(([branch, step]) => branch === owner(here.branch, step))
    .map(([, step]) => step).sort((a, b) => a - b);
  const next = by > 0 ? all.find((step) => step > here.step) ?? all[0]
    : all.findLast((step) => step < here.step) ?? all.at(-1);
  if (next !== undefined) go({ ...here, step: next }, true);
}

function choose(branch) {
  const { leavesAt = 0 } = branches[branch];
  go({ branch, step: Math.max(here.step, branch ? leavesAt + 1 : 0) }, true);
}

function nextBranch() {
  const shown = branches.flatMap((branch, n) => branch.firsts ? [n] : []);
  choose(shown[(shown.indexOf(here.branch) + 1) % shown.length]);
}

const toCause = () => {
  const { from } = stepOf(here.branch, here.step);
  if (from !== undefined) go({ ...here, step: from }, true);
};
const keys = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  n: () => move(1), N: () => move(-1), e: () => nextFailure(1), E: () => nextFailure(-1),
  g: () => go({ ...here, step: 0 }), G: () => go({ ...here, step: Infinity }),
  c: toCause, B: nextBranch, '/': () => $('search').focus(),
  Escape: () => { $('search').value = ''; $('list').focus(); filter(); },
};

document.addEventListener('keydown', (event) => {
  if (!facts || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches('select, input[type=search]');
  if (isTyping && event.key === 'Enter') $('list').focus();
  if (isTyping && event.key !== 'Escape') return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

function listen() {
  const on = (id, event, work) => $(id).addEventListener(event, work);
  on('back', 'click', () => move(-1));
  on('forth', 'click', () => move(1));
  on('failure', 'click', () => nextFailure(1));
  on('slider', 'input', () => go({ ...here, step: +$('slider').value }));
  on('branch', 'change', () => choose(+$('branch').value));
  on('search', 'input', filter);
  on('list', 'scroll', () => drawList(false));
  on('list', 'click', (event) => {
    const row = event.target.closest('[data-step]');
    if (row) go({ ...here, step: +row.dataset.step }, true);
  });
  new ResizeObserver(() => drawList(false)).observe($('list'));
  window.addEventListener('popstate', () => { follow(); drawing = draw(); });
}

/** The data are lines of packed text: the facts; then of each branch its blocks and its index. */
async function start() {
  const lines = $('session').textContent.trim().split('\n').reverse();
  $('session').remove();
  facts = await unpacked(lines.pop());
  const taken = (count) => Array.from({ length: count }, () => lines.pop());
  branches = await Promise.all(facts.branches.map(async (branch) => {
    const pieces = taken(branch.firsts ? branch.firsts.length + 1 : 0);
    return { ...branch, index: pieces.length && await unpacked(pieces.pop()), pieces };
  }));
  facts.bad = new Set(facts.failures.map((place) => place.join('/')));
  here = facts.position;
  write('title', facts.title);
  write('facts', facts.line);
  const [failure] = facts.failures;
  if (failure) $('why').replaceChildren(stepLink(failure[1], failure[0], facts.why));
  show('why', failure);
  show('failure', facts.failures.length > 1);
  $('notes').replaceChildren(...facts.notes.map((note) => h('li', {}, note)));
  $('slider').min = firstOf();
  $('branch').append(...branches.flatMap(({ firsts, parent, name }, value) => firsts
    ? h('option', { value }, parent === undefined ? 'the recording' : `fork: ${name}`) : []));
  show('branches', $('branch').length > 1);
  listen();
  follow();
  await draw();
  document.body.dataset.ready = 'yes';
}

start().catch((error) => {
  $('facts').textContent = '';
  write('why', 'This report cannot be shown: ' + error.message);
});

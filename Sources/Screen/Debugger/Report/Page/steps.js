// The list of steps, of which only what is seen is made, and its filter.

const rowHeight = 28;
let filtered;
const rowCount = () => filtered ? filtered.length : lastOf(here.branch) - firstOf() + 1;
const rowOf = (step) =>
  filtered ? filtered.findLastIndex((one) => one <= step) : step - firstOf();

function row(step, place) {
  const { label, sign, time, payload } = stepOf(here.branch, step);
  const bad = facts.bad.has(owner(here.branch, step) + '/' + step);
  const isShared = here.branch && owner(here.branch, step) !== here.branch;
  return h('div', {
    id: 'row-' + step, class: `row${bad ? ' bad' : isShared ? ' shared' : ''}`, role: 'option',
    'data-step': step, 'aria-selected': String(step === here.step),
    'aria-posinset': place + 1, 'aria-setsize': rowCount(),
  }, h('span', { class: 'n' }, step), h('span', { class: 'sign' }, isShared && !bad ? '' : sign),
    h('span', { class: 'l' }, h('b', {}, label), ' ', payload), h('span', { class: 't' }, time));
}

function drawList(isMoved) {
  const list = $('list'), tall = list.clientHeight, place = rowOf(here.step) * rowHeight;
  $('rows').style.height = rowCount() * rowHeight + 'px';
  if (isMoved && (place < list.scrollTop || place > list.scrollTop + tall - 2 * rowHeight)) {
    list.scrollTop = place - tall / 2;
  }
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 2);
  const count = Math.min(rowCount() - first, Math.ceil(tall / rowHeight) + 4);
  const shown = Array.from({ length: Math.max(count, 0) }, (_, n) => first + n);
  $('rows').style.paddingTop = first * rowHeight + 'px';
  $('rows').replaceChildren(...shown.map((n) => row(filtered ? filtered[n] : firstOf() + n, n)));
  list.setAttribute('aria-activedescendant', 'row-' + here.step);
}

/** Shows only the steps whose label or payload has the text. */
function filter() {
  const wanted = $('search').value.trim().toLowerCase();
  filtered = wanted ? [] : undefined;
  for (let step = firstOf(); wanted && step <= lastOf(here.branch); step++) {
    const { label, payload } = stepOf(here.branch, step);
    if (`${label} ${payload}`.toLowerCase().includes(wanted)) filtered.push(step);
  }
  const count = filtered?.length;
  write('found', filtered ? `${count} ${count === 1 ? 'step' : 'steps'}` : '');
  drawList(true);
  if (filtered) announce($('found').textContent);
}

// Elements hold text only, so that nothing of a session is markup. What hides itself is shown.

const hidden = ['\\u0000-\\u0008', '\\u000b-\\u001f', '\\u007f-\\u009f', '\\u00ad', '\\u061c',
  '\\u115f\\u1160', '\\u17b4\\u17b5', '\\u180b-\\u180f', '\\u200b-\\u200f', '\\u2028-\\u202e',
  '\\u2060-\\u206f', '\\u3164', '\\ufe00-\\ufe0e', '\\ufeff', '\\uffa0', '\\ufff0-\\ufffb',
  '\\ud800-\\udfff', '\\u{1d173}-\\u{1d17a}', '\\u{e0000}-\\u{e0fff}'];
const hostile = new RegExp(`[${hidden.join('')}]`, 'gu');
const safe = (text) => String(text).replace(
  hostile, (sign) => '\\u{' + sign.codePointAt(0).toString(16) + '}');

function h(name, attributes, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  for (const one of inner.flat(Infinity)) {
    if (one instanceof Node) element.append(one);
    else if (one !== undefined && one !== null && one !== false) element.append(safe(one));
  }
  return element;
}

const $ = (id) => document.getElementById(id);
const show = (id, isShown) => $(id).classList.toggle('hidden', !isShown);
const quiet = (...inner) => h('span', { class: 'quiet' }, ...inner);
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const count = (number, word) => `${grouped(number)} ${word}${number === 1 ? '' : 's'}`;
const announce = (text) => { $('live').textContent = safe(text); };
const linkTo = (place, ...inner) => h('a', {
  href: hash(place), onclick: (event) => { event.preventDefault(); go(place, true); },
}, ...inner);
const stepLink = (step) => linkTo({ ...here, step }, `${step} ${labelOf(here.branch, step)}`);

/** A time in milliseconds, for people. */
function duration(time) {
  if (time === undefined) return '';
  const pad = (number) => String(number).padStart(2, '0');
  if (time < 1000) return time + ' ms';
  if (time < 60_000) return Math.floor(time / 100) / 10 + ' s';
  const whole = Math.floor(time / 1000), minutes = Math.floor(whole / 60);
  if (whole < 3600) return `${minutes}:${pad(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`;
}

function inline(value, limit = 120) {
  const [first] = isBranching(value) ? '' : value ?? 'nothing';
  const kind = first === '"' ? 'v-s' : /[-\d]/.test(first) ? 'v-n' : first && 'v-k';
  return h('code', { class: kind }, brief(value, limit));
}

/** The parts of a value as a list. Of a long one those that matter, the others when asked for. */
function parts(value, options, path) {
  if (!isBranching(value) || !sizeOf(value)) {
    return [h('li', { 'data-path': pointer(path) }, inline(value, 2000))];
  }
  const all = Object.entries(value);
  const one = ([key, inner]) => tree(inner, options, [...path, key], key);
  const rest = (from, to) => {
    if (to - from < 4) return all.slice(from, to).map(one);
    const more = () => item.replaceWith(...run(from, to));
    const item = h('li', { class: 'leaf' },
      h('button', { class: 'quiet', onclick: more }, `… ${grouped(to - from)} more`));
    return [item];
  };
  const run = (from, to) =>
    to - from <= 60 ? all.slice(from, to).map(one)
      : [...all.slice(from, from + 40).map(one), ...rest(from + 40, to)];
  const special = options.special?.get(pointer(path));
  if (all.length <= 60 || !special) return run(0, all.length);
  const list = [];
  let from = 0;
  for (const place of all.flatMap(([key], n) => special.has(key) ? [n] : []).slice(0, 40)) {
    list.push(...rest(from, place), one(all[place]));
    from = place + 1;
  }
  return [...list, ...rest(from, all.length)];
}

/** A value as a tree. Parts are made when opened. */
function tree(value, options, path, name) {
  // The unnamed value of a Swift case is the case's own.
  while (part(value, '_0') !== undefined && sizeOf(value) === 1) {
    [path, value] = [[...path, '_0'], part(value, '_0')];
  }
  const place = pointer(path);
  const key = [h('span', { class: options.changed?.has(place) ? 'k changed' : 'k' }, name), ': '];
  const ask = options.ask && h('button', {
    class: 'ask', 'aria-label': safe('who set this: ' + place),
    onclick: (event) => { event.preventDefault(); options.ask(path); },
  }, 'who set this');
  const item = h('li', { 'data-path': place });
  if (!isBranching(value) || !sizeOf(value)) {
    item.append(h('div', { class: 'leaf' }, key, inline(value, 2000), ask));
    return item;
  }
  const words = Array.isArray(value) ? count(value.length, 'element') : brief(value, 60);
  const summary = h('summary', {}, key, h('span', { class: 'quiet brief' }, words), ask);
  const details = h('details', {}, summary);
  const fill = () => {
    if (details.children.length < 2) details.append(h('ul', {}, parts(value, options, path)));
  };
  details.addEventListener('toggle', () => { if (details.open) fill(); });
  // What the page opens itself closes again with the next step.
  summary.addEventListener('click', (event) => {
    if (!event.defaultPrevented) options.toggled?.(place, !details.open);
  });
  if (options.open(place, path)) { fill(); details.open = true; }
  item.append(details);
  return item;
}

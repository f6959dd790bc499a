// Elements hold text only, so that nothing of a session is markup. Hidden characters are shown.

const hidden = ['\\u0000-\\u0008', '\\u000b-\\u001f', '\\u007f-\\u009f', '\\u00ad', '\\u061c',
  '\\u115f\\u1160', '\\u17b4\\u17b5', '\\u180b-\\u180f', '\\u200b-\\u200f', '\\u2028-\\u202e',
  '\\u2060-\\u206f', '\\u3164', '\\ufe00-\\ufe0e', '\\ufeff', '\\uffa0', '\\ufff0-\\ufffb',
  '\\ud800-\\udfff', '\\u{1d173}-\\u{1d17a}', '\\u{e0000}-\\u{e0fff}'];
const hostile = new RegExp(`[${hidden.join('')}]`, 'gu');
const safe = (text) => String(text).replace(
  hostile, (sign) => '\\u{' + sign.codePointAt(0).toString(16) + '}');

function h(name, attributes, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== '') element.setAttribute(key, value);
  }
  element.append(...inner.flat(Infinity).filter((one) => one !== undefined && one !== '')
    .map((one) => one instanceof Node ? one : safe(one)));
  return element;
}

const $ = (id) => document.getElementById(id);
const show = (id, isShown) => $(id).classList.toggle('hidden', !isShown);
const write = (id, text) => { $(id).textContent = safe(text); show(id, text); };
const quiet = (...inner) => h('span', { class: 'quiet' }, ...inner);
const announce = (text) => { $('live').textContent = safe(text); };
const stepLink = (step, branch = here.branch, words = `${step} ${stepOf(branch, step).label}`) =>
  h('a', { href: hash({ branch, step }), onclick: (event) => {
    event.preventDefault();
    go({ branch, step }, true);
  } }, words);

/** A value, coloured by its first sign. */
function code(text) {
  const kind = text[0] === '"' ? 'v-s' : /^-?\d/.test(text) ? 'v-n' : 'v-k';
  return h('code', { class: kind }, text);
}

/** A line as Retcon wrote it: texts, links to steps, and texts with a class. */
const line = (parts) => parts.map((part) => !Array.isArray(part) ? part
  : typeof part[0] === 'number' ? stepLink(...part)
  : part[0] === 'code' || part[0] === 'pre' ? h(part[0], {}, part[1])
  : h('span', { class: part[0] }, part[1]));

// Cuts the text of the search field into tokens.

const FIELD = /^([a-z_]+):/i;
const SYNONYMS = {
  from: 'from', sender: 'from', to: 'to', cc: 'cc', with: 'with', subject: 'subject',
  title: 'subject', label: 'label', in: 'in', is: 'is', has: 'has', filename: 'filename',
  file: 'filename', before: 'before', after: 'after', on: 'on', older_than: 'older_than',
  newer_than: 'newer_than', larger: 'larger', smaller: 'smaller', list: 'list',
};

export const FIELDS = [...new Set(Object.values(SYNONYMS))];

/** Tokens with their place in the text, which faults refer to. */
export function tokenize(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      at += 1;
      continue;
    }
    const token = nextToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function nextToken(text, start) {
  const sign = text[start];
  if (sign === '(' || sign === ')') return { kind: sign, start, end: start + 1 };
  if (sign === '-' && /[^\s-]/.test(text[start + 1] ?? ' ')) {
    return { kind: 'not', start, end: start + 1 };
  }
  if (sign === '"') return phrase(text, start);
  const field = FIELD.exec(text.slice(start));
  const name = field && SYNONYMS[field[1].toLowerCase()];
  if (name) return { kind: 'field', name, start, end: start + field[0].length };
  return word(text, start);
}

function phrase(text, start) {
  const close = text.indexOf('"', start + 1);
  const end = close < 0 ? text.length : close;
  return {
    kind: 'phrase', text: text.slice(start + 1, end), start, end: Math.min(end + 1, text.length),
    isOpen: close < 0,
  };
}

function word(text, start) {
  let end = start;
  while (end < text.length && !/[\s()"]/.test(text[end])) end += 1;
  const value = text.slice(start, Math.max(end, start + 1));
  if (value === 'OR' || value === '|') return { kind: 'or', start, end };
  if (value === 'AND') return { kind: 'and', start, end };
  if (value === 'NOT') return { kind: 'not', start, end };
  return { kind: 'word', text: value, start, end: Math.max(end, start + 1) };
}

// Search words as a tree: words that stand together must all match, OR binds less than that.
import { parseSize } from './attachments.mjs';
import { parseDay, parseSpan } from './dates.mjs';
import { FIELDS, tokenize } from './queryLexer.mjs';
import { allWords, isCommon, stem } from './text.mjs';

const STATES = ['unread', 'read', 'starred', 'muted', 'snoozed', 'sent', 'bulk'];
const POSSESSIONS = ['attachment', 'image', 'document', 'table', 'invitation', 'archive'];

/** `{ query, faults }`; the query leaves out the parts with faults. */
export function parseQuery(text, { now, offset }) {
  const parser = { tokens: tokenize(text), at: 0, faults: [], now, offset };
  const parts = [];
  while (parser.at < parser.tokens.length) {
    const part = parseAlternatives(parser);
    if (part) parts.push(part);
    const token = parser.tokens[parser.at];
    if (token) {
      fault(parser, token, 'This bracket closes nothing.');
      parser.at += 1;
    }
  }
  return { query: joined('and', parts), faults: parser.faults };
}

const peek = (parser) => parser.tokens[parser.at];

function fault(parser, { start, end }, message) {
  parser.faults.push({ start, end, message });
}

function joined(kind, parts) {
  if (parts.length === 0) return { kind: 'all' };
  if (parts.length === 1) return parts[0];
  return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
}

function parseAlternatives(parser) {
  const alternatives = [parseTogether(parser)];
  while (peek(parser)?.kind === 'or') {
    const token = parser.tokens[parser.at];
    parser.at += 1;
    const next = parseTogether(parser);
    if (!next || !alternatives[0]) fault(parser, token, 'OR needs words on both sides.');
    alternatives.push(next);
  }
  const found = alternatives.filter(Boolean);
  return found.length ? joined('or', found) : null;
}

function parseTogether(parser) {
  const parts = [];
  for (;;) {
    const token = peek(parser);
    if (!token || token.kind === 'or' || token.kind === ')') break;
    if (token.kind === 'and') {
      parser.at += 1;
      continue;
    }
    const part = parseOne(parser);
    if (part) parts.push(part);
  }
  return parts.length ? joined('and', parts) : null;
}

function parseOne(parser) {
  const token = peek(parser);
  parser.at += 1;
  switch (token.kind) {
    case 'not': return parseNegated(parser, token);
    case '(': return parseGroup(parser, token);
    case 'field': return parseField(parser, token);
    case 'phrase': return phraseOf(parser, token);
    default: return wordsIn(token.text);
  }
}

function parseNegated(parser, token) {
  const next = peek(parser);
  if (!next || next.kind === 'or' || next.kind === ')') {
    fault(parser, token, 'Nothing follows that could be left out.');
    return null;
  }
  const part = parseOne(parser);
  if (!part) return null;
  return part.kind === 'not' ? part.part : { kind: 'not', part };
}

function parseGroup(parser, token) {
  const inner = parseAlternatives(parser);
  if (peek(parser)?.kind === ')') parser.at += 1;
  else fault(parser, token, 'This bracket is never closed.');
  return inner;
}

function phraseOf(parser, token) {
  if (token.isOpen) fault(parser, token, 'This quotation mark is never closed.');
  const words = allWords(token.text);
  return words.length ? { kind: 'phrase', words } : null;
}

function wordsIn(text) {
  const isPrefix = text.endsWith('*');
  const words = allWords(text).filter((word) => !isCommon(word));
  return words.length
    ? joined('and', words.map((word, index) => (isPrefix && index === words.length - 1
      ? { kind: 'prefix', text: word } : { kind: 'word', stem: stem(word) })))
    : null;
}

function parseField(parser, field) {
  const next = peek(parser);
  if (next?.kind === '(' && next.start === field.end) return parseFieldGroup(parser, field);
  if (!next || next.start !== field.end || !('text' in next)) {
    fault(parser, field, `${field.name}: needs a value right behind it.`);
    return null;
  }
  parser.at += 1;
  return valueOf(parser, field, next);
}

/** `from:(ann OR bob)`: each word in the brackets is a value of the field. */
function parseFieldGroup(parser, field) {
  const open = peek(parser), values = [];
  parser.at += 1;
  let isClosed = false, kind = 'and';
  while (peek(parser) && !isClosed) {
    const token = peek(parser);
    parser.at += 1;
    if (token.kind === ')') isClosed = true;
    else if (token.kind === 'or') kind = 'or';
    else if ('text' in token) values.push(valueOf(parser, field, token));
  }
  if (!isClosed) fault(parser, open, 'This bracket is never closed.');
  const known = values.filter(Boolean);
  return known.length ? joined(kind, known) : null;
}

function valueOf(parser, { name, start }, token) {
  const place = { start, end: token.end }, { text } = token;
  const wrong = (message) => {
    fault(parser, place, message);
    return null;
  };
  switch (name) {
    case 'is':
      return STATES.includes(text) ? { kind: 'is', state: text }
        : wrong(`is: knows ${STATES.join(', ')}.`);
    case 'has':
      return POSSESSIONS.includes(singular(text)) ? { kind: 'has', file: singular(text) }
        : wrong(`has: knows ${POSSESSIONS.join(', ')}.`);
    case 'before': case 'after': case 'on': {
      const at = parseDay(text, parser.now, parser.offset);
      return at === null ? wrong(`${name}: needs a day like 2024-03-01.`)
        : { kind: name, at, text };
    }
    case 'older_than': case 'newer_than': {
      const span = parseSpan(text);
      return span ? { kind: name, span, text } : wrong(`${name}: needs a length like 3d or 2w.`);
    }
    case 'larger': case 'smaller': {
      const size = parseSize(text);
      return size === null ? wrong(`${name}: needs a size like 5M.`) : { kind: name, size, text };
    }
    default:
      return { kind: 'field', name, text };
  }
}

const singular = (text) => text.replace(/s$/, '');

/** Completions at the cursor: names of fields, then their values. */
export function completions(text, labelNames) {
  const last = text.slice(text.search(/\S*$/)).replace(/^-/, '');
  const colon = last.indexOf(':');
  if (colon < 0) {
    return last ? FIELDS.filter((name) => name.startsWith(last)).map((name) => `${name}:`) : [];
  }
  const [name, value] = [last.slice(0, colon), last.slice(colon + 1)];
  const values = { is: STATES, has: POSSESSIONS, label: labelNames, in: labelNames }[name] ?? [];
  return values.filter((item) => item.toLowerCase().startsWith(value.toLowerCase()))
    .map((item) => `${name}:${/\s/.test(item) ? `"${item}"` : item}`);
}

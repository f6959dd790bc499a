// Words and lines of text, as search, rules and lists need them.

const ACCENTS = /[\u0300-\u036f]/g;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const COMMON = new Set([
  'a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'for', 'from', 'has', 'i', 'in', 'is', 'it',
  'of', 'on', 'or', 'that', 'the', 'this', 'to', 'we', 'will', 'with', 'you',
]);

/** Lower case, without accents: what two spellings of a word have in common. */
export function fold(text) {
  return text.normalize('NFD').replace(ACCENTS, '').toLowerCase();
}

/** Every word of a text in order, folded. */
export function allWords(text) {
  return fold(text).match(WORD) ?? [];
}

/** The words that are worth an entry of the index, shortened to their stem. */
export function wordsOf(text) {
  return allWords(text).filter((word) => !COMMON.has(word)).map(stem);
}

export const isCommon = (word) => COMMON.has(fold(word));

/** Plural and singular, `planning` and `plan` meet in one stem. */
export function stem(word) {
  const plain = word.replace(/['’]s?$/, '');
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (plain.length > 5 && plain.endsWith('ing')) return undouble(plain.slice(0, -3));
  if (plain.length > 4 && plain.endsWith('ed')) return undouble(plain.slice(0, -2));
  if (plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss')) return plain.slice(0, -1);
  return plain;
}

function undouble(word) {
  const last = word.at(-1);
  const isDoubled = last === word.at(-2) && !'aeiouls'.includes(last);
  return isDoubled ? word.slice(0, -1) : word;
}

/** Shortens a text, at the end of a word if possible. */
export function shorten(text, length) {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** Breaks paragraphs at `width`; words longer than that stay whole. */
export function wrap(text, width) {
  return text.split('\n').flatMap((line) => wrapLine(line, width)).join('\n');
}

function wrapLine(line, width) {
  if (line.length <= width) return [line];
  const lines = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current ? `${current} ${word}` : word;
    }
  }
  return [...lines, current];
}

/** `Ann`, `Ann and Bob`, `Ann, Bob and 3 more`. */
export function listed(names, most = 3) {
  if (names.length === 0) return '';
  if (names.length === 1) return names[0];
  if (names.length > most) {
    return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  }
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const PREFIX = /^\s*(?:(?:re|aw|sv|fwd?|wg)(?:\[\d+\])?\s*:|\[[^\]]{1,24}\])\s*/i;

/** A subject without `Re:`, `Fwd:` and the tags of lists. */
export function bareSubject(subject) {
  let bare = subject;
  while (PREFIX.test(bare)) bare = bare.replace(PREFIX, '');
  return bare.replace(/\s*\(fwd\)\s*$/i, '').replace(/\s+/g, ' ').trim();
}

export const isReply = (subject) => /^\s*(re|aw|sv)(\[\d+\])?\s*:/i.test(subject);

export function withPrefix(subject, prefix) {
  const bare = bareSubject(subject);
  return bare ? `${prefix}: ${bare}` : `${prefix}:`;
}

// The lines of calendar files: folded at 75 bytes, `NAME;PARAM=value:text` with escapes.

const encoder = new TextEncoder();
const LONGEST = 75;

export function folded(line) {
  const lines = [];
  let part = '', size = 0;
  for (const letter of line) {
    const bytes = encoder.encode(letter).length;
    if (size + bytes > LONGEST) {
      lines.push(part);
      part = ' ';
      size = 1;
    }
    part += letter;
    size += bytes;
  }
  return [...lines, part].join('\r\n');
}

export const unfolded = (text) => text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/).filter(Boolean);

export const escaped = (text) =>
  text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');

export const unescaped = (text) =>
  text.replace(/\\(.)/g, (_, sign) => (sign === 'n' || sign === 'N' ? '\n' : sign));

const quoted = (value) => (/[:;,]/.test(value) ? `"${value.replace(/"/g, "'")}"` : value);

export function formatLine(name, value, params = {}) {
  const given = Object.entries(params).filter(([, text]) => text !== '')
    .map(([key, text]) => `;${key}=${quoted(text)}`);
  return folded(`${name}${given.join('')}:${value}`);
}

/** `{ name, params, value }`, or null if this is not a line of a calendar. */
export function parseLine(line) {
  const colon = endOfHead(line);
  if (colon < 0) return null;
  const [name, ...rest] = splitHead(line.slice(0, colon));
  const params = Object.fromEntries(rest.map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at).toUpperCase(), part.slice(at + 1).replace(/^"|"$/g, '')];
  }));
  return { name: name.toUpperCase(), params, value: line.slice(colon + 1) };
}

function endOfHead(line) {
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === '"') isQuoted = !isQuoted;
    if (line[index] === ':' && !isQuoted) return index;
  }
  return -1;
}

const splitHead = (head) => head.match(/(?:[^;"]|"[^"]*")+/g) ?? [''];

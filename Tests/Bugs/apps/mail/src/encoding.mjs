// Letters beyond ASCII in headers and bodies, and long lines: RFC 2047 words and quoted-printable.

const encoder = new TextEncoder(), decoder = new TextDecoder();
const ASCII = /^[\x20-\x7e]*$/;
const hex = (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** A header's text, in encoded words of at most 75 signs where it needs them. */
export function encodedHeader(text) {
  if (ASCII.test(text)) return text;
  const words = [];
  let word = '';
  for (const letter of text) {
    const code = [...encoder.encode(letter)]
      .map((byte) => (/[A-Za-z0-9]/.test(letter) ? letter : letter === ' ' ? '_' : hex(byte)))
      .join('');
    if (word.length + code.length > 63) {
      words.push(word);
      word = '';
    }
    word += code;
  }
  return [...words, word].map((part) => `=?UTF-8?Q?${part}?=`).join(' ');
}

export function decodedHeader(text) {
  return text.replace(/\?=\s+=\?UTF-8\?Q\?/gi, '')
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, code) => bytesIn(code.replace(/_/g, ' ')));
}

function bytesIn(code) {
  const bytes = [];
  for (let index = 0; index < code.length; index += 1) {
    const byte = code[index] === '=' && /^[0-9A-F]{2}$/i.test(code.slice(index + 1, index + 3));
    if (byte) {
      bytes.push(parseInt(code.slice(index + 1, index + 3), 16));
      index += 2;
    } else {
      bytes.push(...encoder.encode(code[index]));
    }
  }
  return decoder.decode(new Uint8Array(bytes));
}

/** Quoted-printable: lines of at most 76 signs, `=` for other bytes. */
export function encodedBody(text) {
  return text.split('\n').map((line) => softened(encodedLine(line))).join('\n');
}

function encodedLine(line) {
  const signs = [];
  for (const byte of encoder.encode(line)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x3d;
    signs.push(isPlain ? String.fromCharCode(byte) : hex(byte));
  }
  if (signs.at(-1) === ' ') signs[signs.length - 1] = '=20';
  return signs;
}

function softened(signs) {
  const lines = [];
  let line = '';
  for (const sign of signs) {
    if (line.length + sign.length > 75) {
      lines.push(`${line}=`);
      line = '';
    }
    line += sign;
  }
  return [...lines, line].join('\n');
}

export const decodedBody = (text) =>
  text.replace(/=\n/g, '').split('\n').map((line) => bytesIn(line)).join('\n');

/** A header in lines of at most 76 signs, each but the first with a space before it. */
export function folded(name, value) {
  const lines = [];
  let line = `${name}:`;
  for (const word of value.split(' ')) {
    if (line.length + 1 + word.length > 76 && line !== `${name}:`) {
      lines.push(line);
      line = '';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

export const unfolded = (text) => text.replace(/\n[ \t]+/g, ' ');

const COMMON = new Set(['a', 'an', 'and', 'as', 'at', 'by', 'for', 'in', 'is', 'it', 'of', 'on',
  'or', 'the', 'to', 'with']);

/** Text for comparing: lower case, without accents. */
export function folded(text) {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
}

export function tidied(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/** The different words of a text that are worth an entry in an index. */
export function wordsOf(text) {
  const words = folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !COMMON.has(word));
}

export function shortened(text, length) {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

export function slug(text) {
  return folded(text).replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

export function initialsOf(name) {
  const parts = tidied(name).split(' ').filter(Boolean);
  const ends = parts.length > 1 ? [parts[0], parts[parts.length - 1]] : parts;
  return ends.map((part) => part[0].toUpperCase()).join('');
}

/** The handles that a text mentions: "@ann" and the like, each once. */
export function mentionsIn(text) {
  const found = [...text.matchAll(/(^|[\s(])@([a-z][a-z0-9_-]*)/gi)];
  return [...new Set(found.map((match) => match[2].toLowerCase()))];
}

/** The numbers of the cards that a text names: "#12" and the like. */
export function numbersIn(text) {
  const found = [...text.matchAll(/(^|[\s(])#(\d+)\b/g)];
  return [...new Set(found.map((match) => Number(match[2])))];
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function inline(text) {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\*([^*]+)\*/g, '<i>$1</i>')
    .replace(/(^|\s)@([a-z][a-z0-9_-]*)/gi, '$1<mark>@$2</mark>');
}

/** The few marks that a description may have: headings, lists, bold, italics and code. */
export function rendered(text) {
  const out = [];
  let isList = false;
  const closeList = () => {
    if (isList) out.push('</ul>');
    isList = false;
  };
  for (const line of text.split('\n')) {
    const heading = /^(#{1,3}) (.+)$/.exec(line);
    const item = /^[-*] (.+)$/.exec(line);
    if (item) {
      if (!isList) out.push('<ul>');
      isList = true;
      out.push(`<li>${inline(item[1])}</li>`);
      continue;
    }
    closeList();
    if (heading) {
      const level = heading[1].length + 2;
      out.push(`<h${level}>${inline(heading[2])}</h${level}>`);
    } else if (line.trim()) {
      out.push(`<p>${inline(line)}</p>`);
    }
  }
  closeList();
  return out.join('');
}

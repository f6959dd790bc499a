/** The rows of a text in CSV; the separator is that which its first line has most often. */
export function parsedCsv(text) {
  const separator = separatorOf(text);
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    const field = fieldAt(text, at, separator);
    row.push(field.value);
    at = field.end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) row.push('');
      continue;
    }
    if (text[at] === '\r') at += 1;
    at += 1;
    if (row.some((value) => value.trim())) rows.push(row);
    row = [];
  }
  return rows;
}

function fieldAt(text, start, separator) {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && ![separator, '\n', '\r'].includes(text[end])) end += 1;
    return { value: text.slice(start, end), end };
  }
  let value = '';
  let end = start + 1;
  while (end < text.length) {
    if (text[end] !== '"') {
      value += text[end];
      end += 1;
    } else if (text[end + 1] === '"') {
      value += '"';
      end += 2;
    } else {
      return { value, end: end + 1 };
    }
  }
  return { value, end };
}

function separatorOf(text) {
  const [line] = text.split('\n');
  const count = (sign) => line.split(sign).length;
  return [';', ',', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

export function formattedCsv(rows) {
  const quoted = (value) => (/[",\n;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map((value) => quoted(String(value))).join(',')}\n`).join('');
}

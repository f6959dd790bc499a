/** The rows of a text in CSV. Quotes may hold line ends, separators and doubled quotes. */
export function parsedCsv(text, separator = separatorOf(text)) {
  const rows = [];
  let row = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') {
        field += sign;
      } else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else {
        isQuoted = false;
      }
    } else if (sign === '"' && field === '') {
      isQuoted = true;
    } else if (sign === separator) {
      endField();
    } else if (sign === '\n') {
      endRow();
    } else if (sign !== '\r') {
      field += sign;
    }
  }
  endRow();
  return rows;
}

/** The separator that the first line has most often. */
function separatorOf(text) {
  const [line] = text.split('\n');
  const count = (sign) => line.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function quoted(value) {
  const text = String(value ?? '');
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function formattedCsv(rows) {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

// Formats the tree of a search as search words.

export function formatQuery(query) {
  switch (query.kind) {
    case 'all': return '';
    case 'and': return query.parts.map((part) => inBrackets(part, ['or'])).join(' ');
    case 'or': return query.parts.map((part) => inBrackets(part, ['and'])).join(' OR ');
    case 'not': return `-${inBrackets(query.part, ['and', 'or'])}`;
    case 'word': return query.stem;
    case 'prefix': return `${query.text}*`;
    case 'phrase': return `"${query.words.join(' ')}"`;
    case 'is': return `is:${query.state}`;
    case 'has': return `has:${query.file}`;
    case 'field': return `${query.name}:${quoted(query.text)}`;
    default: return `${query.kind}:${query.text}`;
  }
}

function inBrackets(part, kinds) {
  const text = formatQuery(part);
  return kinds.includes(part.kind) ? `(${text})` : text;
}

const quoted = (text) => (/[\s()]/.test(text) ? `"${text}"` : text);

/** The search in a sentence, for the title of a saved one. */
export function describeQuery(query) {
  switch (query.kind) {
    case 'all': return 'everything';
    case 'and': return query.parts.map(describeQuery).join(', ');
    case 'or': return query.parts.map(describeQuery).join(' or ');
    case 'not': return `not ${describeQuery(query.part)}`;
    case 'word': return `“${query.stem}”`;
    case 'prefix': return `words with ${query.text}…`;
    case 'phrase': return `“${query.words.join(' ')}”`;
    case 'is': return query.state;
    case 'has': return query.file === 'attachment' ? 'with a file' : `with ${query.file}s`;
    case 'older_than': return `older than ${query.text}`;
    case 'newer_than': return `of the last ${query.text}`;
    case 'larger': case 'smaller': return `${query.kind} than ${query.text}`;
    case 'before': case 'after': case 'on': return `${query.kind} ${query.text}`;
    default: return `${query.name} ${query.text}`;
  }
}

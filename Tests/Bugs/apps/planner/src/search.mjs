// Events by words: `lisbon with:ann after:2024-03-01 is:series -cancelled`.
import { isWall, timeOf } from './civil.mjs';

const fold = (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();

/** One test per word. A text in quotation marks is one word. */
export function parseWords(text) {
  const words = fold(text).match(/-?(?:[a-z]+:)?(?:"[^"]*"|[^\s"]+)/g) ?? [];
  return words.map((word) => {
    const isNegated = word.startsWith('-') && word.length > 1;
    const test = testOf((isNegated ? word.slice(1) : word).replaceAll('"', ''));
    return isNegated ? (event) => !test(event) : test;
  });
}

function testOf(word) {
  const colon = word.indexOf(':');
  const [name, value] = colon > 0 ? [word.slice(0, colon), word.slice(colon + 1)] : ['', word];
  switch (name) {
    case 'with': return (event) => event.attendees
      .some((one) => fold(`${one.name} ${one.address}`).includes(value));
    case 'at': return (event) => fold(event.place).includes(value);
    case 'in': return (event) => fold(event.category ?? '').startsWith(value);
    case 'after': return (event) => isWall(`${value}T00:00`) && event.start.slice(0, 10) >= value;
    case 'before': return (event) => isWall(`${value}T00:00`) && event.start.slice(0, 10) < value;
    case 'is': return stateTest(value);
    default: return (event) => hasWord(event, word);
  }
}

function stateTest(value) {
  switch (value) {
    case 'series': return (event) => event.rule !== null;
    case 'day': return (event) => event.isAllDay;
    case 'free': return (event) => !event.isBusy;
    case 'early': return (event) => !event.isAllDay && timeOf(event.start) < '09:00';
    default: return () => false;
  }
}

function hasWord({ title, place, notes, changes }, word) {
  const own = Object.values(changes).map((fields) => `${fields.title ?? ''} ${fields.notes ?? ''}`);
  return fold([title, place, notes, ...own].join(' ')).includes(word);
}

export function found(state, text) {
  const tests = parseWords(text);
  if (tests.length === 0) return [];
  return Object.values(state.events).filter((event) => tests.every((test) => test(event)))
    .sort((one, other) => (one.start < other.start ? -1 : 1)).map(({ id }) => id);
}

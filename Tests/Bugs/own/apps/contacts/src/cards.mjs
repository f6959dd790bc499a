// Reads people from the text of a card file.
const FIELDS = { EMAIL: 'mail', CITY: 'city' };

function cardFrom(lines) {
  const card = { first: '', last: '', mail: '', city: '', phones: [] };
  for (const line of lines) {
    const [name, ...rest] = line.split(':'), value = rest.join(':').trim();
    if (name === 'N') [card.last, card.first] = value.split(';');
    else if (name === 'TEL') card.phones.push(value);
    else if (FIELDS[name]) card[FIELDS[name]] = value;
  }
  return card;
}

export function cardsFrom(text) {
  return text.split('BEGIN:VCARD').slice(1)
    .map((part) => cardFrom(part.split('END:VCARD')[0].trim().split('\n')))
    .filter(({ first, last }) => first || last);
}

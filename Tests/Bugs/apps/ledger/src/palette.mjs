// The list of commands: what a person types finds accounts, payees, searches and invoices.
import { pathOf } from './accounts.mjs';
import { folded } from './records.mjs';

/** How well a name fits what was typed: its begin, begins of its words, or letters in order. */
function scoreOf(name, typed) {
  const text = folded(name);
  if (text.startsWith(typed)) return 3;
  if (text.split(/[\s:]+/).some((word) => word.startsWith(typed))) return 2;
  let at = 0;
  for (const sign of text) {
    if (sign === typed[at]) at += 1;
  }
  return at === typed.length ? 1 : 0;
}

function entriesOf({ book, view }) {
  const { accounts, payees, invoices } = book;
  return [
    ...accounts.order.map((id) => ({
      title: pathOf(accounts, id), action: { type: 'view/accountChosen', id },
    })),
    ...Object.values(payees.byName).map(({ name }) => ({
      title: name, action: { type: 'view/searched', text: `@${name.split(' ')[0]}` },
    })),
    ...Object.keys(view.searches).map((name) => ({
      title: name, action: { type: 'view/searchOpened', name },
    })),
    ...Object.values(invoices.byId).map(({ number, customer }) => ({
      title: `Invoice ${number ?? 'draft'} ${customer}`,
      action: { type: 'view/searched', text: `@${customer.split(' ')[0]}` },
    })),
  ];
}

export function found(state, text, most = 8) {
  const typed = folded(text);
  if (!typed) return [];
  return entriesOf(state).map((entry) => ({ ...entry, score: scoreOf(entry.title, typed) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.title < other.title ? -1 : 1))
    .slice(0, most);
}

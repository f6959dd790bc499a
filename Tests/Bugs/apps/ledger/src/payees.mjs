// Facts about payees: they fill the form in when a name is typed again.
import { folded } from './records.mjs';

export const initialPayees = { byName: {} };

/** The account that says what a payment was for. */
function purposeOf(transaction, accounts) {
  const found = transaction.postings.find(({ account }) =>
    ['income', 'expense'].includes(accounts.byId[account]?.type));
  return found?.account;
}

export function learned(payees, changes, accounts) {
  let { byName } = payees;
  for (const { before, after } of changes) {
    if (!after || !after.payee) continue;
    const account = purposeOf(after, accounts);
    const name = folded(after.payee);
    const known = byName[name];
    const isNew = !before || before.payee !== after.payee;
    if (!account || (known?.account === account && !isNew)) continue;
    byName = {
      ...byName,
      [name]: {
        name: after.payee,
        account: account === 'unknown' ? known?.account ?? account : account,
        count: (known?.count ?? 0) + (isNew ? 1 : 0),
        last: after.date,
      },
    };
  }
  return byName === payees.byName ? payees : { byName };
}

/** Names that begin with what is typed, those used most first. */
export function suggestedPayees(payees, typed, most = 5) {
  const start = folded(typed);
  return Object.entries(payees.byName)
    .filter(([name]) => name.startsWith(start) || name.includes(` ${start}`))
    .map(([, payee]) => payee)
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
    .slice(0, most);
}

// A transaction in one line: "12.50 food @Café Nord #team yesterday from cash".
import { accountLike } from './accounts.mjs';
import { parsedDay } from './dates.mjs';
import { parsedAmount } from './money.mjs';
import { folded, tidied } from './records.mjs';

const PARTS = /(?:^|\s)(@[^#]+?|#[\w-]+|from \S+)(?=\s[#@]|\sfrom\s|\son\s|$)/g;

export function readQuick(line, { accounts, payees, standard }, today) {
  const tags = [];
  let payee = '';
  let source = standard;
  let date = today;
  let rest = ` ${tidied(line)}`;
  const on = / on (\S+)$/.exec(rest);
  const day = on && parsedDay(on[1], today);
  if (day) {
    date = day;
    rest = rest.slice(0, on.index);
  }
  rest = rest.replace(PARTS, (_, part) => {
    if (part.startsWith('#')) tags.push(folded(part.slice(1)));
    else if (part.startsWith('@')) payee = tidied(part.slice(1));
    else source = accountLike(accounts, part.slice(5)) ?? source;
    return '';
  });
  const [first, ...words] = tidied(rest).split(' ');
  const { currency } = accounts.byId[source];
  const amount = parsedAmount(first ?? '', currency);
  if (amount === undefined || amount === 0) return { problem: 'Begin with an amount.' };
  const typed = words.join(' ');
  const known = payees.byName[folded(payee)]?.account;
  const account = typed ? accountLike(accounts, typed) : known;
  if (!account) return { problem: typed ? `“${typed}” is no account.` : 'For what was it?' };
  // A plus is an income; all else was paid.
  const paid = first.startsWith('+') ? amount : -Math.abs(amount);
  return { date, payee, tags, lines: [{ account: source, amount: paid }, { account }] };
}

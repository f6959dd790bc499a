// Where payments belong: rules that people made, the first that fits wins.
import { folded, tidied } from './records.mjs';

export const initialRules = { list: [], uses: {} };

export function rulesReducer(rules, action) {
  switch (action.type) {
    case 'rules/added': {
      const { id, words, account } = action;
      const isFine = tidied(words ?? '') && !rules.list.some((rule) => rule.id === id);
      if (!isFine) return rules;
      const rule = {
        id,
        words: folded(words).split(/\s+/),
        account,
        payee: action.payee ?? null,
        tags: action.tags ?? [],
        least: action.least ?? null,
        most: action.most ?? null,
      };
      return { ...rules, list: [...rules.list, rule] };
    }
    case 'rules/moved': {
      const rule = rules.list.find(({ id }) => id === action.id);
      if (!rule) return rules;
      const others = rules.list.filter((each) => each !== rule);
      return { ...rules, list: others.toSpliced(action.index, 0, rule) };
    }
    case 'rules/removed':
    case 'accounts/removed': {
      const list = rules.list.filter(({ id, account }) => id !== action.id
        && account !== action.id);
      return list.length === rules.list.length ? rules : { ...rules, list };
    }
    case 'accounts/merged': {
      const list = rules.list.map((rule) =>
        (rule.account === action.from ? { ...rule, account: action.to } : rule));
      return { ...rules, list };
    }
    default:
      return rules;
  }
}

function fits(rule, { payee, note, amount }) {
  const text = folded(`${payee} ${note}`);
  const size = Math.abs(amount);
  return rule.words.every((word) => text.includes(word))
    && (rule.least === null || size >= rule.least)
    && (rule.most === null || size <= rule.most);
}

export function ruleFor(rules, row) {
  const rule = rules.list.find((each) => fits(each, row));
  return rule && { account: rule.account, payee: rule.payee ?? undefined, tags: rule.tags };
}

/** The transactions not sorted yet that a rule would sort, for the preview. */
export function sortable(rules, transactions) {
  return Object.values(transactions.byId).flatMap((each) => {
    const open = each.postings.find(({ account }) => account === 'unknown');
    if (!open) return [];
    const rule = ruleFor(rules, { payee: each.payee, note: each.note, amount: open.amount });
    return rule && rule.account !== 'unknown' ? [{ id: each.id, account: rule.account }] : [];
  });
}

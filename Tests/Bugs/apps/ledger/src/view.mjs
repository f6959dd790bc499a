// The choices on the screen: which account, which search, which month.
import { addMonths, monthOf } from './dates.mjs';
import { parsedQuery } from './query.mjs';
import { omitted, tidied } from './records.mjs';

export const initialView = {
  account: null, text: '', query: { terms: [], problems: [] }, month: null, searches: {},
  isCompact: false, page: 0,
};

export function viewReducer(view, action, today) {
  switch (action.type) {
    case 'view/accountChosen':
      return { ...view, account: action.id, page: 0 };
    case 'view/searched':
      return { ...view, text: action.text, query: parsedQuery(action.text, today), page: 0 };
    case 'view/searchKept': {
      const name = tidied(action.name);
      return name ? { ...view, searches: { ...view.searches, [name]: view.text } } : view;
    }
    case 'view/searchForgotten':
      return { ...view, searches: omitted(view.searches, action.name) };
    case 'view/searchOpened': {
      const text = view.searches[action.name];
      return text === undefined ? view
        : { ...view, text, query: parsedQuery(text, today), page: 0 };
    }
    case 'view/monthTurned': {
      const month = view.month ?? monthOf(today);
      return { ...view, month: addMonths(month, action.by) };
    }
    case 'view/paged':
      return { ...view, page: Math.max(0, view.page + action.by) };
    case 'view/density':
      return { ...view, isCompact: !view.isCompact };
    case 'accounts/removed':
      return view.account === action.id ? { ...view, account: null } : view;
    default:
      return view;
  }
}

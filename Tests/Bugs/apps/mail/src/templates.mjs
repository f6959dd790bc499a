// Texts that are used often, with places for names: `Hello {{to.first|there}}, …`.
import { shortName } from './addresses.mjs';
import { formatDay } from './dates.mjs';
import { omit } from './lists.mjs';
import { withNotice } from './notices.mjs';

const PLACE = /\{\{\s*([a-z.]+)\s*(?:\|([^}]*))?\}\}/g;

const VALUES = {
  'to.first': ({ draft }) => draft.to[0] && draft.to[0].name && shortName(draft.to[0]),
  'to.all': ({ draft }) => draft.to.map(shortName).join(', '),
  subject: ({ draft }) => draft.subject,
  date: ({ now, offset }) => formatDay(now, offset),
  me: ({ account }) => account.name,
  'me.first': ({ account }) => shortName(account),
};

export function filled(text, context) {
  return text.replace(PLACE, (whole, name, instead = '') => {
    if (!Object.hasOwn(VALUES, name)) return whole;
    return VALUES[name](context) || instead.trim();
  });
}

function placeFaults(text) {
  const names = [...text.matchAll(PLACE)].map(([, name]) => name);
  return names.filter((name) => !Object.hasOwn(VALUES, name))
    .map((name) => `Unknown place {{${name}}}; there are ${Object.keys(VALUES).join(', ')}.`);
}

function written(state, { id, name, text }) {
  const [fault] = placeFaults(text);
  if (fault) return withNotice(state, fault, { isFault: true });
  const uses = state.templates[id]?.uses ?? 0;
  return { ...state, templates: { ...state.templates, [id]: { id, name, text, uses } } };
}

export function sortedTemplates(templates) {
  return Object.values(templates)
    .sort((one, other) => other.uses - one.uses || one.name.localeCompare(other.name, 'en'));
}

export const templateHandlers = {
  'template/written': written,
  'template/deleted': (state, { id }) => ({ ...state, templates: omit(state.templates, id) }),
};

// An address book: people, groups, favourites, and people who are in it twice.
import { canJoin, joined } from './joining.mjs';
import { cardsFrom } from './cards.mjs';
import { sortedIds } from './names.mjs';

export const initialState = {
  people: {},
  order: [],
  groups: {},
  favourites: [],
  openId: null,
  marked: [],
  sync: { revision: 0, waiting: [] },
  view: { group: null, search: '', sortBy: 'last' },
  lastImport: null,
};

const within = (state, people) =>
  ({ ...state, people, order: sortedIds(people, state.view.sortBy) });

function withPerson(state, id, change) {
  const person = state.people[id];
  if (!person) return state;
  return within(state, { ...state.people, [id]: { ...person, ...change(person) } });
}

function withGroup(state, id, change) {
  const group = state.groups[id];
  if (!group) return state;
  return { ...state, groups: { ...state.groups, [id]: { ...group, ...change(group) } } };
}

function withoutPeople(state, ids) {
  const people = Object.fromEntries(
    Object.entries(state.people).filter(([id]) => !ids.includes(id)));
  const groups = Object.fromEntries(Object.entries(state.groups).map(([id, group]) =>
    [id, { ...group, memberIds: group.memberIds.filter((each) => !ids.includes(each)) }]));
  return {
    ...within(state, people), groups,
    favourites: state.favourites.filter((id) => !ids.includes(id)),
    marked: state.marked.filter((id) => !ids.includes(id)),
    openId: ids.includes(state.openId) ? null : state.openId,
  };
}

const toggled = (list, id) =>
  (list.includes(id) ? list.filter((each) => each !== id) : [...list, id]);

function imported(state, { text, prefix }) {
  const cards = cardsFrom(text);
  const people = { ...state.people };
  cards.forEach((card, at) => { people[`${prefix}-${at + 1}`] = { ...card, notes: '' }; });
  return { ...within(state, people), lastImport: { count: cards.length, prefix } };
}

/** The state with what another device did. */
function pulled(state, { changes, revision }) {
  if (revision <= state.sync.revision) return state;
  const next = changes.reduce((before, { id, fields }) => (fields === null
    ? withoutPeople(before, [id])
    : within(before, { ...before.people, [id]: { ...before.people[id], ...fields } })), state);
  return { ...next, sync: { ...next.sync, revision } };
}

function content(state, action) {
  const { type, id } = action;
  switch (type) {
    case 'people/added':
      return within(state, { ...state.people, [id]: { notes: '', phones: [], ...action.fields } });
    case 'people/edited': return withPerson(state, id, () => action.fields);
    case 'people/phoneAdded':
      return withPerson(state, id, ({ phones }) => ({ phones: [...phones, action.phone] }));
    case 'people/phoneRemoved':
      return withPerson(state, id, ({ phones }) => ({
        phones: phones.filter((each) => each !== action.phone),
      }));
    case 'people/deleted': return withoutPeople(state, action.ids);
    case 'people/joined':
      return canJoin(state, action) ? { ...joined(state, action), marked: [] } : state;
    case 'people/imported': return imported(state, action);
    case 'groups/made':
      return { ...state, groups: { ...state.groups, [id]: { name: action.name, memberIds: [] } } };
    case 'groups/renamed': return withGroup(state, id, () => ({ name: action.name }));
    case 'groups/filled':
      return withGroup(state, id, ({ memberIds }) => ({
        memberIds: [...memberIds, ...action.ids.filter((each) =>
          state.people[each] && !memberIds.includes(each))],
      }));
    case 'groups/left':
      return withGroup(state, id, ({ memberIds }) => ({
        memberIds: memberIds.filter((each) => each !== action.personId),
      }));
    case 'groups/deleted': {
      const { [id]: _, ...groups } = state.groups;
      const view = state.view.group === id ? { ...state.view, group: null } : state.view;
      return { ...state, groups, view };
    }
    case 'favourites/toggled':
      return state.people[id] ? { ...state, favourites: toggled(state.favourites, id) } : state;
    default: return state;
  }
}

export function reducer(state = initialState, action) {
  const { type, id } = action;
  switch (type) {
    case 'view/opened': return { ...state, openId: id };
    case 'view/closed': return { ...state, openId: null };
    case 'view/searched': return { ...state, view: { ...state.view, search: action.text } };
    case 'view/grouped': return { ...state, view: { ...state.view, group: id } };
    case 'view/sorted': {
      const view = { ...state.view, sortBy: action.by };
      return { ...state, view, order: sortedIds(state.people, action.by) };
    }
    case 'view/marked': return { ...state, marked: toggled(state.marked, id) };
    case 'sync/pulled': return pulled(state, action);
    case 'sync/sent':
      return { ...state, sync: { revision: action.revision, waiting: [] } };
    default: {
      const next = content(state, action);
      if (next === state) return state;
      const waiting = [...next.sync.waiting, type];
      return { ...next, sync: { ...next.sync, waiting } };
    }
  }
}

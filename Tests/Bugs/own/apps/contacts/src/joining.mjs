// Makes one person of two. The first one stays, and takes over what only the second one has.
import { sortedIds } from './names.mjs';

export const canJoin = ({ people }, { keep, gone }) =>
  keep !== gone && people[keep] && people[gone];

const unique = (list) => [...new Set(list)];

function joinedPerson(one, other) {
  return {
    ...other, ...one,
    mail: one.mail || other.mail,
    city: one.city || other.city,
    phones: unique([...one.phones, ...other.phones]),
    notes: [one.notes, other.notes].filter(Boolean).join('\n'),
  };
}

export function joined(state, { keep, gone }) {
  const { [gone]: second, ...rest } = state.people;
  const people = { ...rest, [keep]: joinedPerson(state.people[keep], second) };
  const renamed = (ids) => unique(ids.map((id) => (id === gone ? keep : id)));
  const groups = Object.fromEntries(Object.entries(state.groups).map(([id, group]) =>
    [id, { ...group, memberIds: renamed(group.memberIds) }]));
  return {
    ...state, people, groups,
    order: sortedIds(people, state.view.sortBy),
    favourites: renamed(state.favourites),
    openId: state.openId === gone ? keep : state.openId,
  };
}

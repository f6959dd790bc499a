import { changed, patched } from './records.mjs';
import { folded, initialsOf, slug, tidied } from './text.mjs';

export const initialMembers = {
  byId: {
    me: { id: 'me', name: 'Mara Lind', handle: 'mara', isActive: true, role: 'owner' },
  },
  me: 'me',
};

const ROLES = ['owner', 'editor', 'guest'];

export function membersReducer(members, action) {
  const edit = (patch) => {
    const byId = changed(members.byId, action.id, (member) => patched(member, patch));
    return byId === members.byId ? members : { ...members, byId };
  };
  switch (action.type) {
    case 'members/joined': {
      const handle = freeHandle(members, action.name);
      const role = ROLES.includes(action.role) ? action.role : 'editor';
      const member = { id: action.id, name: tidied(action.name), handle, isActive: true, role };
      return { ...members, byId: { ...members.byId, [member.id]: member } };
    }
    case 'members/renamed':
      return edit({ name: tidied(action.name) });
    case 'members/roleChosen':
      return ROLES.includes(action.role) && action.id !== members.me
        ? edit({ role: action.role }) : members;
    case 'members/left':
      return action.id === members.me ? members : edit({ isActive: false });
    case 'members/returned':
      return edit({ isActive: true });
    default:
      return members;
  }
}

function freeHandle(members, name) {
  const wanted = slug(tidied(name).split(' ')[0]) || 'member';
  const taken = new Set(Object.values(members.byId).map((member) => member.handle));
  let handle = wanted;
  for (let count = 2; taken.has(handle); count += 1) handle = `${wanted}${count}`;
  return handle;
}

export function memberByHandle(members, handle) {
  return Object.values(members.byId).find((member) => member.handle === handle);
}

function activeMembers(members) {
  return Object.values(members.byId).filter((member) => member.isActive);
}

/** The members whose name or handle begins with what is typed. */
export function suggestions(members, typed) {
  const start = folded(typed);
  return activeMembers(members).filter((member) =>
    member.handle.startsWith(start)
    || folded(member.name).split(' ').some((part) => part.startsWith(start)));
}

export function badgeOf(member) {
  return { text: initialsOf(member.name), title: `${member.name} (@${member.handle})` };
}

export function rule(state, { previous, action }) {
  if (action?.type !== 'undo') return true;
  const last = previous.history.past.at(-1)?.action;
  if (last?.type !== 'grouped') return true;
  return !state.doc.groups[last.id] || `the group ${last.id} is still there`;
}

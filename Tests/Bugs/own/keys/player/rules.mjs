const playing = ({ queue, position }) => queue[position]?.key;

export function rule(state, { previous, action }) {
  if (action?.type !== 'queue/moved') return true;
  return playing(state) === playing(previous)
    || `${playing(previous)} played, and now ${playing(state)} does`;
}

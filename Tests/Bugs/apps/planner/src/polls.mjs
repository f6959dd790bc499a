// Polls: people vote for one of several times of a meeting.
import { committed } from './commit.mjs';
import { newEvent } from './events.mjs';
import { change, omit, sum } from './lists.mjs';
import { withFault } from './notices.mjs';
import { attendee } from './people.mjs';

const WEIGHTS = { yes: 2, maybe: 1, no: 0 };

function opened(state, { id, title, minutes, starts, addresses }) {
  if (starts.length < 2) return withFault(state, 'A poll needs two times at least.');
  const poll = {
    id, title, minutes, starts: [...starts].sort(), addresses, votes: {}, isOpen: true,
  };
  return { ...state, polls: { ...state.polls, [id]: poll } };
}

function voted(state, { id, address, votes }) {
  const poll = state.polls[id];
  if (!poll?.isOpen || !poll.addresses.includes(address)) return state;
  return {
    ...state, polls: change(state.polls, id,
      (old) => ({ ...old, votes: { ...old.votes, [address]: votes } })),
  };
}

/** The times of a poll, best first: fewest noes, then most points. */
export function ranked({ starts, votes, addresses }) {
  return starts.map((start) => {
    const answers = addresses.map((address) => votes[address]?.[start] ?? 'maybe');
    const noes = answers.filter((answer) => answer === 'no').length;
    return { start, noes, points: sum(answers, (answer) => WEIGHTS[answer]) };
  }).sort((one, other) => one.noes - other.noes || other.points - one.points
    || (one.start < other.start ? -1 : 1));
}

/** Makes a meeting of the best time, with all who were asked. */
function closed(state, { id, eventId, start }) {
  const poll = state.polls[id];
  if (!poll?.isOpen) return state;
  const best = start ?? ranked(poll)[0].start;
  const event = newEvent(state, {
    id: eventId, title: poll.title, start: best, minutes: poll.minutes,
    attendees: poll.addresses.map((address) => attendee({ address })),
  });
  const next = committed(state, [{ id: eventId, after: event }], { text: `Agreed: ${poll.title}` });
  return { ...next, polls: change(next.polls, id, (old) => ({ ...old, isOpen: false })) };
}

export const pollHandlers = {
  'poll/opened': opened,
  'poll/voted': voted,
  'poll/closed': closed,
  'poll/deleted': (state, { id }) => ({ ...state, polls: omit(state.polls, id) }),
};

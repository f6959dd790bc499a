import { changed, mappedValues, omitted, omittedAll, patched } from './records.mjs';
import { memberByHandle } from './members.mjs';
import { mentionsIn } from './text.mjs';

export const initialComments = { byId: {}, byCard: {} };

const EDIT_TIME = 15 * 60_000;

export function commentsReducer(comments, action) {
  switch (action.type) {
    case 'comments/added':
      return added(comments, action);
    case 'comments/edited': {
      const byId = changed(comments.byId, action.id, (comment) =>
        (mayEdit(comment, action) ? patched(comment, {
          text: action.text.trim(),
          editedAt: action.at,
        }) : comment));
      return byId === comments.byId ? comments : { ...comments, byId };
    }
    case 'comments/reacted': {
      const byId = changed(comments.byId, action.id, (comment) => reacted(comment, action));
      return byId === comments.byId ? comments : { ...comments, byId };
    }
    case 'comments/deleted':
      return deleted(comments, action.id);
    case 'cards/deleted': {
      const ids = comments.byCard[action.id] ?? [];
      return {
        byId: omittedAll(comments.byId, ids),
        byCard: omitted(comments.byCard, action.id),
      };
    }
    case 'members/left':
      return withoutReactionsOf(comments, action.id);
    default:
      return comments;
  }
}

function added(comments, { id, cardId, text, by, at }) {
  if (comments.byId[id] || !text.trim()) return comments;
  const comment = {
    id, cardId, by, at, text: text.trim(), editedAt: null, reactions: {},
  };
  const ids = comments.byCard[cardId] ?? [];
  return {
    byId: { ...comments.byId, [id]: comment },
    byCard: { ...comments.byCard, [cardId]: [...ids, id] },
  };
}

function deleted(comments, id) {
  const comment = comments.byId[id];
  if (!comment) return comments;
  const left = comments.byCard[comment.cardId].filter((each) => each !== id);
  const byCard = left.length
    ? { ...comments.byCard, [comment.cardId]: left }
    : omitted(comments.byCard, comment.cardId);
  return { byId: omitted(comments.byId, id), byCard };
}

function mayEdit(comment, { by, at, text }) {
  return comment.by === by && at - comment.at <= EDIT_TIME && text.trim() !== '';
}

function reacted(comment, { by, sign }) {
  const before = comment.reactions[sign] ?? [];
  const after = before.includes(by) ? before.filter((each) => each !== by) : [...before, by];
  const reactions = after.length
    ? { ...comment.reactions, [sign]: after }
    : omitted(comment.reactions, sign);
  return { ...comment, reactions };
}

function withoutReactionsOf(comments, memberId) {
  const byId = mappedValues(comments.byId, (comment) => {
    const signs = Object.keys(comment.reactions)
      .filter((sign) => comment.reactions[sign].includes(memberId));
    return signs.reduce((each, sign) => reacted(each, { by: memberId, sign }), comment);
  });
  return byId === comments.byId ? comments : { ...comments, byId };
}

export function commentsOf(comments, cardId) {
  return (comments.byCard[cardId] ?? []).map((id) => comments.byId[id]);
}

/** The members that a comment mentions, without the one who wrote it. */
export function mentionedIn(comment, members) {
  return mentionsIn(comment.text)
    .map((handle) => memberByHandle(members, handle))
    .filter((member) => member && member.id !== comment.by)
    .map((member) => member.id);
}

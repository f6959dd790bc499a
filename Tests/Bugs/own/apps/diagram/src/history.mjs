// Undo and redo. Each entry holds the edit and what takes it back.
import { edited, reverted } from './edits.mjs';

export const initialHistory = { past: [], future: [] };

const DEPTH = 40;

/** Moves of one drag are one entry. */
const isSameDrag = (last, action) => last?.action.type === 'shapes moved'
  && action.type === 'shapes moved' && action.drag === last.action.drag;

export function recorded({ past }, action, undo) {
  const last = past[past.length - 1];
  if (isSameDrag(last, action)) {
    const { ids, drag, dx, dy } = last.action;
    const joined = {
      type: 'shapes moved', ids, drag, dx: dx + action.dx, dy: dy + action.dy,
    };
    return { past: [...past.slice(0, -1), { action: joined, undo: last.undo }], future: [] };
  }
  return { past: [...past, { action, undo }].slice(-DEPTH), future: [] };
}

export function undone({ doc, history: { past, future } }) {
  const last = past[past.length - 1];
  if (!last) return { doc, history: { past, future } };
  return {
    doc: reverted(doc, last.undo),
    history: { past: past.slice(0, -1), future: [last, ...future] },
  };
}

export function redone({ doc, history: { past, future } }) {
  const [next, ...rest] = future;
  if (!next) return { doc, history: { past, future } };
  const again = edited(doc, next.action);
  return {
    doc: again.doc,
    history: { past: [...past, { action: next.action, undo: again.undo ?? {} }], future: rest },
  };
}

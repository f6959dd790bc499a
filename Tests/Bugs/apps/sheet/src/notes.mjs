// Notes that hang on cells.
import { cellKey, contains, parseKey } from './addresses.mjs';
import { updateSheet } from './current.mjs';
import { patched } from './workbook.mjs';

/** The notes at other places; `move` gives the new place, or undefined where a cell is gone. */
export function movedNotes(notes, move) {
  const moved = {};
  let isChanged = false;
  for (const [key, note] of Object.entries(notes)) {
    const place = move(parseKey(key));
    const next = place && cellKey(place.row, place.column);
    isChanged ||= next !== key;
    if (next) moved[next] = note;
  }
  return isChanged ? moved : notes;
}

export function splitNotes(notes, range) {
  const [inside, outside] = [{}, {}];
  for (const [key, note] of Object.entries(notes)) {
    const { row, column } = parseKey(key);
    (contains(range, row, column) ? inside : outside)[key] = note;
  }
  return { inside, outside };
}

const keyOfCursor = ({ selection: { anchor } }) => cellKey(anchor.row, anchor.column);

const withNote = (state, note) => updateSheet(state, (sheet) => ({
  ...sheet, notes: patched(sheet.notes, keyOfCursor(state), note),
}));

/** An answer below a note. */
function answered(state, { text }) {
  const note = state.workbook.sheets[state.active].notes[keyOfCursor(state)];
  return note ? withNote(state, { ...note, answers: [...note.answers, text] }) : state;
}

export const noteActions = {
  'note/written': (state, { text }) => withNote(state, { text, day: state.today, answers: [] }),
  'note/answered': answered,
  'note/removed': (state) => withNote(state, undefined),
};

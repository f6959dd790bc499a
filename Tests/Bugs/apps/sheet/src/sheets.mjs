// The tabs: sheets are added, copied, renamed, moved and removed.
import { notified, selectionOfCell, withWorkbook } from './current.mjs';
import { renamedInput } from './references.mjs';
import { emptySheet, mapSheets, sheetNamed, withFormulas } from './workbook.mjs';

const start = selectionOfCell(0, 0);

/** A name that no other sheet has: `Plan`, `Plan 2` … */
function freeName(workbook, wanted) {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!sheetNamed(workbook, name)) return name;
  }
}

/** The state with another active sheet; each sheet remembers its own selection. */
function activated(state, id) {
  if (!state.workbook.sheets[id] || id === state.active) return state;
  return {
    ...state,
    active: id,
    selection: state.selections[id] ?? start,
    selections: { ...state.selections, [state.active]: state.selection },
  };
}

function withNewSheet(state, make, at) {
  const { workbook } = state;
  const id = `s${workbook.nextSheet}`;
  const order = [...workbook.order];
  order.splice(at ?? order.length, 0, id);
  const next = withWorkbook(state, {
    ...workbook,
    order,
    sheets: { ...workbook.sheets, [id]: make(id) },
    nextSheet: workbook.nextSheet + 1,
  });
  return activated(next, id);
}

const added = (state, { name }) => withNewSheet(state, (id) => emptySheet(
  id, freeName(state.workbook, name ?? `Sheet${state.workbook.nextSheet}`)));

/** A copy reads its own cells where the original read its own. */
function duplicated(state, { id }) {
  const source = state.workbook.sheets[id];
  if (!source) return state;
  const name = freeName(state.workbook, `${source.name} copy`);
  const at = state.workbook.order.indexOf(id) + 1;
  return withNewSheet(state, (copy) => withFormulas({ ...source, id: copy, name }, (input) => (
    renamedInput(input, source.name, name))), at);
}

function faultOfTitle(workbook, id, name) {
  if (name.trim() === '' || name.length > 31) return 'A sheet’s name has 1 to 31 characters.';
  if (/[[\]:*?/\\]/.test(name)) return 'A sheet’s name has none of [ ] : * ? / \\.';
  const other = sheetNamed(workbook, name);
  return other && other.id !== id ? `There is a sheet “${name}” already.` : undefined;
}

function renamed(state, { id, name }) {
  const { workbook } = state;
  const sheet = workbook.sheets[id];
  const fault = sheet && faultOfTitle(workbook, id, name);
  if (!sheet || fault) return fault ? notified(state, fault) : state;
  const sheets = { ...workbook.sheets, [id]: { ...sheet, name } };
  return withWorkbook(state, mapSheets({ ...workbook, sheets }, (each) => (
    withFormulas(each, (input) => renamedInput(input, sheet.name, name)))));
}

function removed(state, { id }) {
  const { workbook } = state;
  if (!workbook.sheets[id] || workbook.order.length === 1) {
    return notified(state, 'A workbook has at least one sheet.');
  }
  const { [id]: gone, ...sheets } = workbook.sheets;
  const at = workbook.order.indexOf(id);
  const order = workbook.order.filter((each) => each !== id);
  const names = Object.fromEntries(Object.entries(workbook.names)
    .filter(([, named]) => named.sheet !== id));
  const left = mapSheets({ ...workbook, sheets, order, names }, (sheet) => (
    withFormulas(sheet, (input) => renamedInput(input, gone.name, undefined))));
  const next = { ...withWorkbook(state, left), editor: null };
  if (state.clipboard?.sheet === id) next.clipboard = null;
  return state.active === id ? activated(next, order[Math.min(at, order.length - 1)]) : next;
}

function moved(state, { id, to }) {
  const { workbook } = state;
  if (!workbook.sheets[id]) return state;
  const order = workbook.order.filter((each) => each !== id);
  order.splice(Math.max(0, Math.min(to, order.length)), 0, id);
  return withWorkbook(state, { ...workbook, order });
}

export const sheetActions = {
  'sheet/added': added,
  'sheet/duplicated': duplicated,
  'sheet/renamed': renamed,
  'sheet/removed': removed,
  'sheet/moved': moved,
  'sheet/activated': (state, { id }) => activated(state, id),
};

// Names for ranges, to be written in formulas.
import { parseKey, placeOf, rangeKey } from './addresses.mjs';
import { notified, selectRange, selectedRange, withWorkbook } from './current.mjs';
import { functions } from './functions/all.mjs';
import { treeOf } from './parser.mjs';
import { eachReference, rewritten } from './references.mjs';
import { mapSheets, patched, withFormulas } from './workbook.mjs';

function faultOfName(name) {
  if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) return 'A name has letters, digits and “_”.';
  if (parseKey(name)) return `“${name}” is the address of a cell.`;
  return functions[name.toUpperCase()] ? `“${name}” is a function.` : undefined;
}

function defined(state, { name }) {
  const fault = faultOfName(name);
  if (fault) return notified(state, fault);
  const named = { name, sheet: state.active, range: selectedRange(state) };
  const names = patched(state.workbook.names, name.toLowerCase(), named);
  return notified(withWorkbook(state, { ...state.workbook, names }), null);
}

function usersOf(workbook, name) {
  const places = [];
  for (const { id, cells } of Object.values(workbook.sheets)) {
    for (const [key, { input }] of Object.entries(cells)) {
      const tree = treeOf(input);
      if (!tree) continue;
      eachReference(tree, (reference) => {
        if (reference.type === 'name' && reference.name.toLowerCase() === name) {
          places.push(placeOf(id, key));
        }
      });
    }
  }
  return places;
}

function removed(state, { name }) {
  const key = name.toLowerCase();
  const users = usersOf(state.workbook, key);
  if (users.length) return notified(state, `${users.length} formulas still use “${name}”.`);
  const names = patched(state.workbook.names, key, undefined);
  return withWorkbook(state, { ...state.workbook, names });
}

/** Another name for a range: formulas get it, too. */
function renamed(state, { name, to }) {
  const { workbook } = state;
  const named = workbook.names[name.toLowerCase()];
  const fault = faultOfName(to);
  if (!named || fault) return fault ? notified(state, fault) : state;
  const rest = patched(workbook.names, name.toLowerCase(), undefined);
  const names = { ...rest, [to.toLowerCase()]: { ...named, name: to } };
  const changed = mapSheets({ ...workbook, names }, (sheet) => withFormulas(sheet, (input) => (
    rewritten(input, (reference) => (
      reference.type === 'name' && reference.name.toLowerCase() === name.toLowerCase()
        ? { ...reference, name: to } : reference)))));
  return withWorkbook(state, changed);
}

function visited(state, { name }) {
  const named = state.workbook.names[name.toLowerCase()];
  if (!named) return notified(state, `There is no name “${name}”.`);
  return selectRange({ ...state, active: named.sheet }, named.range);
}

/** The names as the dialog lists them. */
export const nameList = (workbook) => Object.values(workbook.names)
  .map(({ name, sheet, range }) => `${name}: ${workbook.sheets[sheet].name}!${rangeKey(range)}`)
  .sort();

export const nameActions = {
  'name/defined': defined,
  'name/removed': removed,
  'name/renamed': renamed,
  'name/visited': visited,
};

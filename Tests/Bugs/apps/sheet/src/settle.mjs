// Brings links and values up to date after a change of the workbook.
import { placeOf } from './addresses.mjs';
import { relinked } from './links.mjs';
import { treeOf } from './parser.mjs';
import { difference, touchedCells, touchesNames } from './patches.mjs';
import { recalculated } from './recalculation.mjs';
import { eachReference } from './references.mjs';

/** Whether a formula has the name of a range or of a sheet: that may mean something else now. */
function hasNames(input) {
  const tree = treeOf(input);
  let isFound = false;
  if (tree) {
    eachReference(tree, (reference) => {
      isFound ||= reference.type === 'name' || reference.sheet !== undefined;
    });
  }
  return isFound;
}

function formulasWithNames(workbook) {
  return Object.values(workbook.sheets).flatMap(({ id, cells }) => (
    Object.keys(cells).filter((key) => hasNames(cells[key].input))
      .map((key) => placeOf(id, key))));
}

/** The state with its links and values, and the patches from the workbook before. */
export function settled(before, after) {
  const patches = difference(before.workbook, after.workbook);
  const isNewDay = before.today !== after.today;
  if (patches.length === 0 && !isNewDay) return { state: after, patches };
  const places = touchedCells(patches);
  if (touchesNames(patches)) {
    for (const place of formulasWithNames(after.workbook)) {
      if (!places.includes(place)) places.push(place);
    }
  }
  const links = relinked(after.links, places, before.workbook, after.workbook);
  const changed = isNewDay ? [...new Set([...places, ...links.clocks])] : places;
  const values = recalculated({ ...after, links }, changed);
  return { state: { ...after, links, values }, patches };
}

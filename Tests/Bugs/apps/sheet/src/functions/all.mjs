// All functions of the sheet by their names.
import { dateFunctions } from './dates.mjs';
import { financeFunctions } from './finance.mjs';
import { logicFunctions } from './logic.mjs';
import { lookupFunctions } from './lookup.mjs';
import { mathFunctions } from './math.mjs';
import { statisticsFunctions } from './statistics.mjs';
import { textFunctions } from './text.mjs';

export const functions = Object.assign(
  Object.create(null),
  mathFunctions,
  statisticsFunctions,
  textFunctions,
  logicFunctions,
  lookupFunctions,
  dateFunctions,
  financeFunctions,
);

/** The names that begin with what was typed, for the list below the editor. */
export function functionsBeginningWith(word) {
  const start = word.toUpperCase();
  return Object.keys(functions).filter((name) => name.startsWith(start)).sort();
}

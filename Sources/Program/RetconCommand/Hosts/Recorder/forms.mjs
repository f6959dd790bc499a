// Values that JSON lacks, in the words of Retcon: for recorder, shim and host.

/** A map as an object, or as a list of pairs if its keys are not texts. */
export const named = (map) => ([...map.keys()].every((key) => typeof key === 'string')
  ? Object.fromEntries(map) : [...map]);

/** A number, bigint or symbol that JSON lacks, as a text; undefined for other values. */
export function wordOf(value) {
  switch (typeof value) {
    case 'number': return Number.isFinite(value) ? undefined : String(value);
    case 'bigint': return `${value}n`;
    case 'symbol': return `Symbol(${value.description ?? ''})`;
  }
}

/** An object that JSON lacks, as a text, a list or an object of its parts; undefined for others. */
export function formOf(value) {
  if (value instanceof Set || ArrayBuffer.isView(value)) return Array.from(value);
  if (value instanceof Map) return named(value);
  if (value instanceof Date) return Number.isNaN(+value) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
  if (value instanceof Error) return `Error: ${value.message}`;
  return typeof value.toJSON === 'function' ? value.toJSON() ?? null : undefined;
}

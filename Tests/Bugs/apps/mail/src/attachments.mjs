// Files that come with messages: their kinds, sizes and limits.
import { sum } from './lists.mjs';
import { plural } from './text.mjs';

export const LARGEST_MESSAGE = 25_000_000;

const KINDS = [
  ['image', /\.(png|jpe?g|gif|webp|heic)$/i],
  ['document', /\.(pdf|docx?|odt|txt|md)$/i],
  ['table', /\.(csv|xlsx?|ods)$/i],
  ['archive', /\.(zip|tar|gz|7z)$/i],
  ['invitation', /\.ics$/i],
];
const DANGEROUS = /\.(exe|scr|bat|js|vbs|jar)$/i;

export function kindOf({ name }) {
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'file';
}

export const isDangerous = ({ name }) => DANGEROUS.test(name);

export const sizeOf = (attachments) => sum(attachments, (file) => file.size);

/** Base64 makes four bytes out of three, and ends each line after 76. */
export const encodedSize = (size) => Math.ceil((Math.ceil(size / 3) * 4 * 78) / 76);

const UNITS = ['B', 'KB', 'MB', 'GB'];

export function formatSize(size) {
  let unit = 0, value = size;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** Bytes of `5M`, `300k`, `1200`. */
export function parseSize(text) {
  const found = /^(\d+(?:\.\d+)?)([kmg])?b?$/i.exec(text);
  if (!found) return null;
  const power = found[2] ? 'kmg'.indexOf(found[2].toLowerCase()) + 1 : 0;
  return Math.round(Number(found[1]) * 1000 ** power);
}

export function attachmentLine(attachments) {
  if (attachments.length === 0) return '';
  if (attachments.length === 1) return `${attachments[0].name}, ${formatSize(attachments[0].size)}`;
  return `${plural(attachments.length, 'file')}, ${formatSize(sizeOf(attachments))}`;
}

/** A name that no other file of the draft has: `plan.pdf`, `plan (2).pdf`. */
export function freeName(name, taken) {
  if (!taken.includes(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let number = 2;
  while (taken.includes(`${stem} (${number})${ending}`)) number += 1;
  return `${stem} (${number})${ending}`;
}

const PROMISES = /\b(attach(ed|ment|ing)?|enclosed|see the file)\b/i;

export const promisesFile = (text) => PROMISES.test(text);

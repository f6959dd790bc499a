// Addresses as people type them and as headers hold them.
import { fold, listed } from './text.mjs';

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i;

export function isAddress(text) {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  if (!LOCAL.test(local) || local.startsWith('.') || local.endsWith('.')) return false;
  return !local.includes('..') && DOMAIN.test(text.slice(at + 1));
}

/** The part of an address that two spellings of it share. */
export function keyOf(address) {
  const [local, domain] = address.toLowerCase().split('@');
  return `${local.split('+')[0]}@${domain ?? ''}`;
}

export const isSame = (one, other) => keyOf(one.address) === keyOf(other.address);

export const domainOf = (address) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Reads `Ann Lee <ann@lee.example>, "Lee, Bob" <bob@lee.example>; carol@lee.example (Carol)`. */
export function parseAddresses(text) {
  const addresses = [], faults = [];
  for (const part of splitList(text)) {
    const address = parseAddress(part);
    if (address) addresses.push(address);
    else faults.push(part.trim());
  }
  return { addresses: distinct(addresses), faults };
}

function splitList(text) {
  const parts = [];
  let part = '', isQuoted = false, depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (sign === '\\' && isQuoted) {
      part += sign + (text[index + 1] ?? '');
      index += 1;
      continue;
    }
    if (sign === '"' && depth === 0) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '<' || sign === '(')) depth += 1;
    else if (!isQuoted && (sign === '>' || sign === ')')) depth -= 1;
    if (!isQuoted && depth === 0 && (sign === ',' || sign === ';')) {
      parts.push(part);
      part = '';
    } else {
      part += sign;
    }
  }
  return [...parts, part].filter((item) => item.trim());
}

function parseAddress(text) {
  const angle = /^\s*(.*?)\s*<\s*([^<>\s]+)\s*>\s*$/s.exec(text);
  if (angle) return isAddress(angle[2]) ? { name: unquote(angle[1]), address: angle[2] } : null;
  const comment = /^\s*(\S+)\s*\(([^()]*)\)\s*$/.exec(text);
  if (comment) {
    return isAddress(comment[1]) ? { name: comment[2].trim(), address: comment[1] } : null;
  }
  const bare = text.trim();
  return isAddress(bare) ? { name: '', address: bare } : null;
}

function unquote(name) {
  const quoted = /^"((?:\\.|[^"\\])*)"$/s.exec(name);
  return quoted ? quoted[1].replace(/\\(.)/gs, '$1') : name.replace(/\s+/g, ' ');
}

export function formatAddress({ name, address }) {
  if (!name) return address;
  const plain = /^[\p{L}\p{N} '’._-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return `${plain} <${address}>`;
}

/** Keeps one entry per person, with a name if any of them has one. */
export function distinct(addresses) {
  const kept = new Map();
  for (const entry of addresses) {
    const key = keyOf(entry.address), earlier = kept.get(key);
    if (!earlier) kept.set(key, entry);
    else if (!earlier.name && entry.name) kept.set(key, { ...earlier, name: entry.name });
  }
  return [...kept.values()];
}

export const excluding = (addresses, gone) =>
  addresses.filter((entry) => !gone.some((other) => isSame(entry, other)));

export function shortName({ name, address }) {
  if (!name) return address.split('@')[0];
  const [first, second] = name.split(',').map((part) => part.trim());
  return (second || first).split(' ')[0];
}

export function initials({ name, address }) {
  const words = (name || address.split('@')[0]).split(/[\s._-]+/).filter(Boolean);
  return words.slice(0, 2).map((word) => word[0].toUpperCase()).join('');
}

/** `Ann, Bob and 2 more`, with `me` for the user's own address. */
export function peopleLine(people, own) {
  return listed(people.map((person) => (isSame(person, own) ? 'me' : shortName(person))));
}

/** Tells whether the words of a search or a rule match this person. */
export function mentions({ name, address }, text) {
  const wanted = fold(text);
  if (wanted.includes('@')) return fold(address).startsWith(wanted) || fold(address) === wanted;
  if (wanted.includes('.')) return fold(domainOf(address)).endsWith(wanted);
  return fold(name).split(' ').some((word) => word.startsWith(wanted))
    || fold(address).startsWith(wanted);
}

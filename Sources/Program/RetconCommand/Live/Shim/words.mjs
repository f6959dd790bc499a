// Words that Retcon knows, too, and the words of errors.

/** The type of the action that sets an app to a state. */
export const JUMP = '@@retcon/jump';
export const HIDDEN = '<redacted>';
/** How texts and keys begin that were redacted: the later ones have a number. */
export const REDACTED = '<redacted';

/** All words of an error. Retcon cuts those of a step, after it has redacted them. */
export function wordsOf(error) {
  try { return String(error?.stack ?? error); } catch { return 'an error'; }
}

/** The first two lines of an error: what happened, and where. */
export function shortWords(error) {
  return wordsOf(error).split('\n').slice(0, 2).map((line) => line.trim()).join(' ');
}

/** Throws a sentence as the answer to a person. */
export function refuse(words) { throw Object.assign(new Error(words), { stack: words }); }

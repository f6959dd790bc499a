const VERBS = ['Fix', 'Show', 'Rework', 'Test', 'Speed up', 'Describe', 'Remove', 'Translate'];
const THINGS = ['login', 'invoice', 'sidebar', 'export', 'checkout', 'search', 'calendar', 'avatar',
  'password', 'receipt', 'banner', 'settings', 'upload', 'printer', 'dashboard'];
const PLACES = ['on phones', 'for guests', 'in Safari', 'after midnight', 'of new customers',
  'at the café', 'during imports', 'with long names', 'on slow lines'];
const CUSTOMERS = ['Nordwind', 'Halvorsen', 'Quint', 'Maybach', 'Delgado', 'Tamura', 'Ostrow'];

const from = (random) => (list) => list[Math.floor(random() * list.length)];

export function titleOf(random) {
  const pick = from(random);
  return `${pick(VERBS)} ${pick(THINGS)} ${pick(PLACES)}`;
}

export function sentenceOf(random) {
  const pick = from(random);
  return `${pick(CUSTOMERS)} asked about the ${pick(THINGS)}: please ${pick(VERBS).toLowerCase()}`
    + ` the ${pick(THINGS)} ${pick(PLACES)}`;
}

export const COMMENTS = [
  (text) => text,
  (text) => `@ann ${text}`,
  (text) => `I tried it with @ben and @ida. ${text}`,
  (text) => `Done, see #3. ${text}`,
];

export const TABLE = `Title;Status;Swimlane;Tags;Assignee;Due date;Points;Priority;Subtasks;Notes
Fix login on phones;Doing;Mobile;bug;ann;2026-09-11;3;high;"[x] Ask
[ ] Try";"Only ""some"" phones"
Show invoice for guests;To do;Web;feature | customer;ben;;5;normal;;
Rework sidebar in Safari;To do;;tech debt;;next week;2,5;low;;
Speed up search on slow lines;Review;Web;;ida;2026-09-10;8;high;;
Remove banner of new customers;Somewhere;;;mara;;1;;;
Test checkout at the café;To do;Mobile;bug;tom;soon;x;normal;;
Translate settings;To do;Web;feature;ann2;2026-09-18;2;whenever;;
Describe export during imports;Doing;;customer;@ben;12 oct;3;normal;;
Show avatar with long names;To do;Mobile;missing;nobody;;;;;
Fix login on phones;To do;;;;;;;;
Fix printer after midnight;To do;Web;;ida;;1;urgent;;
Rework dashboard in Safari;Doing;Web;feature;ben;2026-09-22;8;normal;;
`;

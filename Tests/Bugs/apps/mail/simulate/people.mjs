// The people of the simulation, and the letters that they write.
import { HOUR, MINUTE } from '../src/dates.mjs';
import { sum } from '../src/lists.mjs';
import { deletedElsewhere, delivered, labelElsewhere, relabeledElsewhere } from './server.mjs';

export const OWN = { name: 'Mara Lind', address: 'mara@nordhaus.example' };
const PEOPLE = [
  { name: 'Nora Vega', address: 'nora@nordhaus.example' },
  { name: 'Tom Okafor', address: 'tom@nordhaus.example' },
  { name: 'Iris Møller', address: 'iris.moller@nordhaus.example' },
  { name: 'Baptiste, Jean', address: 'jean@atlas.example' },
  { name: 'Lena Fuchs', address: 'lena@atlas.example' },
  { name: 'Oskar Reyes', address: 'o.reyes@brightline.example' },
  { name: 'Ada Quist', address: 'ada@brightline.example' },
  { name: '', address: 'facilities@harbour.example' },
];
const BULK = [
  { name: 'Desk & Chair', address: 'news@deskchair.example', listId: '<news.deskchair.example>' },
  { name: 'City Bank', address: 'no-reply@citybank.example', listId: null },
  { name: 'Planners Forum', address: 'forum@planners.example', listId: '<forum.planners.example>' },
];
export const SPAMMERS = [
  'prize@lucky-day.example', 'win@quick-cash.example', 'offer@pillbox.example',
];
export const TOPICS = [
  'Lisbon office lease', 'Floor plan for the third floor', 'Chairs for the meeting rooms',
  'Atlas kick-off', 'Budget of the move', 'Invoice 2024-117', 'Lighting samples', 'Fire drill',
  'Parking spaces', 'Kitchen on level two', 'Moving day', 'Café corner', 'Acoustic panels',
];
export const SENTENCES = [
  'The landlord wants an answer by Thursday.', 'Could you look at the attached plan?',
  'I moved the desks nearer to the windows, as we said.', 'The price includes delivery.',
  'We have to tell the planning team before we order anything.', 'Jean asked for a second opinion.',
  'Please find the drawings enclosed.', 'The supplier can deliver sixteen chairs in April.',
  'That would cost about 4,200 in total, without the wiring.', 'I am out of office on Friday.',
  'Let us talk about it tomorrow morning.', 'The numbers in the sheet are from last year.',
  'Nobody answered the phone, so I wrote to them.', 'Both walls need panels, I think.',
];
const SPAM_WORDS = [
  'You WON the grand prize, claim your reward today!', 'Cheap pills without prescription.',
  'Earn quick cash from home, guaranteed winnings.', 'Click to claim your exclusive reward.',
];
const FILES = ['plan.pdf', 'chairs.xlsx', 'sample.jpg', 'contract.docx', 'photos.zip', 'visit.ics'];

/** `world` has `random`, `chance(share)`, `pick(items)` and `id(kind)`. */
function mailFrom(world, from, content) {
  const { subject, at, parent = null, extra = [], sentences = SENTENCES } = content;
  const { pick, chance, random } = world;
  const text = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(sentences));
  const attachments = chance(0.2)
    ? [{ name: pick(FILES), type: 'file', size: Math.round(random() * 3_000_000) }] : [];
  return {
    header: `<${world.id('h')}@post.example>`, inReplyTo: parent?.header ?? null,
    references: parent ? [...parent.references, parent.header] : [], from,
    to: [OWN, ...extra], cc: chance(0.2) ? [pick(PEOPLE)] : [], bcc: [], subject, at,
    body: text.join(chance(0.5) ? '\n' : ' '), attachments, listId: from.listId ?? null,
    size: 900 + Math.round(random() * 4000) + sum(attachments, ({ size }) => size),
  };
}

/** A letter of one person; others may answer the letters in `talks`. */
function someLetter(world, talks, at) {
  const { pick, random } = world;
  const kind = random();
  if (kind < 0.16) {
    const from = { name: pick(['Lucky Day', '', 'Your Winner']), address: pick(SPAMMERS) };
    const subject = pick(['You WON', 'CLAIM your reward', 'Cheap pills']);
    return mailFrom(world, from, { subject, at, sentences: SPAM_WORDS });
  }
  if (kind < 0.36) return mailFrom(world, pick(BULK), { subject: `News: ${pick(TOPICS)}`, at });
  const letter = kind < 0.6 || talks.length === 0
    ? newTopic(world, at) : someAnswer(world, pick(talks.slice(-14)), at);
  talks.push(letter);
  return letter;
}

function newTopic(world, at) {
  const extra = world.chance(0.4) ? [world.pick(PEOPLE)] : [];
  return mailFrom(world, world.pick(PEOPLE), { subject: world.pick(TOPICS), at, extra });
}

/** An answer; some mail programs leave out the references. */
function someAnswer(world, parent, at) {
  const subject = parent.subject.startsWith('Re: ') ? parent.subject : `Re: ${parent.subject}`;
  const answer = mailFrom(world, world.pick(PEOPLE), { subject, at, parent });
  return world.chance(0.08) ? { ...answer, references: [], inReplyTo: null } : answer;
}

/** A discussion that Mara joins late: some of its letters reach her days after others. */
export function lateDiscussion(world, subject, at) {
  const [nora, jean] = [PEOPLE[0], PEOPLE[3]];
  const plan = mailFrom(world, nora, { subject, at: at - 30 * HOUR });
  const offer = mailFrom(world, jean, { subject: `${subject}: offer`, at: at - 26 * HOUR });
  const onPlan = mailFrom(world, PEOPLE[1], { subject: `Re: ${subject}`, at, parent: plan });
  const onOffer = mailFrom(world, PEOPLE[4],
    { subject: `Re: ${subject}: offer`, at: at + MINUTE, parent: offer });
  const both = mailFrom(world, nora,
    { subject: `Re: ${subject}`, at: at + 5 * HOUR, parent: onPlan });
  both.references.push(onOffer.header);
  return { early: [onPlan, onOffer], both, late: [offer, plan] };
}

export function letterComes(world, at) {
  delivered(world.server, someLetter(world, world.talks, at));
}

/** Letters from before the simulation. */
export function oldLetters(world) {
  for (let count = 0; count < 18; count += 1) letterComes(world, world.now - count * 9 * HOUR);
}

export function night(world, start, index) {
  const { server, chance, pick } = world, known = [...server.messages.keys()];
  for (let count = 0; count < 6; count += 1) letterComes(world, start + count * 50 * MINUTE);
  for (const id of known.slice(-12)) {
    const change = pick([{ remove: ['unread'] }, { add: ['starred'] }]);
    if (chance(0.1)) relabeledElsewhere(server, id, change);
  }
  if (index === 4) labelElsewhere(server, { id: 'phone', name: 'From my phone', color: 'teal' });
  if (index === 6) deletedElsewhere(server, pick(known.slice(0, 10)));
}

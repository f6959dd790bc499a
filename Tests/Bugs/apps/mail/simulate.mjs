// Three weeks of Mara, who plans offices for a small company: she reads, writes and tidies, while
// her server and the network do their part.
import { background, flushed, synced } from './simulate/network.mjs';
import {
  lateDiscussion, letterComes, night, oldLetters, OWN, SENTENCES, SPAMMERS, TOPICS,
} from './simulate/people.mjs';
import { bodyOf, delivered, newServer } from './simulate/server.mjs';
import { conversation } from './src/conversation.mjs';
import { completed } from './src/contacts.mjs';
import { DAY, HOUR, MINUTE } from './src/dates.mjs';
import { completions } from './src/queryParser.mjs';
import { commonLabels, listRows, pageLine } from './src/rows.mjs';
import { suggestions } from './src/searchIndex.mjs';
import { sideBar, windowTitle } from './src/sideBar.mjs';
import { snoozeChoices } from './src/snoozes.mjs';
import { answerTime, busiestHour, byDay, usage, writers } from './src/statistics.mjs';
import { sortedTemplates } from './src/templates.mjs';
import { exported } from './src/transfer.mjs';

const MONDAY = Date.UTC(2024, 2, 4) - HOUR;
const WORK_DAYS = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15];

export function simulate(store, random) {
  const world = worldOf(store, random);
  setUp(world);
  for (const [index, day] of WORK_DAYS.entries()) workDay(world, MONDAY + day * DAY, index);
}

function worldOf(store, random) {
  const world = {
    random, server: newServer(), now: MONDAY + 8 * HOUR, ids: 0, talks: [], discussions: {},
    lastTick: 0, lastSync: 0, losses: 0,
    get state() { return store.getState(); },
    chance: (share) => random() < share,
    pick: (items) => items[Math.floor(random() * items.length)],
    id: (kind) => `${kind}${world.ids += 1}`,
    send(type, payload, from = 'user') {
      store.dispatch({ type, payload, at: world.now, meta: { from } });
    },
    press(keys) {
      for (const key of keys.split(' ')) {
        world.now += 400;
        world.send('key/pressed', { key });
      }
    },
    pass(milliseconds) { world.now += Math.round(milliseconds); },
  };
  return world;
}

function setUp(world) {
  world.send('account/opened', OWN);
  oldLetters(world);
  synced(world);
  world.send('setting/chosen', { name: 'signature', value: 'Mara Lind\nNordhaus' });
  world.send('setting/chosen', { name: 'pageSize', value: 10 });
  for (const name of ['Clients/Atlas', 'Clients/Brightline', 'Money', 'Projects/Lisbon']) {
    world.send('label/created', { id: world.id('label'), name });
  }
  for (const text of [
    'from:atlas.example then label Clients/Atlas',
    'from:brightline.example then label Clients/Brightline',
    'from:citybank.example OR subject:invoice then label Money, mark read',
    'is:bulk -subject:atlas then skip inbox', 'lisbon lease then label Projects/Lisbon, star',
  ]) world.send('rule/written', { id: world.id('rule'), text });
  const saved = [
    ['Files of the week', 'has:attachment newer_than:7d'], ['', 'with:(nora OR tom) is:unread'],
    ['Old and unread', 'is:unread older_than:3d -is:bulk'],
  ];
  for (const [name, text] of saved) {
    world.send('search/saved', { id: world.id('search'), name, text });
  }
  world.send('template/written', {
    id: 'thanks', name: 'Thanks', text: 'Dear {{to.first|all}},\n\nthank you.\n\n{{me.first}}',
  });
  world.send('template/written', { id: 'bad', name: 'Bad', text: 'Hello {{you}}' });
}

// --- What Mara does

function workDay(world, start, index) {
  world.now = start + 8 * HOUR + Math.round(world.random() * 20 * MINUTE);
  night(world, start, index);
  if (index === 8) {
    world.send('sync/failed', { reason: 'cursor expired', isExpired: true }, 'network');
  }
  world.send('clock/ticked', {}, 'clock');
  synced(world);
  for (let turn = 0; turn < 26; turn += 1) {
    world.pass((6 + world.random() * 20) * MINUTE);
    if (world.chance(0.25)) letterComes(world, world.now - MINUTE);
    background(world);
    look(world);
    (PLANS[index]?.[turn] ?? world.pick(HABITS))(world);
  }
  world.press('g i * n');
  flushed(world);
}

function look(world) {
  const { state } = world;
  sideBar(state);
  windowTitle(state);
  listRows(state);
  pageLine(state);
  conversation(state);
}

const rows = ({ state }) => listRows(state);

function reads(world) {
  world.press('g i');
  const row = rows(world).find(({ isUnread }) => isUnread) ?? world.pick(rows(world));
  if (!row) return;
  world.send('view/threadOpened', { threadId: row.threadId });
  for (const message of conversation(world.state).messages.filter(({ isPartial }) => isPartial)) {
    world.pass(300);
    const body = bodyOf(world.server, message.id);
    if (body) world.send('body/received', { messageId: message.id, body }, 'network');
  }
  world.pass(40_000);
  world.pick([
    () => world.press('e'), () => world.press('s u'), () => answers(world), () => world.press('u'),
    () => world.press('#'), () => world.press('j'), () => reportsSpam(world),
  ])();
}

const isSpam = (message) => SPAMMERS.includes(message.from.address);

function reportsSpam(world) {
  const { state } = world;
  const found = Object.values(state.messages)
    .find((message) => isSpam(message) && message.labels.includes('inbox'));
  if (found) world.send('threads/commanded', { name: 'spam', threadIds: [found.threadId] });
  const wrong = Object.values(state.messages)
    .find((message) => !isSpam(message) && message.labels.includes('spam'));
  if (wrong) world.send('threads/commanded', { name: 'notSpam', threadIds: [wrong.threadId] });
}

function answers(world) {
  const open = conversation(world.state);
  const message = open?.messages.at(-1);
  if (!message || isSpam(world.state.messages[message.id])) return world.press('u');
  const id = world.id('draft');
  world.send('draft/opened', {
    id, kind: world.pick(['reply', 'replyAll', 'replyAll', 'forward']), messageId: message.id,
  });
  if (world.state.drafts.byId[id].kind === 'forward') addresses(world, id, 'to');
  return finishes(world, id);
}

function addresses(world, id, field) {
  const { state } = world, text = world.pick(['n', 'to', 'jea', 'a', 'team', 'osk']);
  const [best] = completed(state.contacts, text, state.drafts.byId[id].to, world.now);
  const typed = world.chance(0.1) ? 'nora@@nordhaus' : best?.text ?? 'Tom <tom@nordhaus.example>';
  world.send('draft/addressed', { id, field, text: typed });
  if (typed.includes('@@')) {
    world.send('draft/addressed', { id, field, text: '"Vega, Nora" <nora@nordhaus.example>;' });
  }
}

function finishes(world, id) {
  const draft = () => world.state.drafts.byId[id];
  world.pass(50_000);
  if (world.chance(0.3)) {
    const { id: templateId } = world.pick(sortedTemplates(world.state.templates));
    world.send('draft/templateUsed', { id, templateId });
  } else {
    world.send('draft/typed', { id, body: `${world.pick(SENTENCES)}\n${draft().body}` });
  }
  if (!draft().subject) world.send('draft/typed', { id, subject: world.pick(TOPICS) });
  if (world.chance(0.2)) {
    const size = Math.round(world.random() * 30_000_000);
    world.send('draft/fileAdded', { id, file: { name: 'plan.pdf', type: 'file', size } });
    if (size > 18_000_000) world.send('draft/fileRemoved', { id, name: 'plan.pdf' });
  }
  if (world.chance(0.06)) return world.send('draft/closed', {});
  if (draft().wrong.length) world.send('draft/addressed', { id, field: 'to', text: '' });
  const sendAt = world.chance(0.15) ? world.now + 3 * HOUR : null;
  world.send('draft/sent', { id, sendAt });
  if (draft().doubts.length) world.send('draft/sent', { id, sendAt });
  if (world.chance(0.1)) {
    world.send('draft/calledBack', { id });
    world.send('draft/typed', { id, body: `PS: ${world.pick(SENTENCES)}\n${draft().body}` });
    world.send('draft/sent', { id });
    if (draft().doubts.length) world.send('draft/sent', { id });
  }
  world.pass(20_000);
  return world.send('clock/ticked', {}, 'clock');
}

function writes(world) {
  const { order, byId } = world.state.drafts;
  const resumed = order.find((id) => byId[id].leavesAt === null);
  if (resumed && world.chance(0.7)) {
    world.send('draft/resumed', { id: resumed });
    return world.chance(0.4) ? world.send('draft/discarded', { id: resumed })
      : finishes(world, resumed);
  }
  const id = world.id('draft');
  world.send('draft/opened', { id, kind: 'new' });
  addresses(world, id, 'to');
  if (world.chance(0.4)) addresses(world, id, 'cc');
  if (world.chance(0.1)) {
    const [{ address }] = world.state.drafts.byId[id].to;
    world.send('draft/personRemoved', { id, field: 'to', address });
    addresses(world, id, 'to');
  }
  return finishes(world, id);
}

const SEARCHES = [
  'chairs', 'from:nora lease', 'lis*', '"second opinion" -is:read', 'has:table OR has:document',
  'label:clients before:2024-03-12', 'subject:(plan OR budget) larger:10k', 'cc:tom is:muted',
  'in:money on:2024-03-06', 'to:mara after:yesterday', 'filename:plan', 'older_than:1w is:starred',
  'list:forum smaller:2M', '(panels walls) OR parking', 'is:wrong', 'chiars',
  '-(is:sent OR is:bulk) kitchen',
];

function searches(world) {
  const text = world.pick(SEARCHES), { state } = world;
  completions(text.slice(0, 4), state.labels.order.map((id) => state.labels.byId[id].name));
  suggestions(text, state.index);
  world.send('view/searched', { text });
  const row = rows(world)[0];
  if (row && world.chance(0.6)) world.send('view/threadOpened', { threadId: row.threadId });
  world.send('view/wentBack', {});
}

function labels(world) {
  const { state } = world, shown = rows(world).map(({ threadId }) => threadId);
  if (shown.length < 3) return world.press('g i');
  world.send('selection/toggled', { threadId: shown[0] });
  world.send('selection/extended', { threadId: shown[world.pick([1, 2, 2])] });
  const marked = world.state.selection.ids, labelId = world.pick(state.labels.order);
  const common = commonLabels(world.state, marked).find(({ id }) => id === labelId);
  if (world.chance(0.25)) world.send('threads/moved', { labelId });
  else world.send('threads/labeled', common?.isOnAll ? { remove: [labelId] } : { add: [labelId] });
  if (world.chance(0.3)) world.press(world.pick(['z', 'z y', 'z z']));
  return world.press('* n');
}

function snoozes(world) {
  world.press(world.pick(['g i j', 'g i j j']));
  const words = ['tomorrow', 'tomorrow 9:30', 'in 2 hours', 'fri 4pm', 'soon'];
  const offered = snoozeChoices(world.now, 60).map(({ name }) => name);
  if (offered.includes('Later today')) words.push('evening');
  world.send('threads/snoozed', { text: world.pick(words) });
}

function usesKeys(world) {
  world.press(world.pick([
    'g i j j x j x e', 'g s j o s u', 'g i * u I * n', 'g t j o j u', 'n j x # z', 'g i j U',
    'g b k', 'g i j j ! z', 'p j o k u', '* a * n q',
  ]));
}

/** Stars the wrong conversation, and removes the star at once, while the network is slow. */
function slips(world) {
  world.press('g i j j');
  const { cursor } = world.state.selection;
  if (!cursor || world.state.threads[cursor].labels.includes('starred')) return;
  flushed(world);
  world.press('s');
  world.losses += 1;
  flushed(world, world.losses % 2 === 0);
  world.pass(3000);
  world.press('s');
}

function looksAround(world) {
  const { state } = world;
  const shows = (kind, { order }) => () =>
    world.send('view/placeShown', { place: { kind, id: world.pick(order) } });
  world.pick([
    () => [answerTime(state), busiestHour(state), byDay(state), usage(state), writers(state)],
    shows('saved', state.searches), shows('label', state.labels),
    () => state.notices[0] && world.send('notice/closed', { text: state.notices[0].text }),
  ])();
}

function mutes(world) {
  const row = rows(world).find(({ count, isMuted }) => isMuted || count > 2);
  if (!row) return;
  world.send('selection/toggled', { threadId: row.threadId });
  world.send('threads/muted', { isMuted: !row.isMuted });
  world.send('thread/noted', { threadId: row.threadId, note: 'Ask Nora before answering' });
}

const HABITS = [
  reads, reads, reads, reads, reads, reads, writes, writes, searches, searches, labels, labels,
  snoozes, usesKeys, usesKeys, slips, looksAround, looksAround, mutes, reportsSpam,
];

// --- What happens on certain days

const labelNamed = ({ state: { labels: { order, byId } } }, name) =>
  order.find((id) => byId[id].name === name);

const ruleOf = ({ state: { rules: { order, byId } } }, words) =>
  order.find((id) => byId[id].text.includes(words));

function renamesLabel(from, name) {
  return (world) => world.send('label/renamed', { id: labelNamed(world, from), name });
}

function tidiesRules(world) {
  world.send('rule/written', { id: 'r-new', text: 'panels then label Projects, star, forward' });
  world.send('rule/written', {
    id: 'r-new', text: 'from:harbour.example then label Projects/Harbour, mute, stop',
  });
  world.send('rule/moved', { from: world.state.rules.order.length - 1, to: 0 });
  world.send('rule/applied', { id: 'r-new' });
  world.send('rule/switched', { id: ruleOf(world, 'bulk'), isOn: false });
  world.send('rule/written', {
    id: 'r-once', text: '"fire drill" -from:nora then forward to tom@nordhaus.example, never spam',
  });
}

function keepsContacts(world) {
  world.send('contact/renamed', { address: 'facilities@harbour.example', name: 'Harbour' });
  world.send('group/written', {
    id: 'team', name: 'Team', addresses: ['nora@nordhaus.example', 'tom@nordhaus.example'],
  });
  world.send('contact/merged', { kept: 'jean@atlas.example', gone: 'lena@atlas.example' });
  const id = world.id('draft');
  world.send('draft/opened', { id, kind: 'new' });
  world.send('draft/addressed', { id, field: 'to', text: 'Team' });
  finishes(world, id);
}

/** Takes a label to another mailbox and back, as a file. */
function carriesMail(world) {
  const { state } = world, label = labelNamed(world, 'Money') ?? state.labels.order[0];
  const ids = Object.values(state.messages).filter((message) => message.labels.includes(label));
  const text = exported(state, ids.map(({ id }) => id));
  world.send('mailbox/imported', { id: world.id('import'), text });
  const older = text.replaceAll('@post.example>', '@old.example>').replaceAll('Money', 'Old money');
  const damaged = older.replace(/^Date: .*$/m, 'Date: soon');
  world.send('mailbox/imported', { id: world.id('import'), text: damaged });
}

function clearsUp(world) {
  const { order } = world.state.searches;
  world.send('search/forgotten', { id: order[order.length - 1] });
  world.send('label/painted', { id: labelNamed(world, 'Money'), color: 'purple' });
  world.send('label/deleted', { id: labelNamed(world, 'Projects/Lisbon') });
  world.send('rule/deleted', { id: ruleOf(world, 'lisbon') });
  world.send('template/deleted', { id: 'bad' });
  world.send('trash/emptied', {});
}

const goesAway = (world) => world.send('vacation/planned',
  { from: world.now, until: world.now + 2 * DAY, text: 'I am away until Thursday.' });

function startsDiscussion(subject) {
  return (world) => {
    const discussion = lateDiscussion(world, subject, world.now - HOUR);
    world.discussions[subject] = discussion;
    for (const letter of discussion.early) delivered(world.server, letter);
    synced(world);
  };
}

function joinsDiscussion(subject) {
  return (world) => {
    delivered(world.server, world.discussions[subject].both);
    synced(world);
    reads(world);
  };
}

/** The delayed letters of a discussion arrive. */
function endsDiscussion(subject) {
  return (world) => {
    for (const letter of world.discussions[subject].late) delivered(world.server, letter);
    synced(world);
    reads(world);
  };
}

const TERRACE = 'Roof terrace', SIGNS = 'Signs at the entrance';

/** By day and turn. */
const PLANS = {
  0: { 6: startsDiscussion(TERRACE), 20: keepsContacts },
  1: { 4: joinsDiscussion(TERRACE), 15: tidiesRules },
  2: { 8: renamesLabel('Clients', 'Customers'), 18: carriesMail },
  3: { 3: startsDiscussion(SIGNS), 22: renamesLabel('Money', 'Customers') },
  4: { 9: joinsDiscussion(SIGNS), 25: renamesLabel('Projects/Lisbon', 'Projects/Lisbon/Lease') },
  5: { 2: goesAway },
  6: { 10: (world) => world.send('setting/chosen', { name: 'offset', value: 0 }) },
  7: {
    5: endsDiscussion(TERRACE), 12: (world) => world.send('vacation/ended', {}),
    16: (world) => world.send('setting/chosen', { name: 'pageSize', value: 7 }),
  },
  8: { 14: renamesLabel('Projects/Lisbon/Lease', 'Projects/Lisbon') },
  9: { 7: endsDiscussion(SIGNS), 11: clearsUp },
  10: { 4: (world) => world.send('setting/chosen', { name: 'afterArchive', value: 'list' }) },
};

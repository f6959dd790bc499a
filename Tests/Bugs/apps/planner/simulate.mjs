// Ten weeks of Ines, who leads a small studio: she plans, moves and looks things up, while her
// colleagues and the network do their part.
import { carries, keepsPattern, mergesDoubles, opensHours } from './simulate/days.mjs';
import { calendarsAsked, elsewhere, exchanged, hoursLearned } from './simulate/network.mjs';
import { OWN, PEOPLE, votes } from './simulate/people.mjs';
import { newServer } from './simulate/server.mjs';
import { agendaText, morningText } from './src/agenda.mjs';
import { slotsFrom } from './src/booking.mjs';
import { addDays, addMinutes, DAY, HOUR, startOfWeek, wallAt, weekdayOf } from './src/civil.mjs';
import { completed } from './src/contacts.mjs';
import { entriesBetween } from './src/dayIndex.mjs';
import { dragged } from './src/drag.mjs';
import { suggestedTimes } from './src/findTime.mjs';
import { nextWorkday } from './src/holidays.mjs';
import { endOf } from './src/occurrences.mjs';
import { dayColumns, details, monthGrid } from './src/pages.mjs';
import { ranked } from './src/polls.mjs';
import { monthText } from './src/print.mjs';
import { parseLine, preview } from './src/quickAdd.mjs';
import { freeRooms } from './src/rooms.mjs';
import { found } from './src/search.mjs';
import { hoursOfWeek, meetingShare, peopleOfWeek, quietTimes } from './src/statistics.mjs';
import { dueLine, openTasks } from './src/tasks.mjs';
import { timesheet } from './src/timesheet.mjs';
import { tightWays } from './src/travel.mjs';
import { clockRows, sharedHours } from './src/worldClock.mjs';
import { findZone, startOfDate, toInstant, toWall } from './src/zones.mjs';

const ZONE = 'Europe/Berlin', FIRST = '2024-02-26', LAST = '2024-05-03';

export function simulate(store, random) {
  const world = worldOf(store, random);
  setUp(world);
  let index = 0;
  for (let date = FIRST; date <= LAST; date = nextWorkday(date, world.state.settings)) {
    if (date < '2024-04-22' || date > '2024-04-30') workDay(world, date, index);
    index += 1;
  }
}

function worldOf(store, random) {
  const world = {
    random, server: newServer(), now: toInstant(`${FIRST}T08:00`, ZONE), ids: 0, today: FIRST,
    get state() { return store.getState(); },
    chance: (share) => random() < share,
    pick: (items) => items[Math.floor(random() * items.length)],
    id: (kind) => `${kind}${world.ids += 1}`,
    send(type, payload, from = 'user') {
      store.dispatch({ type, payload, at: world.now, meta: { from } });
    },
    types(line) {
      const id = world.id('event'), { state } = world;
      const [today, time] = toWall(world.now, state.settings.zone).split('T');
      preview(parseLine(line,
        { today, time: Number(time.slice(0, 2)) * HOUR, calendars: state.calendars.byId }));
      world.send('line/typed', { id, line });
      return id;
    },
  };
  return world;
}

function setUp(world) {
  world.send('account/opened', OWN);
  for (const [name, value] of [
    ['zone', ZONE], ['workTo', '18:00'], ['workFrom', '19:00'], ['secondZone', 'America/New_York'],
    ['theme', 'dark'],
  ]) world.send('setting/chosen', { name, value });
  world.send('calendar/created', { id: 'work', name: 'Work', alarms: [10] });
  world.send('setting/chosen', { name: 'invitationCalendar', value: 'work' });
  world.send('clock/ticked', {}, 'clock');
  hoursLearned(world);
  const lines = [
    'Standup every workday 9:15 for 15min #work', 'Sport every thursday 18:30 to 20:00 #home',
    'Review every second wednesday 14:00 for 90min #work !1h', 'Rent monthly #home',
    'Choir weekly monday 19:00-21:00 @Town Hall #home until 2024-04-20',
  ];
  for (const line of lines) world.types(line);
  world.lesson = world.types('Spanish lesson every tuesday 17:30 for 45min 10 times #home');
  world.send('task/added', {
    id: 'report', title: 'Month-end report', due: '2024-01-31', priority: 'high',
    repeat: { unit: 'months', every: 1 },
  });
  world.send('task/added', {
    id: 'plants', title: 'Water the plants', due: FIRST, repeat: { unit: 'weeks', every: 1 },
  });
  world.send('task/added', { id: 'odd', title: 'No day', repeat: { unit: 'days', every: 2 } });
  world.send('goal/added',
    { id: 'run', title: 'Run', minutes: 45, times: 2, from: '07:00', to: '21:00' });
  world.send('way/measured', { from: 'Town Hall', to: 'Bridge house', minutes: 40 });
}

function workDay(world, date, index) {
  Object.assign(world, { today: date, now: toInstant(`${date}T08:00`, ZONE) });
  world.send('clock/ticked', {}, 'clock');
  morningText(world.state);
  exchanged(world);
  elsewhere(world);
  for (let turn = 0; turn < 10; turn += 1) {
    world.now += Math.round((20 + world.random() * 80) / 5) * 5;
    world.send('clock/ticked', {}, 'clock');
    reminded(world);
    (PLANS[index]?.[turn] ?? world.pick(HABITS))(world);
    look(world);
    if (world.chance(0.3)) exchanged(world);
  }
}

function look(world) {
  const { state } = world;
  if (state.view.kind === 'month') monthGrid(state);
  else if (state.view.kind === 'agenda') agendaText(state, state.view.date, 7);
  else dayColumns(state);
  details(state);
  openTasks(state).map((task) => dueLine(state, task));
}

function reminded(world) {
  for (const { key } of world.state.reminders.shown.slice(0, 2)) {
    if (world.chance(0.4)) {
      world.send('reminder/snoozed', { key, minutes: 5, isBeforeStart: world.chance(0.5) });
    } else world.send('reminder/dismissed', { key });
  }
  if (world.state.reminders.shown.length > 3) world.send('reminder/allDismissed', {});
}

// --- What Ines does

/** An event of the next days that fits, with the day on which it is. */
function someDay(world, fits = () => true) {
  const entries = entriesBetween(world.state.index, world.today, addDays(world.today, 8))
    .filter(({ eventId }) => fits(world.state.events[eventId]));
  return entries.length ? world.pick(entries) : null;
}

/** Courses that others hold stay as they are. */
const isOwn = ({ organizer, isAllDay, rule }) =>
  organizer === OWN.address && !isAllDay && !rule?.count;
const isMeeting = (event) => event.category === 'meeting' && isOwn(event);
const isSeries = (event) => isOwn(event) && event.rule !== null;

function writesLine(world) {
  world.types(world.pick([
    'Lunch with Mats tomorrow 12:30-13:30 at Café Sol #home', 'Dentist friday 8:30 for 45min !1h',
    'Call the printer at 4pm', 'Dinner tonight @Bistro Rouge', 'Offsite next thursday',
    'Sketches every second tuesday 10:00 4 times #work', 'Ship it #nowhere',
    'Night train fri 22:00 to 6:00', 'Paint the wall sat 2 days', 'Deadline wed at 17:00',
  ]));
}

function meets(world) {
  const people = PEOPLE.filter(() => world.chance(0.4)).slice(0, 3);
  calendarsAsked(world, people);
  const { state } = world, minutes = world.pick([30, 60, 90]);
  const [start] = suggestedTimes(state, {
    addresses: people.map(({ address }) => address), minutes, from: world.now,
    to: startOfDate(addDays(world.today, 5), ZONE),
  });
  if (start === undefined) return;
  const id = world.id('event');
  world.send('event/created', {
    id, title: world.pick(['Kick-off', 'Interview', 'Plan the fair', 'Feedback']), minutes,
    start: toWall(start, ZONE), category: 'meeting', calendarId: 'work',
  });
  for (const { name, address } of people) {
    const [known] = completed(state.contacts, name.slice(0, 2), [], world.now);
    world.send('invitation/sent', { id, text: known ?? `${name} <${address}>` });
  }
  const [room] = freeRooms(world.state, {
    from: start, to: start + minutes, people: people.length + 1, needsScreen: world.chance(0.5),
  });
  if (room) world.send('room/booked', { id, roomId: room.id });
}

function drags(world) {
  const day = someDay(world, isOwn);
  if (!day) return;
  const part = world.pick(['all', 'all', 'end']);
  world.send('drag/begun', { id: day.eventId, original: day.original, part });
  for (const minutes of [20, 52]) {
    world.send('drag/moved', { minutes, days: part === 'end' ? 0 : world.pick([0, 0, 1]) });
    if (world.state.drag) dragged(world.state);
  }
  if (world.chance(0.15)) world.send('drag/cancelled', {});
  else world.send('drag/dropped', { scope: 'one' });
}

function edits(world) {
  const day = someDay(world, world.chance(0.6) ? isMeeting : isSeries);
  if (!day) return;
  const { eventId: id, original } = day, event = world.state.events[id];
  const scope = world.pick(['one', 'all', 'following']);
  const fields = world.pick([
    { title: event.title.replace(/( \(new\))?$/, ' (new)') }, { place: 'Delta' },
    { minutes: event.minutes + 15 }, { start: addMinutes(original, world.pick([30, -15])) },
  ]);
  world.send('event/edited', { id, original, scope, fields, newId: world.id('event') });
  if (world.chance(0.25)) world.send('key/pressed', { key: 'z' });
  if (world.chance(0.08)) world.send('key/pressed', { key: 'y' });
}

function skips(world) {
  const day = someDay(world, isSeries);
  if (!day) return;
  const at = { id: day.eventId, original: day.original };
  world.send('event/deleted', { ...at, scope: 'one' });
  if (world.chance(0.3)) world.send('event/dayRestored', at);
}

function deletes(world) {
  const day = someDay(world, (event) => isMeeting(event) || event.attendees.length > 1);
  if (day) world.send('event/deleted', { id: day.eventId, original: day.original, scope: 'all' });
  if (world.chance(0.4)) world.send('history/undone', {});
}

function copies(world) {
  const { eventId: id, original } = someDay(world, isMeeting) ?? {};
  if (!id) return;
  const start = addMinutes(original, 7 * DAY);
  world.send('event/duplicated', { id, original, newId: world.id('event'), start });
}

function answers(world) {
  const open = Object.values(world.state.events).find((event) => event.organizer !== OWN.address
    && event.attendees.some(({ address, answer }) => address === OWN.address
      && answer === 'needsAction'));
  const [proposal] = world.state.mail.inbox;
  if (proposal) {
    world.send('invitation/proposalJudged',
      { letterId: proposal.id, isAccepted: world.chance(0.5) });
  }
  if (!open) return;
  const answer = world.pick(['accepted', 'accepted', 'tentative', 'declined']);
  world.send('invitation/answered', { id: open.id, answer });
  if (open.rule) {
    world.send('invitation/answered', { id: open.id, original: open.start, answer: 'declined' });
  }
}

function uninvites(world) {
  const day = someDay(world, (event) => isMeeting(event) && event.attendees.length > 1);
  if (!day) return;
  const [{ address }] = world.state.events[day.eventId].attendees;
  world.send('invitation/withdrawn', { id: day.eventId, address });
}

function tasks(world) {
  const [task] = openTasks(world.state).filter(({ id }) => id !== 'report'), id = world.id('task');
  world.send('task/added', {
    id, title: world.pick(['Order paper', 'Call Dana', 'Write the offer', ' ']),
    due: world.chance(0.6) ? addDays(world.today, 3) : null,
    priority: world.pick(['low', 'normal', 'high', 'huge']),
  });
  world.send('task/partAdded', { id, title: 'Ask for prices' });
  if (world.chance(0.5)) world.send('task/partChecked', { id, index: 0 });
  if (!task) return;
  world.pick([
    () => world.send('task/checked', { id: task.id }),
    () => world.send('task/blocked',
      { id: task.id, eventId: world.id('event'), start: wallAt(addDays(world.today, 1), '15:00') }),
    () => world.send('task/edited', { id: task.id, fields: { due: addDays(world.today, 2) } }),
    () => world.send('task/deleted', { id: task.id === 'plants' ? 'none' : task.id }),
  ])();
}

function pages(world) {
  const isEarly = world.today < '2024-03-18';
  for (const key of world.pick(['d n p', 'w n j j', 'w n p k', 't a', 'w j x z', 'd j j', 't q'])
    .split(' ')) world.send('key/pressed', { key });
  if (!isEarly && world.chance(0.4)) {
    for (const key of ['m', 'n', 'p']) world.send('key/pressed', { key });
  }
  const day = someDay(world);
  if (day) world.send('view/chosen', { id: day.eventId, original: day.original });
}

function looksUp(world) {
  const { state, today } = world;
  const text = world.pick(['review -is:free', 'with:dana after:2024-03-01', 'is:series at:town',
    'in:meeting before:2024-04-01', 'is:early', 'lesson', '"client call"']);
  const [id] = found(state, text);
  world.send('view/filtered', { words: id ? text : '', category: null });
  if (id) endOf(state.events[id]);
  world.pick([
    () => [hoursOfWeek(state, today), peopleOfWeek(state, today), meetingShare(state)],
    () => [quietTimes(state, today), tightWays(state, today), monthText(state, today)],
    () => [clockRows(state, [findZone('new york', world.now), 'Asia/Kolkata'], today),
      sharedHours(state, [PEOPLE[1].address, PEOPLE[3].address], today)],
    () => timesheet(state, today),
  ])();
  world.send('view/filtered', {});
}

function polls(world) {
  const id = world.id('poll'), start = wallAt(addDays(world.today, 4), '11:00');
  const starts = [start, addMinutes(start, 2 * HOUR), addMinutes(start, DAY)];
  const addresses = PEOPLE.slice(0, 3).map(({ address }) => address);
  world.send('poll/opened', { id, title: 'Where to go', minutes: 60, starts, addresses });
  votes(world, world.state.polls[id]);
  ranked(world.state.polls[id]);
  world.send('poll/closed', { id, eventId: world.id('event') });
  world.send('poll/deleted', { id });
}

/** A stranger takes the first time that the page offers. */
function books(world, name, from, days) {
  const [day] = slotsFrom(world.state, world.state.pages.hours, from, days);
  if (!day) return;
  world.send('booking/taken', {
    pageId: 'hours', id: world.id('booking'), start: day.starts[0], name,
    address: `${name.toLowerCase()}@visitor.example`, zone: 'Asia/Tokyo',
  }, 'network');
}

function visitors(world) {
  const page = world.state.pages.hours;
  if (!page) return;
  const [taken] = Object.keys(page.bookings);
  books(world, 'Kim', addDays(world.today, 1), 6);
  if (!taken) return;
  if (world.chance(0.5)) world.send('booking/cancelled', { pageId: 'hours', id: taken }, 'network');
  else world.send('booking/moved', { pageId: 'hours', id: taken, start: `${world.today}T19:15` });
}

function runs(world) {
  const week = startOfWeek(world.today, 1);
  if (weekdayOf(world.today) < 3) {
    world.send('goal/planned', { id: 'run', newIds: [world.id('event'), world.id('event')] });
  } else {
    for (const day of [0, 2]) world.send('goal/reached', { id: 'run', date: addDays(week, day) });
  }
}

const HABITS = [
  writesLine, writesLine, meets, meets, meets, drags, drags, edits, edits, edits, skips, deletes,
  copies, answers, answers, uninvites, tasks, tasks, pages, pages, pages, looksUp, looksUp, polls,
  visitors, runs,
];

// --- What she does on certain days

const chooses = (name, value) => (world) => world.send('setting/chosen', { name, value });
const checksReport = (world) => world.send('task/checked', { id: 'report' });

const skipsLesson = (date) => (world) => world.send('event/deleted',
  { id: world.lesson, original: `${date}T17:30`, scope: 'one' });
const movesOneLesson = (world) => world.send('event/edited', {
  id: world.lesson, original: '2024-04-09T17:30', scope: 'one',
  fields: { start: '2024-04-10T17:00' },
});
const movesLessons = (world) => world.send('event/edited', {
  id: world.lesson, original: '2024-03-19T17:30', scope: 'following', newId: 'lesson2',
  fields: { start: '2024-03-19T18:00' },
});

/** By day of work and turn. */
const PLANS = {
  0: { 1: (world) => world.types('Holiday 22 april 9 days #home'), 3: checksReport },
  1: { 2: chooses('zone', 'America/New_York') },
  3: { 1: chooses('zone', ZONE), 4: checksReport },
  6: { 3: skipsLesson('2024-03-12') },
  7: { 6: skipsLesson('2024-04-02'), 7: movesOneLesson },
  8: { 2: opensHours },
  12: { 4: movesLessons },
  21: { 3: carries, 5: chooses('hidesDeclined', true) },
  23: { 2: checksReport },
  26: { 4: keepsPattern },
  29: { 6: mergesDoubles },
  30: { 1: (world) => world.send('calendar/deleted', { id: 'club' }) },
  36: { 3: (world) => books(world, 'Ravi', '2024-04-26', 12) },
  45: { 3: checksReport, 5: (world) => world.send('booking/pageClosed', { id: 'hours' }) },
};

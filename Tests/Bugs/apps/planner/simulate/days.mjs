// Ines's setup: files, patterns, her page for bookings.
import { addDays } from '../src/civil.mjs';
import { doubleLines } from '../src/doubles.mjs';
import { busyFile } from '../src/freeBusyFile.mjs';
import { exportedCalendar } from '../src/transfer.mjs';
import { OWN, PEOPLE } from './people.mjs';

export function opensHours(world) {
  const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: '16:00', to: '17:30' }));
  world.send('booking/pageWritten', { id: 'hours', title: 'Open hour', minutes: 30, hours });
  world.send('booking/pageWritten', { id: 'short', title: 'Too short', minutes: 120, hours });
}

export function carries(world) {
  world.send('calendar/created', { id: 'club', name: 'Choir club', alarms: [] });
  const text = exportedCalendar(world.state, 'work');
  world.send('calendar/imported', { id: world.id('file'), text, calendarId: 'club' });
  world.send('calendar/imported', {
    id: world.id('file'), calendarId: 'club', text: text.replaceAll('UID:', 'UID:copy-')
      .replace('FREQ=WEEKLY;INTERVAL=2', 'FREQ=HOURLY').replaceAll('SEQUENCE:0', 'SEQUENCE:3'),
  });
  const rows = 'date,from,to,title\n2024-04-09,9:00,10:30,"Fair, first day"\nsoon,,,X';
  world.send('table/imported', { id: world.id('table'), text: rows });
  world.send('calendar/edited', { id: 'club', fields: { isShown: false } });
  const file = busyFile(world.state, world.now, 14).replaceAll(OWN.address, PEOPLE[3].address);
  for (const sent of [file, 'BEGIN:VCALENDAR']) world.send('busy/fileReceived', { text: sent });
}

export function keepsPattern(world) {
  const eventIds = Object.keys(world.state.events).slice(-3);
  world.send('pattern/kept', { id: 'fair', name: 'Fair', eventIds });
  const newIds = [world.id('event'), world.id('event'), world.id('event')];
  world.send('pattern/used', { id: 'fair', date: addDays(world.today, 4), newIds });
  world.send('pattern/deleted', { id: 'fair' });
}

export function mergesDoubles(world) {
  doubleLines(world.state);
  world.send('doubles/merged', {});
  world.send('doubles/merged', {});
}

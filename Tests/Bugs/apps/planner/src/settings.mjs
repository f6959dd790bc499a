// The user's settings.
import { minutesOfTime } from './civil.mjs';
import { inZone } from './dayIndex.mjs';
import { hasCountry } from './holidays.mjs';
import { withFault } from './notices.mjs';
import { planned } from './reminders.mjs';
import { isZone } from './zones.mjs';

export const startSettings = {
  zone: 'UTC', secondZone: null, weekStart: 1, workdays: [1, 2, 3, 4, 5], workFrom: '09:00',
  workTo: '17:00', country: 'DE', invitationCalendar: 'home', hidesDeclined: false,
};

const isTime = (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const CHECKS = {
  zone: isZone,
  secondZone: (value) => value === null || isZone(value),
  weekStart: (value) => [0, 1, 6].includes(value),
  workdays: (value) => value.length > 0 && value.every((day) => day >= 0 && day <= 6),
  workFrom: (value, { workTo }) => isTime(value) && minutesOfTime(value) < minutesOfTime(workTo),
  workTo: (value, { workFrom }) => isTime(value) && minutesOfTime(value) > minutesOfTime(workFrom),
  country: hasCountry,
  invitationCalendar: (value, _, { byId }) => Object.hasOwn(byId, value),
  hidesDeclined: (value) => typeof value === 'boolean',
};

function chosen(state, { name, value }) {
  const { settings, calendars } = state;
  if (!Object.hasOwn(CHECKS, name)) return withFault(state, `There is no setting ${name}.`);
  if (!CHECKS[name](value, settings, calendars)) {
    return withFault(state, `${name} cannot be ${JSON.stringify(value)}.`);
  }
  const next = { ...state, settings: { ...settings, [name]: value } };
  if (name !== 'zone') return next;
  return planned({ ...next, index: inZone(next.index, next.events, value) });
}

/** Takes over the zone and working hours of another person. */
function hoursReceived(state, { address, zone, workFrom, workTo }) {
  if (!isZone(zone)) return state;
  return { ...state, hours: { ...state.hours, [address]: { zone, workFrom, workTo } } };
}

export const settingHandlers = {
  'setting/chosen': chosen,
  'hours/received': hoursReceived,
};

// Statistics: top writers, response times, messages per day, use of space.
import { domainOf, isSame, keyOf } from './addresses.mjs';
import { formatSize } from './attachments.mjs';
import { DAY, formatDay, formatDuration, partsOf, startOfDay } from './dates.mjs';
import { grouped, sum } from './lists.mjs';

const isOwn = (state) => ({ from }) => isSame(from, state.account);

export function writers(state, most = 5) {
  const others = Object.values(state.messages).filter((message) => !isOwn(state)(message));
  return [...grouped(others, ({ from }) => keyOf(from.address))]
    .map(([address, messages]) => ({
      address, count: messages.length,
      unread: messages.filter(({ labels }) => labels.includes('unread')).length,
    }))
    .sort((one, other) => other.count - one.count || (one.address < other.address ? -1 : 1))
    .slice(0, most);
}

/** The middle of the times between a message and the user's answer in the same thread. */
export function answerTime(state) {
  const times = Object.values(state.threads).flatMap(({ messageIds }) => {
    const messages = messageIds.map((id) => state.messages[id]);
    return messages.flatMap((message, index) => {
      const earlier = messages[index - 1];
      const isAnswer = earlier && isOwn(state)(message) && !isOwn(state)(earlier);
      return isAnswer ? [message.at - earlier.at] : [];
    });
  }).sort((one, other) => one - other);
  return times.length ? formatDuration(times[times.length >> 1]) : null;
}

export function byDay(state, days = 7) {
  const { offset } = state.settings, today = startOfDay(state.now, offset);
  return Array.from({ length: days }, (_, index) => {
    const start = startOfDay(today - (days - 1 - index) * DAY, offset);
    const messages = Object.values(state.messages)
      .filter(({ at }) => at >= start && at < start + DAY);
    const sent = messages.filter(isOwn(state)).length;
    return { day: formatDay(start, offset), received: messages.length - sent, sent };
  });
}

export function busiestHour(state) {
  const hours = grouped(Object.values(state.messages),
    ({ at }) => partsOf(at, state.settings.offset).hour);
  const [best] = [...hours].sort(([, one], [, other]) => other.length - one.length);
  return best ? best[0] : null;
}

export function usage(state, most = 3) {
  const messages = Object.values(state.messages);
  const domains = [...grouped(messages, ({ from }) => domainOf(from.address))]
    .map(([domain, own]) => ({ domain, size: sum(own, ({ size }) => size) }))
    .sort((one, other) => other.size - one.size).slice(0, most)
    .map(({ domain, size }) => `${domain}: ${formatSize(size)}`);
  return { total: formatSize(sum(messages, ({ size }) => size)), domains };
}

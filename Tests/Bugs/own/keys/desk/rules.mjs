export function rule({ lists, tickets }) {
  for (const [name, { ids, isStale, status }] of Object.entries(lists)) {
    const gone = ids.find((id) => tickets[id].status === 'merged');
    if (gone && !isStale && status === 'ready') return `${name} shows ${gone}, which was merged`;
  }
  return true;
}

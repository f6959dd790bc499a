export function rule(state, { action }) {
  const { results, query, books } = state;
  if (action?.type !== 'catalog/more/fulfilled' || results.status !== 'ready') return true;
  if (query.sort !== 'title') return true;
  const titles = results.ids.map((id) => books.byId[id].title);
  const at = titles.findIndex((title, index) => index && title < titles[index - 1]);
  return at < 0 || `"${titles[at]}" comes behind "${titles[at - 1]}"`;
}

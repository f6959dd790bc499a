export function rule({ groups }) {
  for (const { name, memberIds } of Object.values(groups)) {
    const twice = memberIds.find((id, at) => memberIds.indexOf(id) !== at);
    if (twice) return `${twice} is in ${name} twice`;
  }
  return true;
}

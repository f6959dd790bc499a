export function rule({ balances }) {
  const sum = Object.values(balances).reduce((total, each) => total + each, 0);
  return sum === 0 || `${sum} cents are left over`;
}

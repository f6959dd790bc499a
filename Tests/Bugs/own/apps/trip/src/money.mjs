// Amounts in cents: reading, changing money, dividing.

/** The cents of "12,50", "-3.4" or "7"; null for other texts. */
export function centsFrom(text) {
  const found = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!found) return null;
  const [, sign, whole, part = ''] = found;
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return sign ? -cents : cents;
}

export function inBase(amount, currency, rates) {
  return Math.round(amount / (rates[currency] ?? 1));
}

/** Divides an amount by weights. Each gets whole cents, and the sum is the amount. The cents that
    are left go to the first ones. A refund has a negative amount. */
export function divided(amount, weights) {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => Math.floor((amount * weight) / all));
  let left = amount - shares.reduce((sum, share) => sum + share, 0);
  for (let at = 0; left > 0; at += 1, left -= 1) shares[at] += 1;
  return shares;
}

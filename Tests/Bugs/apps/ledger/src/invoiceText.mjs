// An invoice and a reminder, as they go to the customer.
import { daysBetween } from './dates.mjs';
import { openOf, totalOf } from './invoices.mjs';
import { formatted } from './money.mjs';

const WIDTH = 64;

function row(left, right) {
  const space = Math.max(1, WIDTH - left.length - right.length);
  return `${left}${' '.repeat(space)}${right}`;
}

/** A text in lines that are not longer than an invoice is wide. */
function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

export function invoiceText(invoice) {
  const { net, taxes, gross } = totalOf(invoice);
  const lines = [`Invoice ${invoice.number ?? '(draft)'}`, invoice.customer, ''];
  for (const { text, count, price, net: amount } of invoice.items) {
    const [first, ...rest] = wrapped(`${count} × ${text} at ${formatted(price)}`, WIDTH - 14);
    lines.push(row(first, formatted(amount)), ...rest.map((line) => `  ${line}`));
  }
  lines.push('-'.repeat(WIDTH), row('Net', formatted(net)));
  for (const { rate, tax } of taxes) {
    if (rate) lines.push(row(`VAT ${rate} %`, formatted(tax)));
  }
  lines.push(row('Total', formatted(gross, 'EUR', { hasUnit: true })));
  if (invoice.dueOn) lines.push('', `Please pay until ${invoice.dueOn}.`);
  return lines.join('\n');
}

const TONES = ['Perhaps you have overlooked', 'We ask you once more to pay', 'For the last time:'];

export function reminderText(invoice, today) {
  const tone = TONES[Math.min(invoice.reminders.length, TONES.length - 1)];
  const late = daysBetween(invoice.dueOn, today);
  const open = formatted(openOf(invoice), 'EUR', { hasUnit: true });
  return `${tone} invoice ${invoice.number}: ${open} are ${late} days late.`;
}

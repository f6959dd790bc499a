// The services outside: cards, banks, carriers, mail.
import { DAY } from '../src/calendar.mjs';
import { textOfMail, waitingMails } from '../src/outbox.mjs';

/** The card service answers at once, the bank after some days. */
export function answerPayments(shop) {
  for (const payment of shop.all('payments').filter(({ status }) => status === 'pending')) {
    const isBank = payment.kind === 'invoice';
    const order = shop.state.orders[payment.order];
    if (order.status !== 'placed') continue;
    if (isBank && shop.state.now - payment.at < 2 * DAY) continue;
    if (isBank && shop.chance(0.6)) continue;
    const isPaid = shop.chance(0.93);
    shop.do('payment/answered', {
      id: payment.id, isPaid, reference: `t${shop.number(1000, 9999)}`,
    }, isBank ? 'bank' : 'cards');
    if (!isPaid && shop.chance(0.7)) shop.do('payment/retried', { id: payment.id }, 'visitor');
  }
}

export function answerMails(shop) {
  const ids = waitingMails(shop.state).slice(0, 8);
  if (ids.length === 0) return;
  for (const id of ids) textOfMail(shop.state.mails[id]);
  shop.do('mails/handed', { ids });
  shop.do('mails/answered', { ids, isSent: shop.chance(0.85) }, 'mail service');
}

export function deliver(shop) {
  for (const shipment of shop.all('shipments').filter(({ status }) => status === 'sent')) {
    if (shipment.arrives > shop.state.now) continue;
    const type = shop.chance(0.04) ? 'shipment/lost' : 'shipment/delivered';
    shop.do(type, { id: shipment.id }, 'carrier');
  }
}

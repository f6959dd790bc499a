// The reducer of the shop.
import { cartActions, withoutOldCarts, withoutOldHolds } from './carts.mjs';
import { catalogueActions } from './catalogue.mjs';
import { categoryActions } from './categories.mjs';
import { checkoutActions } from './checkout.mjs';
import { customerActions } from './customers.mjs';
import { exchangeActions } from './exchanges.mjs';
import { fulfilmentActions } from './fulfilment.mjs';
import { giftCardActions } from './giftCards.mjs';
import { invoiceActions, withDueInvoices } from './invoices.mjs';
import { emptyBooks } from './ledger.mjs';
import { loyaltyActions, withDuePoints } from './loyalty.mjs';
import { orderActions, withoutUnpaid } from './orders.mjs';
import { outboxActions } from './outbox.mjs';
import { paymentActions } from './payments.mjs';
import { priceActions, withDuePrices } from './prices.mjs';
import { promotionActions } from './promotions.mjs';
import { purchasingActions } from './purchasing.mjs';
import { nothingTogether } from './recommendations.mjs';
import { rentalActions } from './rentals.mjs';
import { returnActions } from './returns.mjs';
import { reviewActions } from './reviews.mjs';
import { searchActions, startBrowsing } from './search.mjs';
import { emptyIndex } from './searchIndex.mjs';
import { shippingActions } from './shipping.mjs';
import { audited, mayDo, staffActions } from './staff.mjs';
import { stockActions } from './stock.mjs';
import { stocktakeActions } from './stocktake.mjs';
import { subscriptionActions, withDueSubscriptions } from './subscriptions.mjs';
import { refused } from './tables.mjs';
import { taxActions } from './tax.mjs';
import { ticketActions, withLateTickets } from './tickets.mjs';
import { closedTill, tillActions } from './till.mjs';
import { fileActions } from './tradeFiles.mjs';
import { transferActions } from './transfers.mjs';
import { wishActions } from './wishes.mjs';

const tables = [
  'categories', 'products', 'variants', 'sales', 'priceLists', 'priceChanges', 'plannedPrices',
  'warehouses', 'levels', 'reservations', 'customers', 'carts', 'promotions', 'taxRegions',
  'shippingMethods', 'giftCards', 'pointLots', 'spendings', 'lostPoints', 'orders', 'payments',
  'shipments', 'returns', 'invoices', 'suppliers', 'purchases', 'transfers', 'stocktakes',
  'reviews', 'wishes',
  'subscriptions', 'rentalItems', 'bookings', 'tickets', 'receipts', 'mails', 'months', 'counters',
];

export const initialState = {
  ...Object.fromEntries(tables.map((name) => [name, {}])),
  now: 0,
  staff: { name: 'nobody', role: 'none' },
  searchIndex: emptyIndex,
  browsing: startBrowsing,
  books: emptyBooks,
  together: nothingTogether,
  till: closedTill,
  movements: [],
  audit: [],
  files: [],
  notice: null,
};

/** Events that happen by themselves as time goes on, in this order. */
const dues = [
  withDuePrices, withoutOldHolds, withDueSubscriptions, withDueInvoices, withoutUnpaid,
  withoutOldCarts, withDuePoints, withLateTickets,
];

const advanced = (state, { minutes }) => dues.reduce(
  (next, due) => due(next), { ...state, now: state.now + minutes });

const actions = {
  'clock/advanced': advanced,
  ...staffActions,
  ...categoryActions,
  ...catalogueActions,
  ...priceActions,
  ...stockActions,
  ...stocktakeActions,
  ...customerActions,
  ...cartActions,
  ...checkoutActions,
  ...orderActions,
  ...paymentActions,
  ...fulfilmentActions,
  ...returnActions,
  ...exchangeActions,
  ...invoiceActions,
  ...subscriptionActions,
  ...rentalActions,
  ...ticketActions,
  ...transferActions,
  ...tillActions,
  ...promotionActions,
  ...taxActions,
  ...shippingActions,
  ...giftCardActions,
  ...loyaltyActions,
  ...purchasingActions,
  ...reviewActions,
  ...wishActions,
  ...searchActions,
  ...outboxActions,
  ...fileActions,
};

export function reducer(state = initialState, action = {}) {
  const handle = actions[action.type];
  if (!handle) return state;
  const calm = state.notice ? { ...state, notice: null } : state;
  if (!mayDo(calm, action)) return refused(calm, 'Only a manager may do this.');
  const next = handle(calm, action.payload ?? {});
  return next === calm ? calm : audited(next, action);
}

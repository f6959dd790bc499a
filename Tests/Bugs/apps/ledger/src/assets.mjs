// Things that last for years: their price becomes a cost bit by bit.
import { addMonths, firstDay, lastDay, monthOf, monthsBetween } from './dates.mjs';
import { sum } from './money.mjs';

export const initialAssets = { byId: {} };

export function assetsReducer(assets, action) {
  const asset = assets.byId[action.id];
  switch (action.type) {
    case 'assets/added': {
      const { id, name, price, boughtOn, years } = action;
      if (asset || price <= 0 || years < 1) return assets;
      const entry = { id, name, price, boughtOn, years, writtenTo: null, written: 0, goneOn: null };
      return { byId: { ...assets.byId, [id]: entry } };
    }
    case 'assets/written':
      return asset ? put(assets, writtenUpTo(asset, action.month)) : assets;
    case 'assets/gone':
      return asset && !asset.goneOn ? put(assets, { ...asset, goneOn: action.date }) : assets;
    default:
      return assets;
  }
}

function put(assets, asset) {
  return { byId: { ...assets.byId, [asset.id]: asset } };
}

/** The part of the price for one of its months: equal parts, of which the last takes the rest. */
function partFor({ price, years }, index) {
  const months = years * 12;
  if (index >= months) return 0;
  const part = Math.floor(price / months);
  return index === months - 1 ? price - part * (months - 1) : part;
}

/** The months of an asset that are not written off yet, up to a month. */
function openMonths(asset, month) {
  const first = asset.writtenTo === null ? monthOf(asset.boughtOn) : addMonths(asset.writtenTo, 1);
  const end = asset.goneOn && monthOf(asset.goneOn) < month ? monthOf(asset.goneOn) : month;
  return monthsBetween(first, end);
}

function costOf(asset, months) {
  const first = monthOf(asset.boughtOn);
  return sum(months.map((month) => partFor(asset, monthsBetween(first, month).length - 1)));
}

function writtenUpTo(asset, month) {
  const months = openMonths(asset, month);
  if (months.length === 0) return asset;
  return {
    ...asset, written: asset.written + costOf(asset, months), writtenTo: months[months.length - 1],
  };
}

/** The transaction for what assets lost up to a month. */
export function writeOffBooking(asset, month) {
  const months = openMonths(asset, month);
  const cost = costOf(asset, months);
  if (cost === 0) return undefined;
  return {
    type: 'transactions/entered',
    id: `${asset.id}-${month}`,
    date: lastDay(month),
    payee: asset.name,
    note: `From ${firstDay(months[0])}`,
    source: { kind: 'asset', id: asset.id },
    lines: [{ account: 'wear', amount: cost }, { account: 'equipment' }],
  };
}

export function register(assets) {
  return Object.values(assets.byId).filter(({ goneOn }) => goneOn === null)
    .map(({ name, price, written }) => ({ name, price, worth: price - written }));
}

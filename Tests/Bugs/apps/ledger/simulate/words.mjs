// Shops, customers and texts of statements.
export const SHOPS = [
  ['REWE SAGT DANKE 4711//BERLIN', 'food', 1200, 9000],
  ['Bakery Nord', 'food', 200, 1400],
  ['CITY TRANSPORT', 'travel', 290, 290],
  ['Cafe Lumen', 'restaurants', 380, 2900],
  ['BOOKS & MORE 2231', 'leisure', 900, 4200],
  ['PHARMACY AM PLATZ', 'health', 400, 5200],
  ['Cinema Arsenal', 'leisure', 1100, 2600],
  ['Paper and Pens', 'office', 300, 6800],
  ['TELECOM 8830021', 'phone', 2995, 2995],
  ['Garden Market', 'home', 800, 15000],
];

export const ABROAD = [
  ['Blue Bottle', 'restaurants', 450, 3800], ['Hosting Inc', 'office', 1200, 4900],
  ['Metro Card', 'travel', 275, 3300], ['Museum Shop', 'leisure', 800, 6100],
];

export const CUSTOMERS = ['Halden & Sons', 'Studio Quint', 'Verein Nordlicht', 'Tamura KK'];

export const WORK = ['Design of a poster', 'Layout of the yearly report with all its tables',
  'Two days of drawing', 'A logo', 'Prints on heavy paper'];

export const RECEIPT = (name, day, total, tax) => `${name}
${day}
2 x something   ${total}
VAT 19 %  ${tax}
TOTAL EUR ${total}
`;

export const BOOK = `2026-01-02 Opening balances #start
  * Bank  5 200.00 EUR
  * Cash  120.00 EUR
  * Savings  8000.00 EUR
    Opening balances

2026-01-03 Halden | old debt
    Bank  300.00 EUR
    Opening balances

no line at all
2026-01-04 Lost line
    Nowhere  3.00
`.replace('5 200', '5200');

export const RATE_TABLE = `2026-01-01 USD 0.92
2026-01-01 CHF 1.04
2026-01-01;GBP;1,17
2026-01-15 USD 0.935
2026-01-31 USD 0.9175
not a rate
2026-02-14 CHF 1.06
`;

import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const begin = [
  { type: 'accounts/added', id: 'bank', name: 'Bank', kind: 'asset' },
  { type: 'day/begun', date: '2026-02-03' },
].reduce(reducer, initialState);
const row = (day, payee, amount) => `0${day}.02.2026;${payee};${amount}`;
const statement = (id, ...rows) => ({
  type: 'statement/imported', id, account: 'bank',
  text: ['Date;Name;Amount', ...rows, ''].join('\n'),
});
const balance = (...statements) =>
  statements.reduce(reducer, begin).book.balances.totals.bank?.amount ?? 0;
const tram = row(2, 'Tram', '-2,90');

test('two payments in one statement come twice', () => {
  assert.equal(balance(statement('a', tram, tram)), -580);
});

test('the second of two payments comes with a later statement', () => {
  assert.equal(balance(statement('a', row(1, 'Shop', '-5,00'), tram), statement('b', tram, tram)),
    -1080);
});

test('what was there already does not come again', () => {
  assert.equal(balance(statement('a', tram, tram), statement('b', tram, tram)), -580);
  assert.equal(balance(statement('a', tram, tram), statement('b', tram)), -580);
});

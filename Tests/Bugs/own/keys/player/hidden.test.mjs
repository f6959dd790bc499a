import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const entries = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key, track: `t-${key}` }));
const begin = [
  { type: 'queue/added', entries }, { type: 'player/chosen', key: 'c' },
].reduce(reducer, initialState);
const playing = ({ queue, position }) => queue[position].key;

for (const { key } of entries) {
  for (let to = 0; to < entries.length; to += 1) {
    test(`"c" plays on when ${key} goes to place ${to}`, () => {
      assert.equal(playing(reducer(begin, { type: 'queue/moved', key, to })), 'c');
    });
  }
}

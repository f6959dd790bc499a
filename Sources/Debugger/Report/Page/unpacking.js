'use strict';
// The scripts of this folder are joined into one page. It makes no request, and nothing of a
// session becomes markup. This one unpacks gzip: a browser can, too, but dragging cannot wait.

/** For each code of a length or a distance its first value, and how many bits follow (RFC 1951). */
const ladder = (count, shift, value) =>
  Array.from({ length: count }, (_, n) => {
    const bits = Math.max((n >> shift) - 1, 0), step = [value, bits];
    value += 1 << bits;
    return step;
  });
const lengths = ladder(28, 2, 3).concat([[258, 0]]), distances = ladder(30, 1, 1);
const sizeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** From the next bits to a symbol and the size of its code, for codes of these sizes. */
function codeTable(sizes) {
  const most = Math.max(...sizes), table = new Uint16Array(1 << most);
  for (let size = 1, code = 0; size <= most; size++, code <<= 1) {
    for (let symbol = 0; symbol < sizes.length; symbol++) {
      if (sizes[symbol] !== size) continue;
      let place = 0;
      for (let bit = 0; bit < size; bit++) place |= (code >> bit & 1) << size - 1 - bit;
      for (; place < table.length; place += 1 << size) table[place] = symbol << 4 | size;
      code++;
    }
  }
  return table;
}

const sizes = (...runs) => runs.flatMap(([count, size]) => new Array(count).fill(size));
const fixed = () =>
  [codeTable(sizes([144, 8], [112, 9], [24, 7], [8, 8])), codeTable(sizes([30, 5]))];

/** The bytes of a gzip member, which is what Retcon writes, or of plain data. */
function unpacked(base64) {
  const packed = Uint8Array.fromBase64?.(base64)
    ?? Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  if (packed[0] !== 0x1f) return packed;
  const damaged = () => { throw new RangeError('The data are damaged.'); };
  const size = new DataView(packed.buffer).getUint32(packed.length - 4, true);
  // No byte of gzip stands for more than 1032 others.
  if (size > packed.length * 1032) damaged();
  const all = new Uint8Array(size);
  let place = 0, at = 10, bits = 0, known = 0;
  const take = (count) => {
    for (; known < count; known += 8) bits |= packed[at++] << known;
    const value = bits & (1 << count) - 1;
    bits >>>= count;
    known -= count;
    return value;
  };
  const symbol = (table) => {
    for (; known < 15; known += 8) bits |= packed[at++] << known;
    const found = table[bits & table.length - 1];
    bits >>>= found & 15;
    known -= found & 15;
    return found >> 4;
  };
  function tables() {
    const counts = [take(5) + 257, take(5) + 1], order = sizes([19, 0]), found = [];
    for (let n = 0, count = take(4) + 4; n < count; n++) order[sizeOrder[n]] = take(3);
    const table = codeTable(order);
    while (found.length < counts[0] + counts[1]) {
      const next = symbol(table);
      if (next < 16) found.push(next);
      else if (next === 16) found.push(...sizes([take(2) + 3, found.at(-1)]));
      else found.push(...sizes([next === 17 ? take(3) + 3 : take(7) + 11, 0]));
    }
    return [codeTable(found.slice(0, counts[0])), codeTable(found.slice(counts[0]))];
  }
  function run([literals, far]) {
    for (let next; (next = symbol(literals)) !== 256;) {
      if (place >= all.length || next > 285) damaged();
      if (next < 256) { all[place++] = next; continue; }
      const length = lengths[next - 257][0] + take(lengths[next - 257][1]);
      next = symbol(far);
      if (next > 29) damaged();
      const from = place - distances[next][0] - take(distances[next][1]);
      if (from < 0) damaged();
      if (length > 24 && place - from >= length) {
        all.copyWithin(place, from, from + length);
        place += length;
      } else {
        for (let n = 0; n < length; n++) all[place++] = all[from + n];
      }
    }
  }
  for (let isLast = 0; !isLast;) {
    isLast = take(1);
    const kind = take(2);
    if (at > packed.length) damaged();
    if (kind > 0) { run(kind === 1 ? fixed() : tables()); continue; }
    take(known & 7);
    const count = take(16);
    take(16);
    for (let n = 0; n < count; n++) all[place++] = take(8);
  }
  return all;
}

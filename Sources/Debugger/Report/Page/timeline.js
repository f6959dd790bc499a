// The timeline: steps, effects in lanes, forks, failures and marks.

const ink = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const isDark = matchMedia('(prefers-color-scheme: dark)');
const laneCount = 4;

const failures = () =>
  facts.failures
    .filter(([branch]) => branch === here.branch || branch === owner(here.branch, here.step))
    .map(([, step]) => step).filter((step) => step <= lastOf(here.branch)).sort((a, b) => a - b);

/** The effects of a branch, each in the first lane that is free. */
function lanes(branch) {
  const known = branches[branch];
  if (known.lanes) return known.lanes;
  const ends = [], bars = [];
  for (let next = branch, last = lastOf(branch); next !== undefined; next = branches[next].parent) {
    bars.push(...branches[next].session.effects.filter((effect) => effect.step <= last));
    last = branches[next].leavesAt;
  }
  bars.sort((a, b) => a.step - b.step);
  for (const effect of bars) {
    let lane = ends.findIndex((end) => end <= effect.step);
    if (lane < 0) lane = ends.length;
    if (lane < laneCount) ends[lane] = effect.end ?? Infinity;
    effect.lane = lane;
  }
  return known.lanes = { bars, count: Math.max(ends.length, 1) };
}

/** Draws the lanes, if they changed, and moves the cursor. */
function drawTimeline(width = $('lanes').clientWidth) {
  const first = firstOf(), end = lastOfAll(), scale = window.devicePixelRatio || 1;
  const x = (step) => 8 + (step - first) / Math.max(end - first, 1) * (width - 16);
  $('cursor').style.transform = `translateX(${x(here.step)}px)`;
  drawTimeline.step = (place) =>
    Math.round(first + (place - 8) / Math.max(width - 16, 1) * (end - first));
  const drawn = [width, scale, here.branch, filtered, isDark.matches];
  if (drawn.every((one, n) => one === drawTimeline.drawn?.[n])) return;
  drawTimeline.drawn = drawn;
  const canvas = $('lanes');
  const forks = branches.filter((branch) => branch.parent !== undefined && branch.session);
  const { bars, count: rows } = lanes(here.branch);
  const forkTop = 16 + (bars.length ? rows * 9 + 4 : 0), height = forkTop + forks.length * 8 + 4;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + 'px';
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = ink('line');
  pen.fillRect(x(first), 8, x(lastOf(here.branch)) - x(first), 3);
  if (end - first < width / 4) {
    for (let n = first; n <= lastOf(here.branch); n++) pen.fillRect(x(n) - .5, 5, 1, 9);
  }
  pen.fillStyle = ink('accent');
  let last = -9;
  for (const step of filtered ?? []) {
    if (x(step) - last < 1) continue;
    last = x(step);
    pen.fillRect(last - 1, 4, 2, 11);
  }
  for (const effect of bars) {
    if (effect.lane >= laneCount) continue;
    pen.fillStyle = ink(effect.isBad ? 'effect-bad' : 'effect');
    pen.globalAlpha = effect.end === null ? .45 : 1;
    const length = x(effect.end ?? lastOf(here.branch)) - x(effect.step);
    pen.fillRect(x(effect.step), 18 + effect.lane * 9, Math.max(length, 2), 6);
  }
  pen.globalAlpha = 1;
  forks.forEach((fork, row) => {
    const isHere = branches[here.branch] === fork, start = x(fork.leavesAt);
    const y = forkTop + row * 8 + 3;
    pen.fillStyle = ink(isHere ? 'accent' : 'quiet');
    pen.fillRect(start, y, Math.max(x(fork.session.last) - start, 3), isHere ? 4 : 2);
    pen.beginPath();
    pen.arc(start, y + 1, 3, 0, 7);
    pen.fill();
  });
  pen.fillStyle = ink('red');
  for (const step of failures()) pen.fillRect(x(step) - 2, 2, 4, 13);
  pen.fillStyle = ink('amber');
  for (const { branch, step } of facts.marks) {
    if (branch !== branches[here.branch].name && branch !== 'main') continue;
    pen.beginPath();
    pen.moveTo(x(step) - 4, 0);
    pen.lineTo(x(step) + 4, 0);
    pen.lineTo(x(step), 6);
    pen.fill();
  }
}

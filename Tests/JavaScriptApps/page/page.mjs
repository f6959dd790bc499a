// Records a page in headless Chromium, and checks who sent each action.
//   node page.mjs --libs DIR --react DIR --recorder FILE [--answers 1000]
// DIR of libs holds node_modules with Redux Toolkit, DIR of React its builds for pages, FILE is the
// recorder for users. Ends with 1 if a cause is wrong, or more than 10 % are unknown.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const options = { libs: '', react: '', recorder: '', chromium: 'chromium', answers: '1000' };
for (let at = 2; at < process.argv.length; at += 2) {
  options[process.argv[at].replace(/^--/, '')] = process.argv[at + 1];
}
const packages = ['@reduxjs/toolkit', 'redux', 'redux-thunk', 'reselect', 'immer'];
const modules = path.resolve(options.libs, 'node_modules');

/** The file of a package that a page imports. */
function entryOf(name) {
  const { exports: all, module } = JSON.parse(
    fs.readFileSync(`${modules}/${name}/package.json`, 'utf8'));
  const found = (value) => (typeof value === 'string' ? value
    : found(value.import ?? value.browser ?? value.default));
  return `/modules/${name}/${found(all?.['.'] ?? module).replace(/^\.\//, '')}`;
}

const imports = Object.fromEntries(packages.map((name) => [name, entryOf(name)]));
const react = (name) => fs.readdirSync(options.react)
  .filter((file) => new RegExp(`^${name}@18.*\\.js$`).test(file) && !/\.min\./.test(file)).at(-1);
const page = `<!doctype html><meta charset="utf-8"><div id="root"></div>
<script>globalThis.process = { env: { NODE_ENV: 'development' } };</script>
<script src="/react/${react('react')}"></script><script src="/react/${react('react-dom')}"></script>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/app.mjs"></script>`;

let take;
const files = [
  [/^\/app\.mjs$/, () => `${here}/app.mjs`], [/^\/retcon-recorder\.mjs$/, () => options.recorder],
  [/^\/react\/(.*)$/, (name) => path.join(options.react, name)],
  [/^\/modules\/(.*)$/, (name) => path.join(modules, name)],
];
const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/') {
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  }
  if (pathname === '/answer') {
    const id = searchParams.get('id'), text = 'x'.repeat(1 + Math.random() * 300);
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id, text }));
    // Some at once, so that many come in the same moment.
    return setTimeout(answer, Math.random() < 0.3 ? 0 : 10 * Math.floor(Math.random() * 6));
  }
  if (pathname === '/result') {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => { body += part; });
    request.on('end', () => { response.end(); take(JSON.parse(body)); });
    return undefined;
  }
  for (const [pattern, place] of files) {
    const found = pattern.exec(decodeURIComponent(pathname));
    if (!found || !fs.existsSync(place(found[1]))) continue;
    response.writeHead(200, { 'content-type': 'text/javascript' });
    return response.end(fs.readFileSync(place(found[1])));
  }
  return response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await new Promise((done) => { server.on('listening', done); });

/** Opens the page, and gives what it tells at its end. */
async function opened(words) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-page-'));
  const address = `http://127.0.0.1:${server.address().port}/?answers=${options.answers}${words}`;
  const browser = spawn(options.chromium, [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run',
    '--disable-component-update', `--user-data-dir=${folder}`, address,
  ], { stdio: 'ignore', detached: true });
  try {
    return await new Promise((done, fail) => {
      take = done;
      browser.on('error', fail);
      browser.on('exit', () => fail(new Error('Chromium ended')));
      setTimeout(() => fail(new Error('the page tells nothing in 120 s')), 120_000).unref();
    });
  } finally {
    browser.removeAllListeners('exit');
    process.kill(-browser.pid, 'SIGKILL'); // all of its processes
    await new Promise((done) => { browser.once('close', done); });
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The request behind an action, as the app itself tells it. */
const requestOf = ({ type, payload, meta }) => (type === 'rows/got' ? payload.id
  : type === 'rows/load/fulfilled' ? meta.arg : undefined);

/** The first dispatch of a call, by which its effect is known. */
const firstOf = ({ type, payload, meta }) => (type === 'rows/asked' ? payload
  : type === 'rows/load/pending' ? meta.arg : undefined);

/** Counts the causes of actions that an answer brought: right ones, unknown ones and others. */
function causes(text) {
  const steps = new Map(), calls = new Map(), tally = { right: 0, unknown: 0, wrong: [] };
  for (const line of text.split('\n').filter(Boolean).map((each) => JSON.parse(each))) {
    const { step, label, action, cause } = line;
    if (step === undefined) continue;
    steps.set(step, line);
    if (cause.effect && firstOf(action) !== undefined) calls.set(cause.effect, firstOf(action));
    const id = requestOf(action);
    if (id === undefined) continue;
    const sender = steps.get(cause.output)?.action;
    const isRight = sender ? sender.retcon?.asks?.[1].endsWith(`/answer?id=${id}`)
      : calls.get(cause.effect) === Number.parseInt(id, 10);
    if (cause === 'unknown') tally.unknown++;
    else if (isRight) tally.right++;
    else tally.wrong.push(`step ${step}, ${label} ${id}: ${JSON.stringify(cause)}`);
  }
  return tally;
}

let isFaulty = false;
for (const [name, words] of [['with `world`', '&world=yes&cost=yes'], ['without', '&cost=yes']]) {
  const { text, error, bytes, plain, recorded, lost } = await opened(words);
  if (error) throw new Error(error);
  const { right, unknown, wrong } = causes(text), all = right + unknown + wrong.length;
  console.log(`${name}: ${all} answers, ${right} right, ${unknown} unknown, ${wrong.length} wrong`);
  for (const each of wrong.slice(0, 10)) console.log(`  ${each}`);
  console.log(`  an action with ${Math.round(bytes / 1000)} KB of state: ${plain.toFixed(2)} µs, `
    + `recorded ${recorded.toFixed(2)} µs; of 20,000 actions ${lost} are lost`);
  isFaulty ||= wrong.length > 0 || unknown > all / 10 || all < 0.9 * options.answers || lost > 0
    || recorded - plain > 20; // microseconds
}
server.close();
process.exit(isFaulty ? 1 : 0);

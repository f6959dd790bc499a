// Drives headless Chromium, which has no network, through its pipe:
// `node browser.mjs CHROMIUM FOLDER`.
// Each line of standard input is one JSON object and gets one line back. Its members, in this
// order: size [width, height, scale], scheme "dark", open "file:///…", keys ["j"], run "an
// expression", work true, for the seconds that the page's thread has worked so far, picture
// "a.png". The answer has the value or the error of `run`, and in `notes` the words of the console
// and of the network.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [chromium, folder] = process.argv.slice(2);
const flags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-component-update',
  '--host-resolver-rules=MAP * ~NOTFOUND', `--user-data-dir=${folder}`, '--remote-debugging-pipe',
  'about:blank',
];
const browser = spawn(chromium, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const end = (code) => { browser.kill('SIGKILL'); process.exit(code); };
browser.on('error', () => end(1));
browser.on('exit', () => process.exit(1));

let text = '', number = 0, session;
const waiting = new Map(), notes = [];
const words = ({ exception, text }) => exception?.description ?? text;
const heard = {
  'Runtime.consoleAPICalled': ({ args }) =>
    args.map((value) => value.value ?? value.description).join(' '),
  'Runtime.exceptionThrown': (event) => words(event.exceptionDetails),
  'Log.entryAdded': (event) => event.entry.text,
  'Page.javascriptDialogOpening': (event) => 'dialog ' + event.message,
  'Network.requestWillBeSent': ({ request: { url } }) =>
    /^(file|about):/.test(url) ? undefined : 'request ' + url,
};
browser.stdio[4].setEncoding('utf8').on('data', (data) => {
  const messages = (text + data).split('\0');
  text = messages.pop();
  for (const message of messages.map(JSON.parse)) {
    waiting.get(message.id)?.(message.result ?? {});
    waiting.delete(message.id);
    const note = heard[message.method]?.(message.params);
    if (note !== undefined) notes.push(note);
  }
});
const send = (method, params = {}) => new Promise((done) => {
  waiting.set(++number, done);
  browser.stdio[3].write(JSON.stringify({ id: number, method, params, sessionId: session }) + '\0');
});
async function run(expression) {
  const question = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await send('Runtime.evaluate', question);
  return exceptionDetails ? { error: words(exceptionDetails) } : { value: result?.value };
}
const drawn = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))
).then(() => typeof drawing === 'undefined' ? 0 : drawing)`;
const opened = (url) => `new Promise((done) => {
  const look = () => {
    const why = document.querySelector('#why')?.textContent;
    if (location.href !== ${JSON.stringify(url)}) setTimeout(look, 5);
    else if (document.body?.dataset.ready) ${drawn}.then(() => done('ready'));
    else if (/^This report cannot/.test(why)) done(why);
    else setTimeout(look, 5);
  };
  look();
})`;

const { targetInfos } = await send('Target.getTargets');
const page = targetInfos.find((target) => target.type === 'page');
const target = { targetId: page.targetId, flatten: true };
session = (await send('Target.attachToTarget', target)).sessionId;
for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(domain + '.enable');
await send('Performance.enable', { timeDomain: 'threadTicks' });
await send('Network.emulateNetworkConditions', {
  offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1,
});

for await (const line of createInterface({ input: process.stdin })) {
  const wish = JSON.parse(line);
  let answer = {};
  if (wish.size) {
    const [width, height, deviceScaleFactor = 1] = wish.size;
    await send('Emulation.setDeviceMetricsOverride', {
      width, height, deviceScaleFactor, mobile: width < 600,
    });
  }
  if (wish.scheme) {
    const features = [{ name: 'prefers-color-scheme', value: wish.scheme }];
    await send('Emulation.setEmulatedMedia', { media: wish.media ?? '', features });
  }
  if (wish.open) {
    await send('Page.navigate', { url: 'about:blank' });
    await send('Page.navigate', { url: wish.open });
    answer = await run(opened(wish.open));
  }
  for (const key of wish.keys ?? []) {
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    await send('Input.dispatchKeyEvent', { type: 'keyDown', key, text });
    await send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }
  if (wish.keys) await run(drawn);
  if (wish.run) answer = await run(wish.run);
  if (wish.work) {
    const { metrics } = await send('Performance.getMetrics');
    answer = { value: metrics.find((one) => one.name === 'TaskDuration').value };
  }
  if (wish.picture) {
    const { data } = await send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(wish.picture, Buffer.from(data, 'base64'));
  }
  process.stdout.write(JSON.stringify({ ...answer, notes: notes.splice(0) }) + '\n');
}
end(0);

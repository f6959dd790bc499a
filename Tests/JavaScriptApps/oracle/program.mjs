// Retcon as a program, in a folder of its own with an app, its recorder and its libraries.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PROJECTS, laidDown } from './projects.mjs';
import { parsed } from './session.mjs';

const RECORDED = 'recorded.retcon', SCRIPT = 'script.json', FORK = 'fork.retcon';
const RECORDER = 'retcon-recorder.mjs';

/** `program` is the path of retcon, `libraries` a folder with node_modules. */
export class Program {
  constructor(program, libraries, recorder) {
    this.program = path.resolve(program);
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-oracle-'));
    process.on('exit', () => fs.rmSync(this.folder, { recursive: true, force: true }));
    const modules = path.resolve(libraries, 'node_modules');
    fs.symlinkSync(modules, this.at('node_modules'));
    fs.mkdirSync(this.at('live'));
    const { problem } = this.run('recorder', '--write');
    if (recorder) fs.copyFileSync(recorder, this.at(RECORDER));
    if (!fs.existsSync(this.at(RECORDER))) throw new Error(`no recorder: ${problem}`);
    fs.copyFileSync(this.at(RECORDER), this.at(`live/${RECORDER}`));
  }

  at(name) { return `${this.folder}/${name}`; }

  /** Lays an app down, and a second time for live runs: what keeps the world must not change it. */
  open(app, source) {
    this.app = app;
    this.reducer = `${app}.mjs#store`;
    fs.writeFileSync(this.at(`${app}.mjs`), source);
    fs.writeFileSync(this.at(`live/${app}.mjs`), source.replace('world: true', 'world: false'));
    return { recorded: this.at(`${app}.mjs`), live: this.at(`live/${app}.mjs`) };
  }

  /** The same for a public project in a folder. */
  openProject(app, project, source) {
    this.app = app;
    const { reducer, ...files } = laidDown(PROJECTS[app], project, this.folder, source);
    this.reducer = reducer;
    return files;
  }

  /** Runs the program: its output, and its exit status. */
  run(...words) {
    try {
      const env = { ...process.env, XDG_CONFIG_HOME: this.folder };
      const options = { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'], env };
      const out = execFileSync(this.program, words, options);
      return { status: 0, out: String(out) };
    } catch (error) {
      const problem = String(error.stderr ?? error.message);
      return { status: error.status, out: String(error.stdout), problem };
    }
  }

  record(text) { fs.writeFileSync(this.at(RECORDED), text); }

  verify() { return this.run('verify', RECORDED, '--reducer', this.reducer).status; }

  /** A fork of the recording: a session with a sign for each step. */
  fork(script) {
    fs.writeFileSync(this.at(SCRIPT), JSON.stringify(script));
    fs.rmSync(this.at(FORK), { force: true });
    const target = ['--reducer', this.reducer, '-o', FORK];
    const done = this.run('fork', RECORDED, '--script', SCRIPT, ...target);
    if (!fs.existsSync(this.at(FORK))) throw new Error(`no fork: ${done.problem || done.out}`);
    return parsed(fs.readFileSync(this.at(FORK), 'utf8'));
  }

  /** Keeps the last fork as a folder that shows it again. */
  keep(place, words, lives) {
    fs.mkdirSync(place, { recursive: true });
    for (const each of [`${this.app}.mjs`, RECORDER, RECORDED, SCRIPT, FORK]) {
      if (fs.existsSync(this.at(each))) fs.copyFileSync(this.at(each), `${place}/${each}`);
    }
    for (const [at, text] of lives.entries()) fs.writeFileSync(`${place}/live-${at}.retcon`, text);
    fs.writeFileSync(`${place}/README`, `${words}
ln -s DIR/node_modules . && retcon fork ${RECORDED} --script ${SCRIPT} \\
  --reducer ${this.reducer} -o ${FORK}
`);
  }
}

// In a page, nothing follows a task through `await`. So an input is over when another task begins,
// and the functions that begin tasks say so.

/** So many times the promises of each input of a task have their turn; then nothing is known. */
const ROUNDS = 100;

/**
 * The inputs of one task, in their order. Work that they leave for later in the task runs in turns.
 * Each turn takes one piece of work from each of them, in order. A mark behind each one's work says
 * whose turn it is.
 */
export class Task {
  constructor() { Object.assign(this, { inputs: [], isSync: false, turn: 0 }); }

  /** Returns the input before it, if both came before anything else could run. */
  add(input) {
    const before = this.isSync ? this.inputs.at(-1) : undefined;
    // It is mixed with what others have left.
    if (!this.isSync && this.inputs.length) this.turn = NaN;
    this.inputs.push(input);
    if (!this.isSync) queueMicrotask(() => { this.isSync = false; });
    this.isSync = true;
    return before;
  }

  /** Marks what the last input has left until now. */
  mark() {
    const next = this.inputs.length;
    let rounds = 0;
    const pass = () => {
      const { length } = this.inputs;
      this.turn = rounds++ < ROUNDS && this.turn === next - 1 ? next % length : NaN;
      if (length > 1 && this.turn >= 0) queueMicrotask(pass);
    };
    queueMicrotask(pass);
  }

  /** The input that works behind an `await`, if that is known. */
  get worker() { return this.inputs.length === 1 ? this.inputs[0] : this.inputs[this.turn]; }
}

/** A function that says first that another task begins. */
export const leaving = (leave, work) => (typeof work !== 'function' ? work : (...given) => {
  leave();
  return work(...given);
});

/** In place of a method; the one before it is kept, so that two recorders never form a row. */
function replaceMethod(target, name, make) {
  const before = target?.[name], real = before?.ofPage ?? before;
  if (real) target[name] = Object.assign(make(real), { ofPage: real });
}

/**
 * Returns what lets `leave` run when the task is over. In a page, tasks that the recorder does not
 * know leave, too: a message is sent to itself before each message, such as those of React.
 */
export function patchTasks(leave, isPage) {
  const { setImmediate, MessageChannel, MessagePort } = globalThis;
  if (!isPage && setImmediate) return () => { setImmediate(leave); };
  const { port1, port2 } = new MessageChannel();
  const { postMessage } = MessagePort.prototype, post = postMessage.ofPage ?? postMessage;
  const soon = () => { post.call(port2, 0); };
  port1.onmessage = leave;
  port1.unref?.();
  if (!isPage) return soon;
  replaceMethod(MessagePort.prototype, 'postMessage', (real) => function (...given) {
    soon();
    return real.apply(this, given);
  });
  for (const name of ['requestAnimationFrame', 'requestIdleCallback']) {
    replaceMethod(globalThis, name, (real) => (work, ...rest) => (
      real(leaving(leave, work), ...rest)));
  }
  for (const name of ['json', 'text', 'arrayBuffer', 'blob', 'formData']) {
    replaceMethod(globalThis.Response?.prototype, name, (real) => function (...given) {
      const made = real.apply(this, given);
      made.then(leave, leave);
      return made;
    });
  }
  return soon;
}

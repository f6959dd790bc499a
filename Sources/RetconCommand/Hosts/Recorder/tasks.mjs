// In a page, nothing follows a task through `await`. So an input is over when another task begins,
// and the functions that begin tasks say so.

/** A function that says first that another task begins. */
export const leaving = (leave, work) => (typeof work !== 'function' ? work : (...given) => {
  leave();
  return work(...given);
});

/** In place of a method; the one before it is kept, so that no two recorders stand in a row. */
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

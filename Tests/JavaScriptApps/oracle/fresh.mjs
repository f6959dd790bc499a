// A hook of node: each run of an app gets a recorder of its own, as each page does.

/** Gives the recorder the query of the module that imports it. */
export async function resolve(name, context, next) {
  const found = await next(name, context), { search } = new URL(context.parentURL ?? 'file:///');
  return name.endsWith('retcon-recorder.mjs') ? { ...found, url: found.url + search } : found;
}

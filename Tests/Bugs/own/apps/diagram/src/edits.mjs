// Edits of a document, with their undo: parts of the document as they were. An undo holds only the
// parts that the edit changed. `null` is a part that was not there.

const without = (all, ids) =>
  Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)));

const some = (all, ids) => Object.fromEntries(ids.map((id) => [id, all[id] ?? null]));

function withShapes(doc, ids, change) {
  const found = ids.filter((id) => doc.shapes[id]);
  if (!found.length) return { doc };
  const changed = Object.fromEntries(found.map((id) => [id, change(doc.shapes[id])]));
  return {
    doc: { ...doc, shapes: { ...doc.shapes, ...changed } },
    undo: { shapes: some(doc.shapes, found) },
  };
}

/** The groups without these shapes. A group of less than two shapes ends. */
function groupsWithout(groups, ids) {
  const left = Object.entries(groups).map(([id, members]) =>
    [id, members.filter((each) => !ids.includes(each))]);
  return Object.fromEntries(left.filter(([, members]) => members.length > 1));
}

const groupsOf = (doc, ids) => Object.keys(doc.groups)
  .filter((group) => doc.groups[group].some((id) => ids.includes(id)));

const edits = {
  'shape added'(doc, { shape }) {
    return {
      doc: {
        ...doc, shapes: { ...doc.shapes, [shape.id]: shape }, order: [...doc.order, shape.id],
      },
      undo: { shapes: { [shape.id]: null }, order: doc.order },
    };
  },

  'shapes moved': (doc, { ids, dx, dy }) =>
    withShapes(doc, ids, (shape) => ({ ...shape, x: shape.x + dx, y: shape.y + dy })),

  'shape resized': (doc, { id, width, height }) => withShapes(doc, [id], (shape) => ({
    ...shape, width: Math.max(8, width), height: Math.max(8, height),
  })),

  'shapes styled': (doc, { ids, style }) =>
    withShapes(doc, ids, (shape) => ({ ...shape, style: { ...shape.style, ...style } })),

  'text typed': (doc, { id, text }) => withShapes(doc, [id], (shape) => ({ ...shape, text })),

  'shapes deleted'(doc, { ids: asked }) {
    const ids = asked.filter((id) => doc.shapes[id]);
    if (!ids.length) return { doc };
    const cut = Object.keys(doc.connectors).filter((id) => {
      const { from, to } = doc.connectors[id];
      return ids.includes(from) || ids.includes(to);
    });
    return {
      doc: {
        shapes: without(doc.shapes, ids),
        order: doc.order.filter((id) => !ids.includes(id)),
        connectors: without(doc.connectors, cut),
        groups: groupsWithout(doc.groups, ids),
      },
      undo: {
        shapes: some(doc.shapes, ids), order: doc.order,
        connectors: some(doc.connectors, cut), groups: some(doc.groups, groupsOf(doc, ids)),
      },
    };
  },

  'brought to front': (doc, { id }) => (doc.shapes[id] ? {
    doc: { ...doc, order: [...doc.order.filter((each) => each !== id), id] },
    undo: { order: doc.order },
  } : { doc }),

  'sent to back': (doc, { id }) => (doc.shapes[id] ? {
    doc: { ...doc, order: [id, ...doc.order.filter((each) => each !== id)] },
    undo: { order: doc.order },
  } : { doc }),

  'connected'(doc, { id, from, to }) {
    const exists = Object.values(doc.connectors)
      .some((each) => each.from === from && each.to === to);
    if (exists || from === to || !doc.shapes[from] || !doc.shapes[to]) return { doc };
    return {
      doc: { ...doc, connectors: { ...doc.connectors, [id]: { from, to, label: '' } } },
      undo: { connectors: { [id]: null } },
    };
  },

  'connector labelled'(doc, { id, label }) {
    const connector = doc.connectors[id];
    if (!connector) return { doc };
    return {
      doc: { ...doc, connectors: { ...doc.connectors, [id]: { ...connector, label } } },
      undo: { connectors: { [id]: connector } },
    };
  },

  'disconnected': (doc, { id }) => (doc.connectors[id] ? {
    doc: { ...doc, connectors: without(doc.connectors, [id]) },
    undo: { connectors: some(doc.connectors, [id]) },
  } : { doc }),

  'grouped'(doc, { id, ids }) {
    const members = ids.filter((each) => doc.shapes[each]);
    if (members.length < 2) return { doc };
    const before = groupsOf(doc, members);
    return {
      doc: { ...doc, groups: { ...groupsWithout(doc.groups, members), [id]: members } },
      undo: { groups: { ...some(doc.groups, before), [id]: null } },
    };
  },

  'ungrouped': (doc, { id }) => (doc.groups[id] ? {
    doc: { ...doc, groups: without(doc.groups, [id]) },
    undo: { groups: some(doc.groups, [id]) },
  } : { doc }),
};

export const isEdit = (type) => Object.hasOwn(edits, type);

export const edited = (doc, action) => edits[action.type](doc, action);

function restored(all, parts) {
  const gone = Object.keys(parts).filter((id) => parts[id] === null);
  return without({ ...all, ...parts }, gone);
}

/** The parts of a document that are kept by id. */
const PARTS = ['shapes', 'connectors', 'groups'];

export function reverted(doc, undo) {
  const before = { ...doc };
  for (const part of PARTS) {
    if (undo[part]) before[part] = restored(doc[part], undo[part]);
  }
  if (undo.order) before.order = undo.order;
  return before;
}

// The server, with the colleagues behind it. It knows of this screen only what was sent to it.
import { SETS } from '../src/cards.mjs';

const TEXTS = ['Looks good', 'I can take this', '@mara can you look?', 'Not on my phone'];
const PLAIN = ['title', 'description', 'due', 'estimate', 'priority'];

export class Server {
  constructor(random) {
    this.random = random;
    this.cards = {};
  }

  int(most) { return Math.floor(this.random() * most); }

  pick(list) { return list[this.int(list.length)]; }

  /** Takes what was sent, and gives each card its next version. */
  take(operations) {
    const versions = {};
    for (const { kind, cardId, fields, card } of operations) {
      if (kind === 'create') this.cards[cardId] = structuredClone(card);
      const own = this.cards[cardId];
      if (!own) continue;
      if (kind === 'delete') {
        delete this.cards[cardId];
        continue;
      }
      for (const [field, change] of Object.entries(fields ?? {})) this.change(own, field, change);
      own.version += 1;
      versions[cardId] = own.version;
    }
    return versions;
  }

  change(card, field, { set, add = [], remove = [] }) {
    card[field] = SETS.includes(field)
      ? [...card[field].filter((id) => !remove.includes(id) && !add.includes(id)), ...add] : set;
  }

  /** Removing a label or a member reaches the server on another way: at once. */
  learn({ labels, members }) {
    for (const card of Object.values(this.cards)) {
      card.labelIds = card.labelIds.filter((id) => labels.byId[id]);
      card.memberIds = card.memberIds.filter((id) => members.byId[id]?.isActive);
    }
  }

  told() {
    return Object.entries(this.cards).map(([id, card]) => {
      const fields = Object.fromEntries(PLAIN.map((field) => [field, { set: card[field] }]));
      return { kind: 'edited', cardId: id, version: card.version, fields };
    });
  }

  /** A colleague's work, mostly with cards that were changed a moment ago. */
  work(who, recent, content, { at, newId }) {
    const known = Object.keys(this.cards).filter((id) => content.cards.byId[id]
      && content.cards.byId[id].archivedAt === null);
    const last = recent.filter((id) => known.includes(id));
    if (known.length === 0) return [];
    const id = last.length && this.random() < 0.7 ? this.pick(last) : this.pick(known);
    const deeds = [this.triage, this.triage, this.comment, this.comment, this.move, this.edit,
      this.assign, this.create];
    return this.pick(deeds).call(this, { who, id, content, at, newId });
  }

  edited(id, fields) {
    const card = this.cards[id];
    for (const [field, change] of Object.entries(fields)) this.change(card, field, change);
    card.version += 1;
    return [{ kind: 'edited', cardId: id, version: card.version, fields }];
  }

  /** Labels are how the colleagues sort: one goes, another comes. */
  triage({ id, content }) {
    const now = content.cards.byId[id].labelIds;
    const other = content.labels.order.filter((labelId) => !now.includes(labelId));
    const add = other.length ? [this.pick(other)] : [];
    const remove = now.length && this.random() < 0.7 ? [this.pick(now)] : [];
    return this.edited(id, { labelIds: { add, remove } });
  }

  assign({ id, who }) {
    return this.edited(id, { memberIds: { add: [who], remove: [] } });
  }

  edit({ id, content }) {
    const points = this.pick([1, 2, 3, 5]);
    const title = `${content.cards.byId[id].title.replace(/ \(.*/, '')} (${this.pick(['A', 'B'])})`;
    return this.edited(id, this.random() < 0.5 ? { estimate: { set: points } }
      : { title: { set: title } });
  }

  comment({ id, who, at, newId }) {
    const comment = { id: newId('comment'), by: who, at, text: this.pick(TEXTS) };
    return [{ kind: 'commented', cardId: id, comment }];
  }

  move({ id, content }) {
    const columnId = this.pick(content.columns.order);
    const place = { columnId, laneId: this.pick(content.lanes.order), index: this.int(3) };
    return [{ kind: 'moved', cardId: id, place }];
  }

  create({ who, at, newId, content }) {
    const cardId = newId('card');
    const title = `${this.pick(['Ask', 'Call', 'Visit'])} the customer ${cardId}`;
    const place = { columnId: 'todo', laneId: this.pick(content.lanes.order) };
    const change = { kind: 'created', cardId, title, by: who, at, place, version: 1 };
    this.cards[cardId] = {
      title, description: '', due: null, estimate: null, priority: 'normal', labelIds: [],
      memberIds: [], watcherIds: [who], checklist: [], version: 1,
    };
    return [change];
  }
}

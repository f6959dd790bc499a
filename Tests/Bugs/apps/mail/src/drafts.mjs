// Messages that are being written: opened, changed, kept, sent now or later.
import { distinct, parseAddresses } from './addresses.mjs';
import { freeName } from './attachments.mjs';
import { formatWhen, MINUTE } from './dates.mjs';
import { checked } from './draftChecks.mjs';
import { change, omit, without } from './lists.mjs';
import { withNotice } from './notices.mjs';
import { blank, forwardOf, replyTo } from './quoting.mjs';
import { posted } from './sending.mjs';
import { filled } from './templates.mjs';

const REGRET = MINUTE / 6;

export const noDrafts = { byId: {}, order: [], openId: null };

function opened(state, { id, kind, messageId }) {
  const message = state.messages[messageId], { settings, account } = state;
  if (kind !== 'new' && !message) return state;
  const content = kind === 'new' ? blank(settings.signature)
    : kind === 'forward' ? forwardOf(message, settings)
    : replyTo(message, account, { ...settings, toAll: kind === 'replyAll' });
  const draft = {
    id, ...content, kind, answersId: messageId ?? null, wrong: [], doubts: [], sendAt: null,
    leavesAt: null, changedAt: state.now, isConfirmed: false,
  };
  const { drafts } = state;
  return {
    ...state,
    drafts: { byId: { ...drafts.byId, [id]: draft }, order: [id, ...drafts.order], openId: id },
  };
}

/** Changes a draft that is not being sent. The user must confirm its doubts again. */
function edited(state, id, update) {
  const draft = state.drafts.byId[id];
  if (!draft || draft.leavesAt !== null) return state;
  const next = { ...draft, ...update(draft), changedAt: state.now, isConfirmed: false, doubts: [] };
  return { ...state, drafts: change(state.drafts, 'byId', (byId) => ({ ...byId, [id]: next })) };
}

function withRecipients(state, { id, field, text }) {
  return edited(state, id, (draft) => {
    const { addresses, faults } = parseAddresses(text);
    const groups = faults.map((fault) => groupNamed(state, fault)).filter(Boolean);
    const members = groups.flatMap(({ keys }) => keys.map((key) => state.contacts.people[key]));
    const known = members.map(({ name, address }) => ({ name, address }));
    const wrong = faults.filter((fault) => !groupNamed(state, fault));
    return { [field]: distinct([...draft[field], ...addresses, ...known]), wrong };
  });
}

const groupNamed = ({ contacts }, text) => Object.values(contacts.groups)
  .find(({ name }) => name.toLowerCase() === text.trim().toLowerCase());

function withFile(state, { id, file }) {
  return edited(state, id, ({ attachments }) => ({
    attachments: [...attachments, {
      ...file, name: freeName(file.name, attachments.map(({ name }) => name)),
    }],
  }));
}

function withTemplate(state, { id, templateId }) {
  const template = state.templates[templateId];
  if (!template) return state;
  const used = { ...template, uses: template.uses + 1 };
  const next = edited(state, id, (draft) => ({
    body: filled(template.text, {
      draft, account: state.account, now: state.now, offset: state.settings.offset,
    }) + (draft.body ? `\n${draft.body}` : ''),
  }));
  return { ...next, templates: { ...state.templates, [templateId]: used } };
}

/** Checks a draft and delays it for some seconds, so that the user can call it back. */
function sent(state, { id, sendAt = null }) {
  const draft = state.drafts.byId[id];
  if (!draft || draft.leavesAt !== null) return state;
  const { faults, doubts } = checked(draft, state);
  if (faults.length) return withNotice(state, faults[0], { isFault: true });
  if (doubts.length && !draft.isConfirmed) {
    const asked = { ...draft, doubts, isConfirmed: true };
    return { ...state, drafts: change(state.drafts, 'byId', (byId) => ({ ...byId, [id]: asked })) };
  }
  const leaving = {
    ...draft, sendAt, doubts: [], leavesAt: sendAt ?? state.now + REGRET,
  };
  const drafts = {
    ...state.drafts, byId: { ...state.drafts.byId, [id]: leaving },
    openId: state.drafts.openId === id ? null : state.drafts.openId,
  };
  const when = sendAt && formatWhen(sendAt, state.now, state.settings.offset);
  return withNotice({ ...state, drafts }, when ? `It will be sent: ${when}.` : 'Sending…');
}

function calledBack(state, { id }) {
  const draft = state.drafts.byId[id];
  if (!draft || draft.leavesAt === null) return state;
  const back = { ...draft, leavesAt: null, sendAt: null, isConfirmed: false };
  return {
    ...state,
    drafts: { ...state.drafts, byId: { ...state.drafts.byId, [id]: back }, openId: id },
  };
}

function withoutDraft(drafts, id) {
  return {
    byId: omit(drafts.byId, id), order: without(drafts.order, [id]),
    openId: drafts.openId === id ? null : drafts.openId,
  };
}

/** Sends the drafts that are due. */
export function leftDrafts(state) {
  const due = state.drafts.order.map((id) => state.drafts.byId[id])
    .filter(({ leavesAt }) => leavesAt !== null && leavesAt <= state.now)
    .sort((one, other) => one.leavesAt - other.leavesAt);
  return due.reduce((result, draft) => posted(
    { ...result, drafts: withoutDraft(result.drafts, draft.id) },
    { ...draft, localId: `s-${draft.id}` }), state);
}

export const draftHandlers = {
  'draft/opened': opened,
  'draft/resumed': (state, { id }) => (state.drafts.byId[id]?.leavesAt === null
    ? { ...state, drafts: { ...state.drafts, openId: id } } : state),
  'draft/closed': (state) => ({ ...state, drafts: { ...state.drafts, openId: null } }),
  'draft/typed': (state, { id, subject, body }) => edited(state, id, (draft) => ({
    subject: subject ?? draft.subject, body: body ?? draft.body,
  })),
  'draft/addressed': withRecipients,
  'draft/personRemoved': (state, { id, field, address }) => edited(state, id, (draft) => ({
    [field]: draft[field].filter((person) => person.address !== address),
  })),
  'draft/fileAdded': withFile,
  'draft/fileRemoved': (state, { id, name }) => edited(state, id, ({ attachments }) => ({
    attachments: attachments.filter((file) => file.name !== name),
  })),
  'draft/templateUsed': withTemplate,
  'draft/sent': sent,
  'draft/calledBack': calledBack,
  'draft/discarded': (state, { id }) => ({ ...state, drafts: withoutDraft(state.drafts, id) }),
};

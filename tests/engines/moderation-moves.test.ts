import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  MODERATION_MOVES,
  MODERATION_STATES,
  type ModerationState,
} from '../../src/lib/contract/moderation-moves.ts';
import { isRefusal, REFUSALS } from '../../src/lib/contract/rules/errors.ts';
import type { Takedown } from '../../src/lib/contract/calls/review-calls.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const HELD_WORD = '代购';
const REFUSED_WORD = '赌博';
const COPIED = '本店新到一批明前好茶，欢迎各位新老朋友光临选购';

let stage: StaffStage;
let judge: Server;
let verdict: 'show' | 'hold' | 'reject' = 'show';
let author: Person;
let copiers: Person[];
/** An article by another author, to comment on. */
let place: string;
let written = 0;

beforeAll(async () => {
  judge = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ verdict })));
  });
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve));
  const { port } = judge.address() as AddressInfo;
  stage = await openStaffStage({
    MODERATION_URL: `http://127.0.0.1:${port}/`,
    MODERATION_SECRET: 'what its requests are signed with',
  });
  author = await stage.signUp('王维');
  copiers = [await stage.signUp('裴迪'), await stage.signUp('储光羲')];
  await stage.app.services.words.add([HELD_WORD], { category: '', action: 'hold' }, null);
  await stage.app.services.words.add([REFUSED_WORD], { category: '', action: 'reject' }, null);
  await stage.app.services.options.change({ holdComments: 'none', holdArticles: 'none' }, null);
  place = await stage.write(copiers[0] as Person, '茱萸沜');
  for (const copier of copiers) await stage.write(copier, COPIED);
  for (const copier of copiers) await stage.comment(copier, place, COPIED);
});
afterAll(async () => {
  await stage?.close();
  judge?.close();
});

/** One way to perform an action on an article or comment; `refused`: the code with which it must fail. */
interface Route {
  run(id: string): Promise<unknown>;
  refused?: string | undefined;
}
type Routes = Record<string, Route>;

interface Kind {
  /** Creates an item by its author. */
  make(): Promise<string>;
  stateOf(id: string): Promise<ModerationState | 'gone'>;
  isVisible(id: string): Promise<boolean>;
  /** Keyed by `actor.action`. */
  routes: Record<string, Routes>;
}

const services = () => stage.app.services;
const unique = () => `第 ${++written} 篇：空山新雨后，天气晚来秋`;
const decide = (kind: 'article' | 'comment', action: Takedown) => (id: string) =>
  services().takedowns.decide(kind, { ids: [id], action, note: '' }, null);

async function markOf(kind: 'article' | 'comment', id: string) {
  const rows = await stage.app.db.read
    .selectFrom('withheld_items')
    .select('state')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
  return rows[0]?.state ?? 'shown';
}

const fieldsOf = (text: string, more: object = {}) => ({
  title: text.slice(0, 60),
  content: text,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
  ...more,
});
const saves = (text: () => string, more: object = {}) => ({
  run: (id: string) => services().articles.edit({ id, ...fieldsOf(text(), more) }, author.viewer),
});
const inTurn = (...routes: Route[]): Route => ({
  run: async (id) => {
    for (const { run } of routes) await run(id);
  },
});
const sameText = {
  run: async (id: string) => {
    const { content, title } = await services().articles.readSource(id, author.viewer);
    await services().articles.edit({ id, ...fieldsOf(content), title }, author.viewer);
  },
};
const sets = (more: object) => ({
  run: async (id: string) => {
    const change = { ids: [id], tags_add: [], tags_remove: [], ...more };
    const [result] = await services().settings.change(change, author.viewer);
    if (result?.outcome === 'refused') throw new Error(result.problem);
  },
});
const schedules = {
  run: async (id: string) => {
    await saves(unique, { status: 'draft' }).run(id);
    const publish_time = new Date(stage.now() + 60_000).toISOString();
    await services().schedules.set({ id, publish_time }, author.viewer);
    stage.pass(120_000);
    expect(await services().schedules.publishDue()).toBe(1);
  },
};
const judged = (answer: typeof verdict, { run, refused }: Route): Route => ({
  refused,
  run: async (id) => {
    verdict = answer;
    try {
      await run(id);
    } finally {
      verdict = 'show';
    }
  },
});

const articles: Kind = {
  make: () => stage.write(author, unique()),
  async stateOf(id) {
    const rows = await stage.rows(`select moderation from articles where id = '${id}'`);
    const state = await markOf('article', id);
    // The column and the row must agree.
    const mark = state === 'shown' ? '' : state === 'deleted' ? 'hidden' : state;
    expect(rows[0]?.['moderation']).toBe(mark);
    return state;
  },
  isVisible: async (id) => (await services().articles.find(id, null)) !== null,
  routes: {
    'author.save': {
      'the same text': sameText,
      'secret, then public': inTurn(sets({ secret: true }), sets({ secret: false })),
      'draft and public by settings': inTurn(sets({ status: 'draft' }), sets({ status: 'normal' })),
      'other tags': sets({ tags_add: ['山水'] }),
      'another text, as a draft': saves(unique, { status: 'draft' }),
    },
    'author.remove': { 'to the trash': { run: (id) => services().articles.remove(id, author.viewer) } },
    'author.recover': {
      'from the trash': {
        run: async (id) => {
          await services()
            .articles.remove(id, author.viewer)
            .catch(() => {});
          await services().trash.restore(id, author.viewer);
        },
      },
    },
    'author.resubmit': {
      'another text': saves(unique),
      'a draft, then published': inTurn(saves(unique, { status: 'draft' }), saves(unique)),
      'a schedule': schedules,
      'after a change': inTurn(saves(unique), {
        run: (id) =>
          services()
            .reviews.resubmit(id, author.viewer)
            .catch((error: unknown) => {
              if (!isRefusal(error, 'NOTHING_TO_RESUBMIT')) throw error;
            }),
      }),
    },
    'rule.hold': {
      'a listed word': saves(() => `${unique()} ${HELD_WORD}`),
      'what two others wrote': {
        run: async (id) => {
          const copied = { title: COPIED, content: `${COPIED}：空山新雨后` };
          await services().articles.edit({ id, ...fieldsOf(''), ...copied }, author.viewer);
        },
      },
    },
    'rule.refuse': { 'a listed word': { ...saves(() => REFUSED_WORD), refused: 'WORD_REFUSED' } },
    'outside.show': { 'its verdict': judged('show', saves(unique)) },
    'outside.hold': { 'its verdict': judged('hold', saves(unique)) },
    'outside.refuse': { 'its verdict': judged('reject', { ...saves(unique), refused: 'OUTSIDE_REFUSED' }) },
    'staff.hide': { 'in the console': { run: decide('article', 'hide') } },
    'staff.restore': { 'in the console': { run: decide('article', 'restore') } },
    'staff.delete': { 'in the console': { run: decide('article', 'delete') } },
    'staff.hold': { 'in the console': { run: decide('article', 'hold') } },
  },
};

const edits = (text: () => string) => ({
  run: (id: string) => services().comments.edit({ id, content: text() }, author.viewer),
});
const comments: Kind = {
  make: () => stage.comment(author, place, unique()),
  async stateOf(id) {
    const state = await markOf('comment', id);
    const table = state === 'shown' ? 'comments' : 'withheld_comments';
    const rows = await stage.rows(`select id from ${table} where id = '${id}'`);
    return rows.length === 0 ? 'gone' : state;
  },
  isVisible: async (id) => (await services().comments.pageOf(place, id, null)) !== null,
  routes: {
    'author.save': {
      'another text': edits(unique),
      'the same text': {
        run: async (id) => {
          const row = (await services().comments.anyOf([id])).get(id);
          await services().comments.edit({ id, content: row?.content ?? '' }, author.viewer);
        },
      },
    },
    'author.remove': { 'for good': { run: (id) => services().comments.remove(id, author.viewer) } },
    'rule.hold': {
      'a listed word': edits(() => `${unique()} ${HELD_WORD}`),
      'what two others wrote': edits(() => COPIED),
    },
    'rule.refuse': { 'a listed word': { ...edits(() => REFUSED_WORD), refused: 'WORD_REFUSED' } },
    'outside.show': { 'its verdict': judged('show', edits(unique)) },
    'outside.hold': { 'its verdict': judged('hold', edits(unique)) },
    'outside.refuse': { 'its verdict': judged('reject', { ...edits(unique), refused: 'OUTSIDE_REFUSED' }) },
    'staff.hide': { 'in the console': { run: decide('comment', 'hide') } },
    'staff.restore': { 'in the console': { run: decide('comment', 'restore') } },
    'staff.delete': { 'in the console': { run: decide('comment', 'delete') } },
    'staff.hold': { 'in the console': { run: decide('comment', 'hold') } },
  },
};
const KINDS = { article: articles, comment: comments };

/** Ways in which an item gets into each state: by staff and by rules. */
const entries = (kind: 'article' | 'comment'): Record<string, [ModerationState, Route[]]> => ({
  shown: ['shown', []],
  'held by staff': ['held', [{ run: decide(kind, 'hold') }]],
  'held by a rule': ['held', Object.values(KINDS[kind].routes['rule.hold'] ?? {}).slice(1)],
  'held by the service': ['held', Object.values(KINDS[kind].routes['outside.hold'] ?? {})],
  hidden: ['hidden', [{ run: decide(kind, 'hide') }]],
  deleted: ['deleted', [{ run: decide(kind, 'delete') }]],
});

const ACTIONS = Object.entries(MODERATION_MOVES).flatMap(([actor, actions]) =>
  Object.entries(actions).map(([action, outcomes]) => ({ name: `${actor}.${action}`, outcomes })),
);
/** Rules and the service judge another text of an article, whose publication submits a hidden one again. */
const JUDGED = ['rule.hold', 'outside.show', 'outside.hold'];
const outcomesOf = (kind: keyof typeof KINDS, { name, outcomes }: (typeof ACTIONS)[number]) =>
  kind === 'article' && JUDGED.includes(name)
    ? { ...outcomes, hidden: MODERATION_MOVES.author.resubmit.hidden }
    : outcomes;
const checked: Record<string, Record<string, string>> = {};

describe.each(['article', 'comment'] as const)('the state of an %s', (kind) => {
  const { make, stateOf, isVisible, routes } = KINDS[kind];
  const cases = Object.entries(entries(kind)).flatMap(([entry, [before, ways]]) =>
    ACTIONS.map((action) => ({ name: action.name, outcomes: outcomesOf(kind, action) })).flatMap(
      ({ name, outcomes }) =>
        Object.entries(routes[name] ?? {}).map(([way, route]) => ({
          entry,
          before,
          ways,
          name,
          way,
          route,
          after: kind === 'comment' && name === 'author.remove' ? ('gone' as const) : outcomes[before],
        })),
    ),
  );
  test.each(cases)('$entry, $name ($way): $after', async ({ before, ways, name, way, route, after }) => {
    const id = await make();
    for (const { run } of ways) await run(id);
    expect(await stateOf(id)).toBe(before);
    const isOutOfReach = kind === 'article' && before === 'deleted' && name !== 'author.recover';
    if (name.startsWith('staff')) await route.run(id);
    else if (route.refused) await expect(route.run(id)).rejects.toMatchObject({ code: route.refused });
    // An article in the trash cannot be changed.
    else if (isOutOfReach) await expect(route.run(id)).rejects.toThrow(REFUSALS.ARTICLE_NOT_FOUND.text);
    else await route.run(id);
    expect(await stateOf(id)).toBe(after);
    expect(await isVisible(id)).toBe(
      after === 'shown' && name !== 'author.remove' && !way.endsWith('as a draft'),
    );
    (checked[`${kind} ${name}`] ??= {})[before] = after;
  });
});

test('every action in the table is tried in every state', () => {
  const expected = Object.fromEntries(
    (['article', 'comment'] as const).flatMap((kind) =>
      ACTIONS.filter(({ name }) => KINDS[kind].routes[name]).map((action) => [
        `${kind} ${action.name}`,
        kind === 'comment' && action.name === 'author.remove'
          ? Object.fromEntries(MODERATION_STATES.map((state) => [state, 'gone']))
          : outcomesOf(kind, action),
      ]),
    ),
  );
  // Comments have no trash and are not resubmitted.
  expect(Object.keys(expected)).toHaveLength(ACTIONS.length * 2 - 2);
  expect(checked).toEqual(expected);
  console.table(checked);
});

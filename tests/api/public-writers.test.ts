import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { PUBLIC_TEXTS } from '../../src/lib/contract/public-texts.ts';
import { FILE_ROUTES } from '../../src/lib/contract/rules/file-routes.ts';
import { openWriterStage, REFUSED, type WriterStage } from './writer-stage.ts';
import { CALL_ROWS } from './writer-calls.ts';
import type { Row } from './writer-fields.ts';
import { FILE_ROWS, RPC_ROWS, TOOL_ROWS } from './writer-protocols.ts';

/**
 * Everything that writes a public text, whatever call, protocol or file brings it: no listed word, nothing
 * before its decision, and a record of its origin. A call, method, tool or file route without a row in
 * writer-calls.ts or writer-protocols.ts fails; tests/engines/command-writers.test.ts covers the commands.
 */
let stage: WriterStage;
beforeAll(async () => void (stage = await openWriterStage()));
afterAll(() => stage?.close());

const TABLES = { call: CALL_ROWS, method: RPC_ROWS, tool: TOOL_ROWS, file: FILE_ROWS };
type Kind = 'alone' | 'publishes' | 'changes';
function rowsOf<K extends Kind>(kind: K) {
  type Write = NonNullable<Exclude<Row, string>[K]>[string];
  return Object.entries(TABLES).flatMap(([way, table]) =>
    Object.entries(table).flatMap(([name, row]) =>
      typeof row === 'string'
        ? []
        : Object.entries(row[kind] ?? {}).map(([text, write]): [string, string, Write] => [
            `${way} ${name}`,
            text,
            write as Write,
          ]),
    ),
  );
}
const [alone, publishing, changing] = [rowsOf('alone'), rowsOf('publishes'), rowsOf('changes')];
const items = [...publishing, ...changing];

let marks = 0;
const newMark = () => `记号${++marks}`;
const isRefused = (error: unknown) =>
  /refused|fault|WORD_REFUSED|不能出现/.test(JSON.stringify(error) + String(error));
/** Runs a write, which may be refused; any other error fails the test. */
async function attempt<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (!isRefused(error)) throw error;
    return null;
  }
}

const textsOf = (row: Exclude<Row, string>): string[] => [
  ...new Set(Object.values(row).flatMap((writes) => Object.keys(writes))),
];

describe('every writer', () => {
  test('that the contract declares is in the table, with the texts that it writes', () => {
    const own = (Object.entries(calls) as [string, Call][]).filter(
      // Staff is exempt.
      ([, { kind, permission }]) => kind === 'write' && permission === undefined,
    );
    expect(own.filter(([, { writes }]) => writes === undefined)).toEqual([]);
    const declared = own.flatMap(([name, { writes = [] }]) => writes.map((text) => `${name} ${text}`));
    const tried = Object.entries(CALL_ROWS).flatMap(([name, row]) =>
      typeof row === 'string'
        ? declared.filter((each) => each.startsWith(`${name} `))
        : textsOf(row).flatMap((text) => (text.includes('.') ? [`${name} ${text}`] : [])),
    );
    expect(tried.toSorted()).toEqual(declared.toSorted());
    expect(Object.keys(CALL_ROWS).filter((name) => !declared.some((each) => each.startsWith(name)))).toEqual(
      [],
    );
  });

  test('that the protocols and the files have is in the table', async () => {
    const methods: string[] = await stage.author.editor.call('system.listMethods');
    expect(Object.keys(RPC_ROWS).sort()).toEqual(methods.toSorted());
    const { tools } = await stage.author.assistant.client.listTools();
    expect(Object.keys(TOOL_ROWS).sort()).toEqual(tools.map(({ name }) => name).sort());
    const routes = Object.entries(FILE_ROUTES).filter(([, { method }]) => method !== 'GET');
    expect(Object.keys(FILE_ROWS).sort()).toEqual(routes.map(([name]) => name).sort());
  });

  test('of each public text is tried', () => {
    const judged = Object.entries(PUBLIC_TEXTS).flatMap(([entity, fields]) =>
      Object.entries(fields).flatMap(([field, judgement]) =>
        judgement === 'made' || field === 'pending_content' ? [] : [`${entity}.${field}`],
      ),
    );
    const tried = new Set([...alone, ...items].map(([, text]) => text));
    expect(judged.filter((text) => !tried.has(text))).toEqual([]);
  });
});

describe('a text that is read by itself', () => {
  test.each(alone)('is written by %s in %s', async (_, __, write) => {
    await stage.rule();
    const mark = newMark();
    await write(mark, await stage.newAuthor(), stage);
    expect(await stage.publicTexts()).toContain(mark);
  });

  test.each(alone)('is refused by %s in %s with a listed word', async (_, __, write) => {
    const by = await stage.newAuthor();
    await stage.rule({}, [REFUSED]);
    await expect(write(REFUSED, by, stage)).rejects.toThrow('不能出现在这里');
    expect(await stage.publicTexts()).not.toContain(REFUSED);
  });
});

describe('an article or a comment', () => {
  test.each(items)(
    'by %s with %s is public without rules, and its origin recorded',
    async (way, _, write) => {
      await stage.rule({ keepOrigins: 30 });
      const mark = newMark();
      const { id, seen = mark } = await write(mark, stage);
      expect(await stage.publicTexts()).toContain(seen);
      const origins = await stage.server.rows(
        `select username, address from post_origins where item_id = '${id}'`,
      );
      const client = { username: stage.author.username, address: '127.0.0.1' };
      expect(origins).toContainEqual(client);
      if (way === 'call scheduleSet') expect(origins).toContainEqual({ ...client, address: 'schedule' });
    },
  );

  test.each(items)('by %s with a listed word in %s is not public', async (_, __, write) => {
    await stage.rule({}, [REFUSED]);
    await attempt(() => write(REFUSED, stage));
    expect(await stage.publicTexts()).not.toContain(REFUSED);
  });

  test.each(publishing)('by %s with %s waits for staff where all do', async (_, __, write) => {
    await stage.rule({ holdArticles: 'all', holdComments: 'all' });
    const mark = newMark();
    const { id, seen = mark } = await write(mark, stage);
    expect(await stage.publicTexts()).not.toContain(seen);
    expect(await stage.waiting()).toContain(id);
  });

  test.each(changing)('changed by %s in %s waits for staff where all do', async (_, __, write) => {
    await stage.rule({ holdArticles: 'all', holdComments: 'all', holdChanges: 'always', keepOrigins: 30 });
    const mark = newMark();
    const { id, seen = mark } = await write(mark, stage);
    expect(await stage.publicTexts()).not.toContain(seen);
    expect(await stage.waiting()).toContain(id);
    const origins = await stage.server.rows(`select address from post_origins where item_id = '${id}'`);
    expect(origins).toContainEqual({ address: '127.0.0.1' });
  });
});

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createApp } from '../src/lib/server/app.ts';
import { replaceEmail } from '../src/lib/server/auth/safety/safety-queries.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { openMailbox } from '../tests/engines/mailbox.ts';
import { ask, signIn, timed } from './client.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { figureOf, quantile, ratioOf, type Row } from './stats.ts';

const ROUNDS = 9;
const COMMENTS = 1000;
const PASSWORD = 'notices-bench';

interface Site {
  server: Served;
  token: string;
  article: string;
}

/**
 * Section `notices`: the time of a comment whose article's author is notified by mail. Compares a site whose
 * mail server accepts connections but never responds, a site with a working mail server, and a site without
 * mail. The three take turns.
 */
export async function benchNotices(data: string): Promise<Row[]> {
  const hanging = await openHanging();
  const answering = await openMailbox();
  const mailTo = (url: string) => ({ SMTP_URL: url, SMTP_FROM: 'blog@example.com' });
  const settings = { hanging: mailTo(hanging.url), answering: mailTo(answering.url), none: {} };
  const sites: Site[] = [];
  try {
    for (const [name, mail] of Object.entries(settings))
      sites.push(await openSite(join(data, 'notices', name), mail));
    const rounds: number[][][] = [];
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await writeInTurn(sites));
    // The first round compiles the code.
    const times = (site: number, q: number) => rounds.slice(1).map((each) => quantile(each[site] ?? [], q));
    if (hanging.count() === 0) throw new Error('nobody asked the mail server that hangs');
    if (answering.received.length === 0) throw new Error('nobody sent a mail');
    const calls = `the hanging mail server was called ${hanging.count()} times`;
    return [
      {
        what: 'a comment while the mail server hangs / while it answers, p99',
        ...ratioOf(times(0, 0.99), times(1, 0.99)),
        goal: { atMost: 1.1 },
        note: `${COMMENTS} comments per round; ${calls}`,
      },
      {
        what: 'a comment while the mail server hangs / on a site without mail, p99',
        ...ratioOf(times(0, 0.99), times(2, 0.99)),
      },
      {
        what: 'a comment while the mail server hangs / on a site without mail, p50',
        ...ratioOf(times(0, 0.5), times(2, 0.5)),
      },
      { what: 'a comment on a site without mail, p99', ...figureOf(times(2, 0.99)), unit: 'ms' },
    ];
  } finally {
    await stopAll(sites.map(({ server }) => server));
    await hanging.close();
    await answering.close();
    rmSync(join(data, 'notices'), { recursive: true, force: true });
  }
}

/**
 * Writes comments on each site in turn, so other load on the machine affects all of them; returns the
 * milliseconds of each, by site.
 */
async function writeInTurn(sites: readonly Site[]): Promise<number[][]> {
  const times = sites.map((): number[] => []);
  for (let number = 0; number < COMMENTS; number++)
    for (let turn = 0; turn < sites.length; turn++) {
      // Each site is first equally often.
      const at = (number + turn) % sites.length;
      const site = sites[at];
      if (site) times[at]?.push(await comment(site, `第 ${number} 条，${'字'.repeat(40)}`));
    }
  return times;
}

const comment = ({ server, token, article }: Site, content: string): Promise<number> =>
  timed(`${server.url}/api/comment/create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: new URLSearchParams({ page_id: article, content }),
  });

async function openSite(folder: string, mail: Record<string, string>): Promise<Site> {
  rmSync(folder, { recursive: true, force: true });
  const article = await prepare(folder);
  const server = await serveProduct(folder, mail);
  const token = await signIn(server, '读者', PASSWORD);
  // One call before the measurement, so a refusal fails early.
  await ask(server, '/api/comment/create', { page_id: article, content: '试一试' }, token);
  return { server, token, article };
}

/** Creates an article whose author wants a mail for every comment; returns its id. */
async function prepare(folder: string): Promise<string> {
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  const { auth, articles, notices } = app.services;
  const add = (username: string) => auth.addUser({ username, password: PASSWORD, gender: 'x', bio: '' });
  const author = { id: await add('作者'), username: '作者', signinId: '', origin: '' };
  await add('读者');
  const email = 'author@example.com';
  await app.db.write((trx) =>
    replaceEmail(trx, author.id, { address: email, addressKey: email, instant: Date.now() }),
  );
  await notices.saveSettings(author.id, { mode: 'now', kinds: ['comment'] });
  const fields = { title: '题', content: '文', tags: ['诗'], type: '', secret: false } as const;
  const { id } = await articles.create({ ...fields, tags: ['诗'], status: 'normal' }, author);
  await app.close();
  return id;
}

/** A mail server that accepts connections and never responds. */
async function openHanging() {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

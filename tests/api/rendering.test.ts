import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookie } from './cache-stage.ts';
import { done, openServer, outcome, refused, type Answer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let bomber: Person;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  bomber = await server.join('轰炸者');
  author = await server.join('王维');
});
afterAll(() => server?.close());

const publish = (person: Person, content: string, status = 'normal') =>
  server.post('/api/page/new', { title: '题', content, tags: ['诗'], status }, person.token);
const read = (id: string, person?: Person) =>
  server.send(`/detail/${id}`, person ? { headers: cookie(person) } : {});

describe('an author who sends many slow articles', () => {
  test(
    'does not delay others, and is refused beyond a bound with Retry-After',
    { tags: ['long'] },
    async () => {
      const ends: string[] = [];
      const end = (name: string) => (answer: Answer) => {
        ends.push(answer.status === 503 ? 'crowded' : name);
        return answer;
      };
      const bomb = (n: number) => publish(bomber, `- ${n}\n${'- x\n'.repeat(8_000)}`).then(end('bomb'));
      const bombs = Array.from({ length: 12 }, (_, n) => bomb(n));
      const others = [
        publish(author, '空山新雨后').then(end('article')),
        publish(author, '天气晚来秋', 'draft').then(end('draft')),
        server
          .post('/api/page/new', { title: '题', content: '>'.repeat(5_000), status: 'draft' }, bomber.token)
          .then(end('their draft')),
      ];
      const [article, draft] = await Promise.all(others);
      // In a plain first-come-first-served queue all twelve would have finished first.
      expect(ends.filter((name) => name === 'bomb').length).toBeLessThan(4);
      expect((await read(done(draft as Answer).id, author)).text).toContain('>天气晚来秋</p>');
      expect((await read(done(article as Answer).id)).text).toContain('>空山新雨后</p>');
      const crowded = (await Promise.all(bombs)).filter(({ status }) => status === 503);
      expect(crowded.length).toBeGreaterThan(0);
      for (const answer of crowded) {
        expect(outcome(answer)).toEqual(refused('等待排版的文章太多，请稍后再试', 503));
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
    },
  );
});

describe('an article that would make a heavy page', () => {
  const HEADINGS = '正文的标题不能超过 2000 个，请删减或分成几篇';

  test('is refused with the exceeded bound, the second time too, and changes nothing', async () => {
    const before = done(await server.post('/api/statistics', {}, author.token));
    const content = '# a\n'.repeat(5_000);
    for (let time = 0; time < 2; time++)
      expect(outcome(await publish(author, content))).toEqual(refused(HEADINGS));
    expect(done(await server.post('/api/statistics', {}, author.token))).toEqual(before);
  });

  test('is saved as a draft, whose page explains why it is empty and links to the editor', async () => {
    const { id } = done(await publish(author, '# a\n'.repeat(2_001), 'draft'));
    const { status, text } = await read(id, author);
    expect(status).toBe(200);
    expect(text).toContain('正文结构过于复杂，无法在限定时间内排版');
    expect(text).toContain(`href="/edit/${id}"`);
    expect((await read(id)).text).not.toContain('正文结构过于复杂');
  });

  test('within the bounds is cached in every encoding, even with the longest comments', async () => {
    // Six bytes of HTML per character, and text that does not compress.
    const random = Array.from({ length: 60_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    const content = [
      ...Array.from({ length: 1_400 }, (_, n) => `# ${random.slice(n * 20, n * 20 + 20).join('')}`),
      `\`${'&'.repeat(60_000)}\``,
    ].join('\n');
    const { id } = done(await publish(author, content));
    for (let n = 0; n < 20; n++)
      await server.comment(author, id, {
        content: random.slice(n * 2_000, n * 2_000 + 2_000).join(''),
      });
    const bytes: number[] = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': encoding };
      bytes.push(Buffer.byteLength((await server.send(`/detail/${id}`, { headers })).text));
      expect([encoding, server.app.pageCache?.has(`/detail/${id}`)]).toEqual([encoding, true]);
    }
    expect(bytes[0]).toBeGreaterThan(1_350_000);
  });
});

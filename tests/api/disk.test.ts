import { expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { allowWriting, emptyDisk, fillDisk, forbidWriting } from '../engines/full-disk.ts';
import { done, openServer, outcome, refused } from './server.ts';

test('while the disk is full, writes are refused with STORAGE_FULL, the health check reports it, and pages are served', async () => {
  const server = await openServer();
  try {
    const author = await server.join('王维');
    const id = await server.write(author);
    const health = async () => {
      const { status, text } = await server.send('/healthz');
      return [status, text];
    };
    expect(await health()).toEqual([200, 'ok\n']);
    const before = done(await server.post('/api/page/detail', { id }));
    const draft = await server.write(author, { status: 'draft', content: '山'.repeat(30_000) });
    const { viewer } = await server.app.services.auth.viewerOf(`Beare ${author.token}`);

    await fillDisk(server.app.db);
    const article = { title: '题', content: '长'.repeat(100_000), tags: ['诗'] };
    const full = refused('网站的磁盘已满，这次没有保存，也没有改动任何内容，请稍后再试', 503);
    const answers = [
      await server.post('/api/page/new', article, author.token),
      await server.post('/api/page/edit', { ...article, id }, author.token),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toEqual(full);
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    expect(await health()).toEqual([503, 'disk full\n']);
    expect(done(await server.post('/api/page/detail', { id }))).toEqual(before);
    expect((await server.send(`/detail/${id}`)).status).toBe(200);
    expect(done(await server.post('/api/page/pagelist')).total).toBe(1);
    // A draft is rendered when it is first read, and its HTML is stored only then; reading must work on a
    // full disk.
    expect(await server.app.services.articles.find(draft, viewer)).toMatchObject({ status: 'draft' });

    await emptyDisk(server.app.db);
    server.pass(5);
    expect(await health()).toEqual([200, 'ok\n']);
    done(await server.post('/api/page/new', article, author.token));
  } finally {
    await server.close();
  }
});

test('while storage is not writable, writes get 503, the health check reports it, and pages are served', async () => {
  const server = await openServer();
  try {
    const author = await server.join('王维');
    const id = await server.write(author);
    const health = async () => {
      const { status, text } = await server.send('/healthz');
      return [status, text];
    };
    await forbidWriting(server.app.db);
    const article = { title: '题', content: '长', tags: ['诗'] };
    const unavailable = refused('服务暂时不可用，请稍后再试', 503);
    for (const [path, fields] of [
      ['/api/page/new', article],
      ['/api/page/edit', { ...article, id }],
      ['/api/comment/create', { page_id: id, content: '好' }],
    ] as const) {
      const answer = await server.post(path, fields, author.token);
      expect(outcome(answer)).toEqual(unavailable);
      expect(answer.headers.get('retry-after')).not.toBe(null);
    }
    expect(await health()).toEqual([503, 'storage cannot be written\n']);
    expect((await server.send(`/detail/${id}`)).status).toBe(200);
    expect(done(await server.post('/api/page/pagelist')).total).toBe(1);

    if (ENGINE === 'sqlite') return;
    await allowWriting(server.app.db);
    server.pass(5);
    expect(await health()).toEqual([200, 'ok\n']);
    done(await server.post('/api/page/new', article, author.token));
  } finally {
    await server.close();
  }
});

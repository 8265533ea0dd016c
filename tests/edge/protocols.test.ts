import { expect, test } from 'vitest';
import { connectAssistant } from '../api/assistant.ts';
import { createToken, openEditor } from '../api/editor.ts';
import { clientOf } from '../api/server.ts';
import { openFronted } from '../e2e/site.ts';

test.for(['node', 'cloudflare'] as const)(
  'editors and assistants reach the API through a front on %s',
  async (kind, { onTestFinished }) => {
    const site = await openFronted(kind, { SITE_URL: 'https://blog.example' });
    onTestFinished(() => site.close());
    const front = clientOf(site.url);
    const author = await front.join('王维');
    const token = await createToken(front, author);

    expect((await front.get('/rsd.xml')).text).toContain('apiLink="https://blog.example/xmlrpc.php"');
    const editor = openEditor(site.url, { username: '王维', token });
    const post = { title: '鹿柴', description: '空山不见人', categories: ['诗'] };
    const id = await editor.act('metaWeblog.newPost', '1', post, true);
    const other = openEditor(site.url, { username: '王维', token }, '/api/xmlrpc');
    expect(await other.act('metaWeblog.getPost', id)).toMatchObject(post);
    expect(await other.fault('metaWeblog.getPost', 'f'.repeat(24))).toMatchObject({ faultCode: 404 });

    const status = async () => (await fetch(`${site.url}/mcp`, { method: 'POST' })).status;
    expect(await status()).toBe(404);
    await site.app.services.options.change({ mcp: true }, null);
    expect(await status()).toBe(401);
    const assistant = await connectAssistant(site.url, token);
    expect((await assistant.run('read_article', { id })).texts[1]).toBe('空山不见人');
    await assistant.client.close();
  },
);

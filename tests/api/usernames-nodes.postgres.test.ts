import { afterEach, expect, test } from 'vitest';
import { userUrl } from '../../src/lib/shared/urls.ts';
import { openNodes, type Nodes } from './nodes.ts';
import { done, PASSWORD } from './server.ts';

let nodes: Nodes;
afterEach(() => nodes?.close());

test('a username changed through A redirects on B, and B’s cached pages show the new one', async () => {
  nodes = await openNodes();
  const author = await nodes.a.join('林间');
  const paths = ['/home', `/detail/${await nodes.a.write(author)}`];
  for (const path of [...paths, userUrl('林间')]) expect((await nodes.b.get(path)).text).toContain('林间');
  const change = { username: '醉翁', password: PASSWORD };
  done(await nodes.a.post('/api/user/username', change, author.token));
  for (const path of paths) {
    const { text } = await nodes.b.get(path);
    expect([path, text.includes('醉翁'), text.includes('林间')]).toEqual([path, true, false]);
  }
  const { status, headers } = await nodes.b.send(userUrl('林间'));
  expect([status, headers.get('location')]).toEqual([301, userUrl('醉翁')]);
  expect((await nodes.b.get(userUrl('醉翁'))).text).toContain('醉翁');
});

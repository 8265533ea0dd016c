import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createRemoteBlog } from '../../../src/lib/blog/remote.ts';
import { openOrigin, unavailable } from '../../../src/lib/edge/origin.ts';
import { createEdgeRenderer } from '../../../src/lib/edge/rendering.ts';
import { article, comment, idOf, openFakeApi } from './fake-api.ts';

const AT = '2024-01-02T03:04:05.000Z';

test('activities are public articles, and comments rendered here whatever HTML the server sends', async () => {
  await using api = await openFakeApi();
  const ask = openOrigin(api.origin, { token: undefined, address: '203.0.113.7' });
  const blog = createRemoteBlog({ ask, unavailable, ...createEdgeRenderer() });
  const user = { _id: idOf(9), username: '林间', gender: 'x', create_time: AT, oauthinfo: [] };
  const activity = (type: string, content: { _id: string }) => ({
    _id: content._id,
    id: content._id,
    type,
    create_user: '林间',
    create_time: AT,
    update_time: AT,
    content,
  });
  const extras = { update_time: AT, type: '' };
  const result = [
    activity('page', article(1, extras)),
    activity('page', article(2, { ...extras, secret: true })),
    activity('comment', { ...comment(3), html: '<script>x</script>', content: '**好**' } as { _id: string }),
  ];
  api.answer = (request, response, { path }) =>
    void text(request).then((sent) => {
      const fields = new URLSearchParams(sent);
      const list = fields.get('create_user') === '林间' ? { result, total: 3 } : { result: [], total: 0 };
      const known = fields.get('username') === '林间';
      const info = known
        ? { code: 'OK', data: { ...user, page_num: 1, draft_num: 0, comment_num: 0 } }
        : { code: 'ERROR', data: '用户不存在' };
      const body = path === '/api/activity/getlist' ? { code: 'OK', data: list } : info;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  const found = await blog.readActivities('林间', 1);
  expect(found).toMatchObject({ user: { username: '林间' }, articleCount: 1, activities: { total: 3 } });
  expect(found?.activities.items).toMatchObject([
    { type: 'page', article: { id: idOf(1) } },
    { type: 'comment', comment: { html: '<p><strong>好</strong></p>' } },
  ]);
  expect(found?.activities.items).toHaveLength(2);
  expect(await blog.readActivities('没有', 1)).toBeNull();
});

import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { BLOG, createToken, openEditorStage } from './editor.ts';
import { done, type Untyped } from './server.ts';

const ORIGIN = 'https://blog.example';
const MARKDOWN =
  '# 山居\n\n空山新雨后 & <b>天气</b> ]]> &amp; 😀\n\n```js\nif (a < b && c) {}\n```\n\n| 甲 | 乙 |\n| - | - |\n| 1 | 2 |';

const { server, author, editor, create, source, seenByVisitors } = await openEditorStage({
  SITE_URL: ORIGIN,
  SITE_TITLE: '山居集',
});
afterAll(() => server.close());

describe('an editor', () => {
  test.each(['blogger.getUsersBlogs', 'metaWeblog.getUsersBlogs'])('finds the blog by %s', async (method) => {
    expect(await editor.act(method, 'key')).toEqual([
      {
        blogid: BLOG,
        blogName: '山居集',
        url: `${ORIGIN}/`,
        xmlrpc: `${ORIGIN}/xmlrpc.php`,
        isAdmin: false,
      },
    ]);
  });

  test('finds the address of XML-RPC in the head of a page', async () => {
    expect((await server.get('/home')).text).toContain(
      '<link rel="EditURI" type="application/rsd+xml" href="/rsd.xml">',
    );
    const { headers, text } = await server.get('/rsd.xml');
    expect(headers.get('content-type')).toBe('application/rsd+xml; charset=utf-8');
    expect(text).toContain(
      `<api name="MetaWeblog" blogID="${BLOG}" preferred="true" apiLink="${ORIGIN}/xmlrpc.php"></api>`,
    );
  });

  test('learns which methods and text formats there are', async () => {
    const methods = (await editor.call('mt.supportedMethods')) as string[];
    expect(methods).toEqual(await editor.call('system.listMethods'));
    expect(methods).toContain('metaWeblog.newPost');
    expect(methods).not.toContain('system.multicall');
    expect(await editor.call('mt.supportedTextFilters')).toEqual([{ key: 'markdown', label: 'Markdown' }]);
  });

  test('publishes Markdown as it is, with categories and keywords as tags', async () => {
    const id = await create({
      description: MARKDOWN,
      categories: ['诗', '山水'],
      mt_keywords: '王维, 诗，唐',
      mt_excerpt: '一首诗',
      mt_allow_comments: 0,
    });
    expect(await source(id)).toMatchObject({
      title: '鹿柴',
      content: MARKDOWN,
      tags: ['诗', '山水', '王维', '唐'],
      description: '一首诗',
      comments_closed: true,
      status: 'normal',
      secret: false,
    });
    expect(await seenByVisitors(id)).toBe(MARKDOWN);
  });

  test('also at /api/xmlrpc, without a type around texts', async () => {
    const token = await createToken(server, author);
    const value = (text: string) => `<param><value>${text}</value></param>`;
    const { text } = await server.raw(
      '/api/xmlrpc',
      `<?xml version="1.0"?><methodCall><methodName>metaWeblog.newPost</methodName><params>${value(BLOG)}${value('王维')}${value(token)}${value('<struct><member><name>title</name><value>辛夷坞</value></member></struct>')}</params></methodCall>`,
      { type: 'text/xml' },
    );
    const id = /<string>([0-9a-f]{24})<\/string>/.exec(text)?.[1] ?? '';
    expect(await source(id)).toMatchObject({ title: '辛夷坞', status: 'draft' });
  });

  test('saves a draft that only mt.publishPost shows to readers', async () => {
    const id = await create({}, false);
    expect(await seenByVisitors(id)).toBeNull();
    expect((await editor.act('metaWeblog.getPost', id)).post_status).toBe('draft');
    expect(await editor.act('mt.publishPost', id)).toBe(true);
    expect(await seenByVisitors(id)).toBe('空山不见人');
  });

  test('post_status makes a post a draft or secret', async () => {
    const draft = await create({ post_status: 'draft' });
    expect(await source(draft)).toMatchObject({ status: 'draft' });
    const secret = await create({ post_status: 'private' });
    expect(await source(secret)).toMatchObject({ status: 'normal', secret: true });
    expect(await seenByVisitors(secret)).toBeNull();
  });

  test('a text after the excerpt is joined to it by the line 阅读全文', async () => {
    const id = await create({ mt_text_more: '但闻人语响' });
    expect(await seenByVisitors(id)).toBe('空山不见人\n\n但闻人语响');
    const { result } = done(await server.post('/api/page/pagelist', {}));
    expect(result.find(({ _id }: Untyped) => _id === id)).toMatchObject({
      content: '空山不见人',
      showMore: true,
    });
  });

  test('reads a post, and writing it back changes nothing', async () => {
    const id = await create({ description: MARKDOWN, mt_excerpt: '一首诗', mt_keywords: '唐' });
    const before = await source(id);
    const post = await editor.act('metaWeblog.getPost', id);
    expect(post).toEqual({
      postid: id,
      userid: '王维',
      title: '鹿柴',
      description: MARKDOWN,
      mt_text_more: '',
      mt_excerpt: '一首诗',
      mt_keywords: '',
      mt_allow_comments: 1,
      categories: ['诗', '唐'],
      link: `${ORIGIN}/detail/${id}`,
      permaLink: `${ORIGIN}/detail/${id}`,
      post_status: 'publish',
      dateCreated: expect.any(Date),
      date_created_gmt: expect.any(Date),
    });
    expect(post.dateCreated.getTime()).toBe(Math.trunc(Date.parse(before.create_time) / 1000) * 1000);
    expect(await editor.act('metaWeblog.editPost', id, post, true)).toBe(true);
    expect(await source(id)).toEqual({ ...before, update_time: expect.any(String) });
  });

  test('changes only what it sends', async () => {
    const id = await create({ mt_excerpt: '一首诗' });
    await editor.act('metaWeblog.editPost', id, { title: '竹里馆', mt_keywords: '' }, true);
    expect(await source(id)).toMatchObject({
      title: '竹里馆',
      content: '空山不见人',
      tags: ['诗'],
      description: '一首诗',
    });
  });

  test('changes a published post without readers seeing it until it is published', async () => {
    const id = await create();
    await editor.act('metaWeblog.editPost', id, { description: '返景入深林' }, false);
    expect(await seenByVisitors(id)).toBe('空山不见人');
    expect((await editor.act('metaWeblog.getPost', id)).description).toBe('返景入深林');
    await editor.act('metaWeblog.editPost', id, { title: '鹿柴（改）' }, true);
    expect(await seenByVisitors(id)).toBe('返景入深林');
    expect(await source(id)).not.toHaveProperty('revision');
  });

  test('does not publish over a change made elsewhere', async () => {
    const id = await create();
    await editor.act('metaWeblog.editPost', id, { description: '返景入深林' }, false);
    done(await server.post('/api/page/edit', { id, title: '甲', content: '乙', tags: ['诗'] }, author.token));
    expect(await editor.fault('mt.publishPost', id)).toEqual({
      faultCode: 409,
      faultString: '文章有未发布的修改，又在别处改过，请先在网站的编辑器里合并',
    });
    expect(await seenByVisitors(id)).toBe('乙');
  });

  test('lists recent posts and drafts with their whole texts, newest first', async () => {
    const draft = await create({ title: '草稿' }, false);
    const long = await create({ description: MARKDOWN, mt_text_more: '后文' });
    const posts = await editor.act('metaWeblog.getRecentPosts', BLOG, 2);
    expect(posts.map(({ postid }: Untyped) => postid)).toEqual([long, draft]);
    expect(posts[0].description).toBe(`${MARKDOWN}\n\n<!--more-->\n\n后文`);
    expect(posts[1]).toEqual(await editor.act('metaWeblog.getPost', draft));
    const titles = await editor.act('mt.getRecentPostTitles', BLOG, 1);
    expect(titles).toEqual([
      {
        postid: long,
        userid: '王维',
        title: '鹿柴',
        dateCreated: expect.any(Date),
        date_created_gmt: expect.any(Date),
      },
    ]);
  });

  test('lists tags as categories, and sets those of a post', async () => {
    const id = await create({ categories: ['诗', '唐'] });
    expect(await editor.act('metaWeblog.getCategories', BLOG)).toContainEqual({
      categoryId: '唐',
      parentId: '0',
      categoryName: '唐',
      description: '唐',
      htmlUrl: `${ORIGIN}/tag/detail/%E5%94%90`,
      rssUrl: `${ORIGIN}/feed/tag/%E5%94%90/feed.xml`,
    });
    expect(await editor.act('mt.getCategoryList', BLOG)).toContainEqual({
      categoryId: '唐',
      categoryName: '唐',
    });
    const wanted = [{ categoryId: '唐', isPrimary: true }, { categoryId: '五绝' }];
    expect(await editor.act('mt.setPostCategories', id, wanted)).toBe(true);
    expect(await editor.act('mt.getPostCategories', id)).toEqual([
      { categoryId: '唐', categoryName: '唐', isPrimary: true },
      { categoryId: '五绝', categoryName: '五绝', isPrimary: false },
    ]);
    expect(await editor.fault('mt.setPostCategories', id, [])).toMatchObject({ faultCode: -32602 });
    expect(await source(id)).toMatchObject({ tags: ['唐', '五绝'] });
  });

  test('uploads a picture, whose address in a post becomes relative', async () => {
    const bits = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
    const made = await editor.act('metaWeblog.newMediaObject', BLOG, {
      name: '图 1.png',
      type: 'image/png',
      bits,
    });
    expect(made).toMatchObject({ type: 'image/png', url: `${ORIGIN}/api/file/${made.file}` });
    expect((await fetch(`${server.url}/api/file/${made.file}`)).status).toBe(200);
    const id = await create({ description: `![图](${made.url})` });
    expect(await source(id)).toMatchObject({ content: `![图](/api/file/${made.file})` });
    const { result } = done(await server.post('/api/file/pictures', {}, author.token));
    expect(result[0].uses).toContainEqual({ place: 'article', id, title: '鹿柴' });
  });

  test.each(['blogger.deletePost', 'metaWeblog.deletePost'])(
    '%s moves a post to the trash',
    async (method) => {
      const id = await create();
      expect(await editor.act(method, id, true)).toBe(true);
      expect(await seenByVisitors(id)).toBeNull();
      const { result } = done(await server.post('/api/page/trash', {}, author.token));
      expect(result.map(({ _id }: Untyped) => _id)).toContain(id);
    },
  );
});

import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipWriter } from '@zip.js/zip.js';
import { writeDump } from './mongo-dump.ts';
import { manyArticles } from './old-blog.ts';

const PARAGRAPH =
  '空山新雨后，天气晚来秋。明月松间照，清泉石上流。竹喧归浣女，莲动下渔舟。随意春芳歇，王孙自可留。';
const HTML = [
  '<h2>小标题</h2>',
  `<p>${PARAGRAPH.repeat(8)}</p>`,
  '<p>正文<strong>加粗</strong>，<a href="https://example.org/a">链接</a>和<code>代码</code>。</p>',
  '<pre><code class="language-js">const sum = (a, b) =&gt; a + b;\nconsole.log(sum(1, 2));</code></pre>',
  `<ul><li>一</li><li>二</li></ul><p>${PARAGRAPH.repeat(4)}</p>`,
].join('\n');
/** Returns the HTML of an article. @param next address of the next article */
const textOf = (number: number, next: string): string =>
  `<p>独特词${number}</p>\n${HTML}\n<p><a href="${next}">下一篇</a></p>`;
const day = (number: number): string => new Date(Date.UTC(2010, 0, 1 + (number % 3000))).toISOString();
const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/**
 * Writes the export of a site with `count` articles into `folder`; returns the argument of the import
 * command.
 */
type WriteSite = (folder: string, count: number) => string | Promise<string>;

/**
 * A site of each product that can be imported, by the name that the command uses. Each article has about 2 KB
 * and a link to the next one, and one comment if the product has comments.
 */
export const foreignSites: Record<string, WriteSite> = {
  mongo: (folder, count) => writeDump(folder, manyArticles(count, PARAGRAPH.repeat(14)), 'archive --gzip'),
  wordpress: (folder, count) => written(join(folder, 'site.xml'), wordpress(count)),
  ghost: (folder, count) => written(join(folder, 'ghost.json'), ghost(count)),
  typecho: (folder, count) => written(join(folder, 'dump.sql'), typecho(count)),
  halo: writeHalo,
};

async function written(file: string, parts: Iterable<string>): Promise<string> {
  await pipeline(Readable.from(parts), createWriteStream(file));
  return file;
}

function* wordpress(count: number): Generator<string> {
  const spaces = ['excerpt', 'wp'].map((name) => `xmlns:${name}="http://wordpress.org/export/1.2/${name}/"`);
  yield `<?xml version="1.0" encoding="UTF-8" ?><rss version="2.0" ${spaces.join(' ').replace('1.2/wp/', '1.2/')}
xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>旧站</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>admin</wp:author_login></wp:author>`;
  for (const number of numbers(count)) {
    const date = day(number).slice(0, 19).replace('T', ' ');
    yield `<item><title>第 ${number} 篇</title><link>https://old.example/${number}/</link>
<dc:creator>admin</dc:creator><content:encoded><![CDATA[${textOf(number, `https://old.example/${(number + 1) % count}/`)}]]></content:encoded>
<wp:post_id>${number + 1}</wp:post_id><wp:post_date_gmt>${date}</wp:post_date_gmt>
<wp:post_name>p${number}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
<category domain="post_tag" nicename="t${number % 7}">标签${number % 7}</category>
<wp:comment><wp:comment_id>${number + 1}</wp:comment_id><wp:comment_author>读者${number % 50}</wp:comment_author>
<wp:comment_date_gmt>${date}</wp:comment_date_gmt><wp:comment_content>评论 ${number}</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent>
<wp:comment_user_id>0</wp:comment_user_id></wp:comment></item>\n`;
  }
  yield '</channel></rss>\n';
}

function* ghost(count: number): Generator<string> {
  const user = { id: 'u1', name: '王五', slug: 'wangwu', email: 'wang@old.example', status: 'active' };
  const tag = { id: 'g1', name: '生活', slug: 'life', visibility: 'public' };
  const settings = [{ id: 's1', key: 'title', value: '旧站' }];
  yield `{"db":[{"meta":{"version":"5.80.0"},"data":{"posts":[`;
  for (const number of numbers(count)) {
    const [published_at, created_at] = [day(number), day(number)];
    const html = textOf(number, `__GHOST_URL__/p${(number + 1) % count}/`);
    const facts = { type: 'post', status: 'published', visibility: 'public', created_at, published_at };
    const post = { id: `p${number}`, title: `第 ${number} 篇`, slug: `p${number}`, html, ...facts };
    yield `${number === 0 ? '' : ','}${JSON.stringify(post)}`;
  }
  const links = (name: string, value: string) =>
    JSON.stringify(
      numbers(count).map((each) => ({ id: `${value}${each}`, post_id: `p${each}`, [name]: value })),
    );
  yield `],"posts_authors":${links('author_id', 'u1')},"posts_tags":${links('tag_id', 'g1')},`;
  yield `"tags":${JSON.stringify([tag])},"users":${JSON.stringify([user])},"settings":${JSON.stringify(settings)}}}]}\n`;
}

function* typecho(count: number): Generator<string> {
  const TABLES = {
    contents: 'cid title slug created modified text order authorId template type status password',
    comments: 'coid cid created author authorId ownerId mail url ip agent text type status parent',
    users: 'uid name password mail url screenName created group',
    metas: 'mid name slug type description count order parent',
    relationships: 'cid mid',
    options: 'name user value',
  };
  yield '-- MySQL dump 10.13\n';
  for (const [name, columns] of Object.entries(TABLES))
    yield `CREATE TABLE \`t_${name}\` (${columns.replace(/\w+/g, '`$&` longtext').replaceAll('longtext ', 'longtext, ')});\n`;
  yield `INSERT INTO \`t_users\` VALUES (1,'admin','$P$B','a@old.example',NULL,'站长',1262304000,'administrator');\n`;
  yield `INSERT INTO \`t_metas\` VALUES (1,'生活','life','tag',NULL,1,0,0);\n`;
  yield `INSERT INTO \`t_options\` VALUES ('siteUrl',0,'https://old.example');\n`;
  const text = (number: number) =>
    textOf(number, `https://old.example/archives/${((number + 1) % count) + 1}/`)
      .replaceAll("'", String.raw`\'`)
      .replaceAll('\n', String.raw`\n`);
  for (const number of numbers(count)) {
    const [id, time] = [number + 1, Date.parse(day(number)) / 1000];
    yield `INSERT INTO \`t_contents\` VALUES (${id},'第 ${number} 篇','p${number}',${time},${time},'${text(number)}',0,1,NULL,'post','publish',NULL);
INSERT INTO \`t_comments\` VALUES (${id},${id},${time},'读者${number % 50}',0,1,'','','','','评论 ${number}','comment','approved',0);
INSERT INTO \`t_relationships\` VALUES (${id},1);\n`;
  }
  yield '-- Dump completed\n';
}

async function writeHalo(folder: string, count: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'backup.zip');
  const output = createWriteStream(file);
  const zip = new ZipWriter(Writable.toWeb(output), { useWebWorkers: false });
  await zip.add('extensions.data', {
    readable: Readable.toWeb(Readable.from(halo(count))) as ReadableStream,
  });
  const closed = once(output, 'close');
  await zip.close();
  await closed;
  return file;
}

function* halo(count: number): Generator<Buffer> {
  const row = (path: string, name: string, spec: object, more: object = {}): string => {
    const metadata = { name, version: 1, creationTimestamp: day(0) };
    const data = Buffer.from(JSON.stringify({ spec, metadata, ...more })).toString('base64');
    return JSON.stringify({ name: `/registry/${path}/${name}`, data, version: 1 });
  };
  const group = 'content.halo.run';
  const basic = JSON.stringify({ title: '旧站', externalUrl: 'https://old.example' });
  yield Buffer.from(
    `[${row('configmaps', 'system', {}, { data: { basic } })},${row('users', 'admin', { displayName: '站长' })}`,
  );
  yield Buffer.from(`,${row(`${group}/tags`, 't1', { displayName: '生活', slug: 'life' })}`);
  for (const number of numbers(count)) {
    const [name, snapshot, time] = [`p${number}`, `s${number}`, day(number)];
    const subjectRef = { group, version: 'v1alpha1', kind: 'Post', name };
    const html = textOf(number, `/archives/p${(number + 1) % count}`);
    const post = {
      title: `第 ${number} 篇`,
      slug: name,
      owner: 'admin',
      releaseSnapshot: snapshot,
      headSnapshot: snapshot,
      baseSnapshot: snapshot,
      deleted: false,
      publish: true,
      publishTime: time,
      visible: 'PUBLIC',
      tags: ['t1'],
      categories: [],
    };
    const text = {
      subjectRef,
      rawType: 'HTML',
      rawPatch: html,
      contentPatch: html,
      owner: 'admin',
    };
    const owner = { kind: 'Email', name: `r${number % 50}@b.example`, displayName: `读者${number % 50}` };
    const said = { raw: `评论 ${number}`, content: `评论 ${number}`, owner, approved: true, hidden: false };
    const comment = { ...said, creationTime: time, subjectRef };
    const status = { phase: 'PUBLISHED', permalink: `/archives/${name}`, lastModifyTime: time };
    const rows = [
      row(`${group}/posts`, name, post, { status }),
      row(`${group}/snapshots`, snapshot, text),
      row(`${group}/comments`, `c${number}`, comment),
    ];
    yield Buffer.from(`,${rows.join(',')}`);
  }
  yield Buffer.from(']');
}

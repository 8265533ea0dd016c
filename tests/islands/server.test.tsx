import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import CommentThread from '../../src/islands/comments/CommentThread.tsx';
import OwnerActions from '../../src/islands/dashboards/articles/OwnerActions.tsx';
import HeaderControls from '../../src/islands/header/HeaderControls.tsx';
import BioEditor from '../../src/islands/profile/BioEditor.tsx';
import { NotLoaded } from '../../src/islands/ui/island.tsx';

const strip = (html: string) => html.replaceAll(/ class="[^"]*"/g, '');
const note = strip(renderToStaticMarkup(<NotLoaded />));
/** HTML of an island in a cached page, which is the same for every reader; without the note at its end. */
const draw = (island: ReactElement) => strip(renderToStaticMarkup(island)).replace(note, '');

const printed = [2, 1].map((number) => ({
  _id: String(number).repeat(24),
  content: `第 ${number} 条 <b>`,
  create_user: number === 1 ? '林间' : '路人',
  create_time: '2025-12-31T16:05:00.000Z',
  reply_user: '',
  reply_content: '',
  authorAvatar: '',
}));
const thread = {
  articleId: 'a'.repeat(24),
  author: '林间',
  timeZone: 'Asia/Shanghai',
  isClosed: false,
  page: 1,
  order: 'newest',
  path: '/a/ti',
} as const;

describe('rendered on the server', () => {
  test('the header has the controls for visitors and users, and no user data', () => {
    const html = draw(<HeaderControls path="/home?page=2" />);
    expect(html).toContain('<a href="/signin?redirect=%2Fhome%3Fpage%3D2" data-for="visitor">登录</a>');
    expect(html).toMatch(/<a href="\/comment\/list" data-for="user" aria-label="评论"/);
    expect(html).toContain('aria-label="账户" aria-expanded="false"');
    expect(html).not.toContain('退出');
  });

  test('a thread has its comments as text, their dates, and no buttons', () => {
    const html = draw(<CommentThread {...thread} printed={printed} total={2} />);
    for (const text of ['第 2 条 &lt;b&gt;', '第 1 条 &lt;b&gt;', '>2026-01-01</time>'])
      expect(html).toContain(text);
    expect(html.match(/<li id="UI-comment-/g)).toHaveLength(2);
    expect(html.match(/>作者</g)).toHaveLength(1);
    expect(html).toMatch(/data-for="visitor"><span><a href="\/signin\?redirect=/);
    expect(html).not.toMatch(/<button|<textarea/);
  });

  test('a thread links to its further pages, and counts all comments', () => {
    const pages = <a href="?page=2">下一页</a>;
    const html = draw(
      <CommentThread {...thread} printed={printed} total={1000}>
        {pages}
      </CommentThread>,
    );
    expect(html).toContain('<a href="?page=2">下一页</a>');
    expect(html).toContain('评论<span>1000</span>');
    expect(html).not.toContain('显示更多评论');
  });

  test('a thread without comments says so', () => {
    expect(draw(<CommentThread {...thread} printed={[]} total={0} />)).toContain('还没有人评论');
  });

  test('controls of the owner are absent', () => {
    expect(draw(<OwnerActions id="a" title="题" author="林间" isDraft={false} />)).toBe('');
    const texts = { display_name: '', bio: '山里', website: '', profile_links: '' };
    expect(draw(<BioEditor username="林间" profile={{ ...texts, gender: 'x' }} />)).toBe(
      '<p dir="auto">山里</p>',
    );
  });
});

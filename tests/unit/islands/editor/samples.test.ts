import { expect, test } from 'vitest';
import { BUILT_IN } from '../../../../src/islands/editor/templates/built-in.ts';
import { SAMPLES } from '../../../../src/islands/editor/help/samples.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';

/** HTML that each sample must produce on the article's page. */
const MADE: Record<string, RegExp> = {
  标题: /<h2[\s\S]*<h3/,
  文字: /<strong>[\s\S]*<em>[\s\S]*<del>[\s\S]*<code>[\s\S]*<br>/,
  链接: /<a href="\/home"[\s\S]*<a href="https:\/\/example\.com"/,
  列表: /<ul[\s\S]*<ul[\s\S]*<ol/,
  任务列表: /type="checkbox"/,
  引用: /<blockquote/,
  代码块: /<pre[\s\S]*<span/,
  代码块的标题和标记: /<span>墨\.js<[\s\S]*line-marked[\s\S]*line-removed[\s\S]*line-added/,
  公式: /<math>[\s\S]*价格 \$5 不是[\s\S]*<math display="block"/,
  流程图: /<figure class="diagram"[\s\S]*aria-label="流程图"/,
  时序图: /<figure class="diagram"[\s\S]*aria-label="时序图"/,
  表格: /<table/,
  提示块: /callout-tip/,
  '提示块（GitHub 写法）': /callout-note/,
  折叠块: /<details/,
  名词解释: /<dl[\s\S]*<dt[\s\S]*<dd/,
  图片说明: /<figure[\s\S]*<figcaption/,
  脚注: /footnotes/,
  分隔线: /<hr/,
};

test.each(SAMPLES)('the renderer knows $name as the help says', async ({ name, source }) => {
  const { html } = await renderMarkdown(source);
  expect(html).toMatch(MADE[name] ?? /^$/);
});

test.each(BUILT_IN)('the template $name can be published as it is', async ({ content }) => {
  const { html, summary } = await renderMarkdown(content);
  expect(html).toContain('<h2');
  expect(summary).not.toContain('阅读全文');
});

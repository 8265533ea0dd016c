import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

/** Text that fills a line, so that the block can be justified. */
const FILL = '这一段话要足够长，长到在页面上折成好几行，才谈得上两端对齐。';

const htmlOf = async (source: string) => (await renderMarkdown(source)).html;

describe('lines may break anywhere', () => {
  test.each([
    ['a bare address', 'https://a.cn/b'],
    ['an address in angle brackets', '<https://a.cn/b>'],
    ['an address without a scheme', 'www.a.cn/b'],
    ['inline code of 25 characters', `\`${'x'.repeat(25)}\``],
    ['inline code of 15 Chinese characters', `\`${'字'.repeat(15)}\``],
  ])('in %s', async (_name, source) => {
    expect(await htmlOf(`见 ${source} 。${FILL}`)).toContain('class="breakable"');
  });

  test.each([
    ['a link with another text', '[官方文档](https://a.cn/b)'],
    ['a link whose text only begins with an address', '[https://a.cn 的文档](https://a.cn/b)'],
    ['inline code of 24 characters', `\`${'x'.repeat(24)}\``],
    ['inline code of few Chinese characters', `\`${'字'.repeat(12)}\``],
    ['a block of code', `\n\n\`\`\`\n${'x'.repeat(80)}\n\`\`\`\n\n`],
    ['a formula', `$${'x+'.repeat(15)}x$`],
  ])('but not in %s', async (_name, source) => {
    expect(await htmlOf(`见${source} 。${FILL}`)).not.toContain('breakable');
  });
});

describe('a line may break between Chinese and code', () => {
  test.each([
    ['that is a path', '变量：`/etc/profile`、'],
    ['that is an option', '参数`--version`。'],
    ['that is a file with a dot', '文件、`.bashrc`'],
    ['in bold', '**文件、`.bashrc`**'],
  ])('%s', async (_name, source) => {
    expect(await htmlOf(source)).toContain('<wbr><code>');
  });

  test.each([
    ['after an opening bracket', '文件（`.bashrc`）'],
    ['that begins with a letter, where it may anyway', '文件`bashrc`'],
    ['after a space, where it may anyway', '文件 `.bashrc`'],
    ['after Latin letters', 'file`.bashrc`'],
    ['that is a formula', '设$-x$为'],
    ['that is a block', '文件、\n```\n.bashrc\n```'],
  ])('but is not told so %s', async (_name, source) => {
    expect(await htmlOf(source)).not.toContain('<wbr>');
  });
});

describe('a block stays ragged', () => {
  test.each([
    ['with short inline code', `\`HashMap\`。${FILL}`],
    ['with short inline code with spaces', `\`a b c d e\`。${FILL}`],
    ['with a long word', `ConcurrentHashMap。${FILL}`],
    ['with a long word in bold', `**Concurrent**HashMap。${FILL}`],
    ['with short code after long code', `\`${'x'.repeat(40)}\`返回一个 \`HashMap\`，`],
    ['with a formula', `$E=mc^2+1$。${FILL}`],
    ['with a picture in the line', `![图](https://a.cn/b.png)。${FILL}`],
    ['with much punctuation in a row', `他说：“丢脸！”。${FILL}`],
    ['with an ellipsis', `还有别的……${FILL}`],
    ['with a path that is no address', `/usr/local/bin/moye。${FILL}`],
  ])('%s', async (_name, source) => {
    expect(await htmlOf(source)).toMatch(/^<p[^>]* class="ragged"/);
    expect(await htmlOf(`- ${source}`)).toContain('<li class="ragged"');
  });

  test.each([
    ['Chinese text', FILL],
    ['short words', `用 Java 写。${FILL}`],
    ['a speech', `他说：“好，就这样办。”${FILL}`],
    ['short words before punctuation', `用 SQL，再用 JVM。${FILL}`],
    ['an address', `见 https://docs.spring.io/spring-boot/docs 。${FILL}`],
    ['long inline code', `\`${'x'.repeat(30)}\`。${FILL}`],
    ['a text of one line', '调用 `ConcurrentHashMap` 就好。'],
    ['long words on other lines', `- ${FILL}\n  - ConcurrentHashMap`],
  ])('but not with %s', async (_name, source) => {
    expect(await htmlOf(source)).not.toContain('ragged');
  });

  test('and keeps its other classes', async () => {
    expect(await htmlOf(`- [ ] ConcurrentHashMap。${FILL}`)).toContain('class="task-list-item ragged"');
  });
});

import { describe, expect, test } from 'vitest';
import { hideParts } from '../../../src/lib/markdown-file/hidden-parts.ts';

const shown = (text: string, isHtml = false) => {
  const kept = hideParts(text, { omits: false, isHtml });
  expect(kept.text).toBe(text);
  const { text: rest, isSecret, warnings } = hideParts(text, { omits: true, isHtml });
  return { isHidden: kept.isSecret, warning: kept.warnings[0], rest, isSecret, warnings };
};

describe('markers of plugins and themes', () => {
  test.each([
    '[hide]秘密[/hide]',
    '[hide reply]秘密[/hide]',
    '[hide=100]秘密[/hide]',
    '[login]秘密[/login]',
    '[reply]秘密[/reply]',
    '[pay price=5]秘密[/pay]',
    '[vip]秘密[/vip]',
    '[members_only]秘密[/members_only]',
    '[ihc-hide-content ihc_mb_type="show"]秘密[/ihc-hide-content]',
    '[rcp_restrict paid="true"]秘密[/rcp_restrict]',
    '[wcm_restrict plans="gold"]秘密[/wcm_restrict]',
    '[erphpdown]秘密[/erphpdown]',
    '[password]秘密[/password]',
    '[secret key="1" tip="x"]秘密[/secret]',
    '[private]秘密[/private]',
    '[bkc]秘密[/bkc]',
    '[ppblock ex="请输入密码"]秘密[/ppblock]',
    '[hidecontent type="reply"]秘密[/hidecontent]',
    '[content_hide]秘密[/content_hide]',
    '[rihide]秘密[/rihide]',
    '[s2If current_user_can(access_s2member_level1)]秘密[/s2If]',
    '[HIDE]秘密[/Hide]',
    '[hide][下载](https://pan.example/秘密)[/hide]',
    String.raw`\[hide\]秘密\[/hide\]`,
    '{hide}秘密{/hide}',
    '{login}秘密{/login}',
    '{% hide %}秘密{% endhide %}',
    '{{< secret >}}秘密{{< /secret >}}',
    '{{% hugo-encryptor "密钥" %}}秘密{{% /hugo-encryptor %}}',
    '<!--hide-->秘密<!--/hide-->',
    '<!--hide start-->秘密<!--hide end-->',
    '<!-- login -->秘密<!-- end login -->',
    '<!-- wp:zibllblock/hide-content {"type":"pay"} -->秘密<!-- /wp:zibllblock/hide-content -->',
    '<!-- wp:premium-content/container -->秘密<!-- /wp:premium-content/container -->',
    '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free"-->秘密<!--kg-gated-block:end-->',
    '<MembersOnly plan="gold">秘密</MembersOnly>',
    '<joe-hide>秘密</joe-hide>',
    '[登录可见]秘密[/登录可见]',
    '【回复可见】秘密【/回复可见】',
    '［hide］秘密［／hide］',
    '<!-- 隐藏开始 -->秘密<!-- 隐藏结束 -->',
    '[仅会员可见]秘密[/仅会员可见]',
  ])('%s', (part) => {
    const text = `公开${part}也公开`;
    const { isHidden, rest, isSecret } = shown(text);
    expect([isHidden, rest, isSecret]).toEqual([true, '公开也公开', false]);
  });

  test('across blocks, with line numbers kept', () => {
    const text = '公开\n\n[hide]\n秘密\n\n- 一\n- 二\n[/hide]\n\n完\n\n::: hidden 标题\n秘密\n:::\n\n后\n';
    const { rest, warnings } = shown(text);
    expect(rest).toBe('公开\n\n\n\n\n\n\n\n\n完\n\n\n\n\n\n后\n');
    expect(warnings).toEqual(['已略去隐藏部分（hide、hidden）']);
  });

  test('nested and overlapping parts are hidden from the first marker to the last', () => {
    expect(shown('甲[hide]乙[hide]丙[/hide]丁[/hide]戊').rest).toBe('甲戊');
    expect(shown('甲[hide]乙[login]丙[/hide]丁[/login]戊').rest).toBe('甲戊');
    expect(shown('甲[hide]乙{hide}丙{/hide}丁[/hide]戊').rest).toBe('甲戊');
  });

  test('the report names each kind once', () => {
    expect(shown('[hide]a[/hide][hide]b[/hide]{login}c{/login}').warning).toBe(
      '含有隐藏内容（hide、login），已导入为私密',
    );
  });
});

describe('a marker without its counterpart', () => {
  test.each([
    '公开\n\n[hide]\n秘密',
    '公开[hide]秘密',
    '公开\n[login]秘密',
    '公开[pay price=5]秘密',
    '公开\n\n[登录可见]\n秘密',
    '公开<!--members-only-->秘密',
    '公开\n:::hide\n秘密',
    '秘密[/hide]公开',
    '公开[hide]秘密[hide]秘密[/hide]秘密',
    '公开[hide]秘密{/hide}秘密',
    '[hide]\n```\n[/hide]\n```\n秘密',
    '[[hide]秘密[/hide]',
  ])('makes the article secret, even where hidden parts are left out: %j', (text) => {
    const { isHidden, rest, isSecret, warnings } = shown(text);
    expect([isHidden, rest, isSecret]).toEqual([true, text, true]);
    expect(warnings[0]).toMatch(/^隐藏内容的标记不成对（.+），已导入为私密$/);
  });
});

describe('text that hides nothing', () => {
  test.each([
    '`[hide]…[/hide]` 是短代码',
    '```\n[hide]\n秘密\n[/hide]\n```',
    '    [hide]示例[/hide]',
    '<pre>[hide]示例[/hide]</pre>',
    '[[hide]示例[/hide]]',
    '[login](https://example.com) 与 [reply][1]、[password]',
    '请点击[登录]按钮，【密码】1234，【会员】价 5 元，[回复](#c)',
    '把 {password} 换成密码，{{ password }} 与 ${hidden}',
    '$h_{hidden}$、a[hidden]、List<Secret>、<password>',
    '{% hideToggle 更多 %}折叠{% endhideToggle %}{% hideInline 内容 %}',
    '[[password]] 与 ![[secret.png]]',
    '[Hidden Markov Model] 与 [replay]',
    '[hide/] {login /} <Hidden />',
    '<!--more--> <!--nextpage--> <!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->',
    '<!-- wp:premium/heading -->a<!-- /wp:premium/heading --><!-- wp:loginout /-->',
    '[display]a[/display]{card-list}b{/card-list}[payload]c[/payload]',
    '[login-form]a[/login-form]',
    '[visitor]游客看得到[/visitor]',
    '::: tip\n提示\n:::',
    '## 标题 {#hide .hidden}',
  ])('%s', (text) => {
    expect(shown(text)).toMatchObject({ isHidden: false, rest: text, isSecret: false, warnings: [] });
  });

  test('words about code elements do not turn the text between them into code', () => {
    expect(shown('`<pre>` 标签\n\n[hide]秘密[/hide]\n\n`</pre>` 结束').isHidden).toBe(true);
    expect(shown('<code>\n\n[hide]秘密[/hide]\n\n<code>x</code>').isHidden).toBe(true);
  });

  test('in HTML only its own elements are code', () => {
    expect(shown('    [hide]秘密[/hide]', true).rest).toBe('    ');
    expect(shown('<pre>[hide]示例[/hide]</pre>', true).isHidden).toBe(false);
    expect(shown('<td>[hide]<b>秘密</b></td><td>[/hide]完</td>', true).rest).toBe('<td>完</td>');
  });
});

test.each([
  '[hide',
  '[hide]',
  '[/hide]',
  '{hide',
  '<!--hide',
  '{% hide ',
  '{{< hide ',
  '<hide',
  ':::hide\n',
  '［hide',
])('2 MB of %s are read once', (part) => {
  const text = part.repeat(2_000_000 / part.length);
  expect(hideParts(text, { omits: true, isHtml: true }).text).toBe(text);
});

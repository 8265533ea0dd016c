import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';
import { contactsIn, countLinks } from '../../../src/lib/server/moderation/contacts.ts';
import { articleAsRead, commentAsRead } from '../../../src/lib/server/moderation/review/article-change.ts';
import { isSmallChange, type JudgedText } from '../../../src/lib/server/moderation/review/change-size.ts';
import { NOTHING } from '../../../src/lib/contract/rules/authored-fields.ts';
import { CORPUS, CORPUS_TIMEOUT_MS, hasCorpus } from '../../engines/import-stage.ts';

const article = async (content: string, more: object = {}): Promise<JudgedText> =>
  articleAsRead({ ...NOTHING, title: '山居秋暝', content, ...more }, await renderMarkdown(content));

/** Pseudo-random numbers below `most`, the same in each run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % most;
  };
}

const PARAGRAPHS = [
  '空山新雨后，天气晚来秋。明月松间照，清泉石上流。竹喧归浣女，莲动下渔舟。',
  '## 版本 3.1.5 于 2023-11-23 发布',
  '- 端口是 8080，地址是 192.168.1.20，超时 30 秒\n- 价格 12,800 元，见 `user.name` 和 `System.out.println(1)`',
  '```java\nimport java.util.List;\nList<Integer> list = List.of(5, 2, 9, 1, 5, 6);\n```',
  '随意春芳歇，王孙自可留。参考 [文档](https://docs.example.org/guide) 和 README.md。',
];
const TEXT = Array.from({ length: 6 }, () => PARAGRAPHS.join('\n\n')).join('\n\n');

/** Inserts a piece at the end of one of the prose paragraphs. */
function insert(text: string, piece: string, random: (most: number) => number): string {
  const places = [...text.matchAll(/[。，](?=[\p{Script=Han}])/gu)].map(({ index }) => index + 1);
  const at = places[random(places.length)] ?? 0;
  return text.slice(0, at) + piece + text.slice(at);
}

const digitClasses: Record<string, string> = {
  ASCII: '0123456789',
  'full-width': '０１２３４５６７８９',
  circled: '⓪①②③④⑤⑥⑦⑧⑨',
  'filled circled': '⓿❶❷❸❹❺❻❼❽❾',
  'double circled': '⓪⓵⓶⓷⓸⓹⓺⓻⓼⓽',
  'sans-serif circled': '🄋➀➁➂➃➄➅➆➇➈',
  'bold mathematical': '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
  superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹',
  'Arabic-Indic': '٠١٢٣٤٥٦٧٨٩',
  Devanagari: '०१२३४५६७८९',
  Chinese: '零一二三四五六七八九',
  'Chinese with a circle': '〇一二三四五六七八九',
  'formal Chinese': '零壹贰叁肆伍陆柒捌玖',
  'traditional formal Chinese': '零壹貳叁肆伍陸柒捌玖',
  'spoken Chinese': '洞幺两三四五六拐八勾',
  Suzhou: '〇〡〢〣〤〥〦〧〨〩',
};
const keycaps = (number: string) => number.replaceAll(/\d/g, '$&\ufe0f\u20e3');
const separations: Record<string, (digits: string[]) => string> = {
  together: (digits) => digits.join(''),
  spaced: (digits) => digits.join(' '),
  'wide spaces': (digits) => digits.join('\u3000'),
  dashes: (digits) => digits.join('-'),
  dots: (digits) => digits.join('.'),
  stars: (digits) => digits.join('＊'),
  emoji: (digits) => digits.join('🌸'),
  commas: (digits) => digits.join('，'),
  'invisible characters': (digits) => digits.join('\u200b'),
  'groups of three and four': (digits) =>
    [digits.slice(0, 3), digits.slice(3, 7), digits.slice(7)].map((part) => part.join('')).join('-'),
  'groups in brackets': (digits) =>
    [digits.slice(0, 3), digits.slice(3, 7), digits.slice(7)].map((part) => `（${part.join('')}）`).join(''),
  'groups of two': (digits) =>
    digits
      .join('')
      .match(/.{1,2}/gu)
      ?.join(' ') ?? '',
};
const PHONES = ['13800138000', '18612345678', '19955554444'];

const addresses: Record<string, string> = {
  'a link': '[看](https://evil.cn/a)',
  'a link without a protocol': '[看](//evil.cn)',
  'an entity in a protocol': 'https&#58;//evil.cn',
  'a backslash in a protocol': 'https:\\//evil.cn',
  'HTML with backslashes': '<a href="https:\\\\evil.cn">看</a>',
  'a reference': '[看][x]\n\n[x]: https://evil.cn\n\n',
  'an autolink': '<https://evil.cn>',
  'a bare address': 'https://evil.cn ',
  'a full-width address': 'ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｎ',
  HTML: '<a href="https&#x3a;//evil.cn">看</a>',
  'HTML with a tab in the address': '<a href="https:/\t/evil.cn">看</a>',
  'a picture': '![](https://evil.cn/a.png)',
  'a picture in HTML': '<img src="//evil.cn/a.png">',
  'a frame': '<iframe src="https://evil.cn"></iframe>',
  'a footnote': '看[^z]\n\n[^z]: https://evil.cn\n\n',
  www: 'www.evil.cn ',
  'a bare domain in a sentence': '请看evil.com即可',
  'a Chinese dot': 'evil点cn',
  'a Chinese full stop': 'evil。cn',
  'a dot in words': 'evil dot com',
  'a dot in brackets': 'evil[.]com',
  'a spaced domain': 'e v i l 1 . c o m',
  'a domain in look-alikes': 'еvіl.com',
  'a circled domain': 'ⓔⓥⓘⓛ.ⓒⓞⓜ',
  punycode: ' xn--fiq228c.xn--fiqs8s ',
  'an international domain': '茶叶.中国',
  'an international domain below com': '茶叶.com',
  code: '`evil.cn`',
  'an address of another protocol': 'ftp://files.evil.cn/a',
  'an address of a mailbox': 'me@evil.cn',
  'a link to a mailbox': '[写信](mailto:me@evil.cn)',
  'a hidden mailbox': 'me(at)evil点cn',
  'a full-width mailbox': 'me＠ｅｖｉｌ．ｃｎ',
  'an uploaded picture': `![](/api/file/${'3f'.repeat(16)}.png)`,
};
const accounts: Record<string, string> = {
  WeChat: '微信号 moye_88',
  'WeChat with a colon': '微信：moyecha',
  'WeChat in other characters': '薇信moye88',
  'WeChat with signs': '微*信 moye88',
  'WeChat in traditional characters': '加微信號moyecha',
  VX: 'VX：moye_88',
  'V and X apart': 'v x moye88',
  wx: 'wx:moyecha',
  V: '加V moye88',
  QQ: 'QQ 654321',
  'QQ in groups': 'QQ：654 321 87',
  'a group': '加Q群 654321',
  Q: '加q 654321',
  'full-width QQ': 'ＱＱ６５４３２１',
  Telegram: 'tg：moyecha',
};
const drawings: Record<string, string> = {
  'block elements': '█▓▒░'.repeat(500),
  Braille: '⠿⣿⡇'.repeat(660),
  'box drawing': '┌─┐│└┘'.repeat(330),
  emoji: '🎉🧧'.repeat(20),
  'arrows and punctuation': '=-=-#@%&'.repeat(250),
};

const waits = async (piece: string, seeds = 3): Promise<boolean[]> => {
  const before = await article(TEXT);
  return Promise.all(
    Array.from({ length: seeds }, async (_, seed) => {
      const after = await article(insert(TEXT, piece, createRandom(seed + 1)));
      return !isSmallChange(before, after);
    }),
  );
};

describe('a small change with a new contact waits', () => {
  test.each(Object.entries(digitClasses))('a telephone number in %s digits', async (name, digits) => {
    const missed: string[] = [];
    const before = await article(TEXT);
    for (const phone of PHONES)
      for (const [how, separate] of Object.entries(separations)) {
        const written = separate(Array.from(phone, (digit) => [...digits][Number(digit)] ?? ''));
        for (const seed of [1, 2]) {
          const after = { ...before, text: '' };
          const text = insert(before.rendered?.text ?? '', `打${written}找我`, createRandom(seed));
          after.rendered = { text, html: before.rendered?.html ?? '' };
          if (isSmallChange(before, after)) missed.push(`${name} ${how} ${written}`);
        }
      }
    expect(missed).toEqual([]);
  });

  test('a telephone number in keycaps, with letters for digits, and of a landline', async () => {
    for (const written of [
      keycaps('13800138000'),
      'l38OOl38OOO',
      '1三8零0１③8000',
      '010-88886666',
      '(021) 6666 5555',
      '400-820-1234',
      '+44 20 7946 0958',
    ])
      expect([written, await waits(written)]).toEqual([written, [true, true, true]]);
  });

  test.each([...Object.entries(addresses), ...Object.entries(accounts), ...Object.entries(drawings)])(
    '%s',
    async (_, piece) => {
      expect(await waits(piece)).toEqual([true, true, true]);
    },
  );

  test('symbols that stand apart', async () => {
    const before = await article(TEXT);
    const after = await article(TEXT.replaceAll('，', '，★'));
    expect(isSmallChange(before, after)).toBe(false);
  });

  test.each(['title', 'description', 'source', 'cover'])('in the %s', async (name) => {
    const before = await article(TEXT, { [name]: '山居' });
    for (const piece of ['evil.cn', '１３８００１３８０００', 'https://evil.cn'])
      expect(isSmallChange(before, await article(TEXT, { [name]: `山居${piece}` }))).toBe(false);
  });

  test('in a tag', async () => {
    const before = await article(TEXT, { tags: ['诗', '茶'] });
    expect(isSmallChange(before, await article(TEXT, { tags: ['诗', '茶', '加V moye88'] }))).toBe(false);
    expect(isSmallChange(before, await article(TEXT, { tags: ['茶', '诗'] }))).toBe(true);
  });

  test('in a comment', () => {
    const before = commentAsRead(PARAGRAPHS[0] ?? '');
    for (const piece of [
      ...Object.values(accounts),
      '１３８００１３８０００',
      '[看](//evil.cn)',
      'https&#58;//evil.cn',
      '![](https://evil.cn/a.png)',
      'evil点com',
    ])
      expect([piece, isSmallChange(before, commentAsRead(`${PARAGRAPHS[0]}${piece}`))]).toEqual([
        piece,
        false,
      ]);
  });
});

describe('no new contact', () => {
  const own = `${TEXT}\n\n见 [站点](https://a.cn/x) 和 evil.cn，电话 13800138000，微信号 moye88。`;

  test.each([
    ['a moved contact', own, `${own.slice(-60)}\n\n${own.slice(0, -60)}`],
    ['a deleted contact', own, own.slice(0, -12)],
    ['a number written in other digits', own, own.replace('13800138000', '138-0013-8000')],
    ['a link to this site', TEXT, `${TEXT}[归档](/archive)`],
    ['a version, a date, a time and an amount', TEXT, `${TEXT}，17.0.2 于 2024-05-06 10:20，1,299.00 元`],
    ['an address of this machine', TEXT, `${TEXT}，见 http://localhost:8080/a 和 10.0.0.1:6379`],
    ['names in code and of files', TEXT, `${TEXT}，\`this.id\`、main.py 和 java.io.File`],
    ['Chinese numbers', TEXT, `${TEXT}，二〇二四年的第一百二十三页，一二三四五六七`],
    ['numbers of an example', TEXT, `${TEXT}，[5, 2, 9, 1, 5, 6, 3, 8, 7]`],
    ['WeChat without an account', TEXT, `${TEXT}，微信小程序和 QQ Music`],
  ])('%s', async (_, before, after) => {
    expect(isSmallChange(await article(before), await article(after))).toBe(true);
  });

  test('is in a text compared with itself, whatever it has', async () => {
    const all = [...Object.values(addresses), ...Object.values(accounts)].join('\n\n');
    expect(isSmallChange(await article(all), await article(all))).toBe(true);
  });

  test.skipIf(!hasCorpus)(
    'is in fewer than one of a hundred edits of the corpus with its own words',
    { timeout: CORPUS_TIMEOUT_MS },
    async () => {
      const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .filter((_, at) => at % 30 === 0);
      const random = createRandom(11);
      let edits = 0;
      const waiting: string[] = [];
      for (const file of files) {
        const { text, html } = await renderMarkdown(readFileSync(join(CORPUS, file), 'utf8'));
        const sentences = text.match(/[^。；，\n]{4,24}[。；，]/g) ?? [];
        const places = [...text.matchAll(/[。；，\n]/g)].map(({ index }) => index + 1);
        const of = (changed: string) => ({ title: '', text: changed, rendered: { text: changed, html } });
        for (let round = 0; round < 20 && sentences.length > 0; round++) {
          const at = places[random(places.length)] ?? 0;
          const sentence = sentences[random(sentences.length)] ?? '';
          edits += 1;
          if (!isSmallChange(of(text), of(text.slice(0, at) + sentence + text.slice(at))))
            waiting.push(`${file}: ${sentence}`);
        }
      }
      expect(edits).toBeGreaterThan(200);
      expect(waiting.slice(Math.floor(edits / 100))).toEqual([]);
    },
  );
});

test('links of new authors are counted once, however they are written', async () => {
  const count = async (content: string) => {
    const { text, html } = await renderMarkdown(content);
    return countLinks({ texts: [text], html });
  };
  expect(await count(TEXT)).toBe(6);
  expect(await count('[a](//evil.cn) <https://evil.cn> www.evil.cn ![](https://evil.cn/a.png)')).toBe(4);
  expect(await count('evil点com，evil.org，例子.中国')).toBe(3);
  expect(await count('[归档](/archive) http://localhost:8080 README.md')).toBe(0);
});

test.each([
  'a',
  'a.',
  '1 ',
  'a:/',
  'a@',
  '微信号',
  '点',
  '(dot) ',
  'com点',
  '⠿',
  '1',
  '13',
  '1,',
  '例子.',
  '+1-',
  '\n',
])('contacts of the longest texts are found, of whatever they consist: %j', (piece) => {
  const text = piece.repeat(Math.floor(200_000 / piece.length));
  expect(contactsIn({ texts: [`${text}\n打13800138000，看evil.cn`], html: '' })).toContain('evil.cn');
});

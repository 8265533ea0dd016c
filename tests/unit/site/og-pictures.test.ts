import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFonts, type Fonts } from '../../../src/lib/server/og/fonts.ts';
import {
  breakLines,
  drawable,
  ellipsisOf,
  inSight,
  piecesOf,
  widthOfLine,
  type Line,
} from '../../../src/lib/server/og/lines.ts';
import { openPictures, PICTURE, type Seal } from '../../../src/lib/server/og/picture.ts';

/** All 8,105 characters, in the order of the table. */
const TABLE = readFileSync(new URL('../../fixtures/tongyong-guifan.txt', import.meta.url), 'utf8');

/** No test here uses a system font: resvg receives paths and is told not to load fonts. */
const TITLES = [
  'Java 线程池详解',
  '把博客搬进一个文件：SQLite、WAL 与单进程的好处',
  '“为什么”不是一个好问题——关于提问的艺术，以及我们如何学会倾听',
  '𠮷野家与㐂字：罕用字𪚥的故事',
  '劐阢坶塥蒈 喆堃翀彧 骉龘',
  '鿏、𬬻、䶮：三个元素和姓名用字',
  '🎉 发布 v2.0 🚀 支持 emoji 👨‍👩‍👧 与 🇨🇳 国旗',
  'مرحبا بالعالم 你好世界',
  'مرحبا بالعالم',
  '안녕하세요 세계',
  '控制\0字符\u202E反转\u200B零宽\u0007结束\uD800',
  '超长标题'.repeat(80),
  'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(5),
  'https://example.com/a/very/long/path?with=query&and=more#fragment',
  '',
  '😀',
  'Rust、Go、C++ 与 TypeScript 的 100 个对比，谁更快？',
  'Привет, мир! Γειά σου Κόσμε',
  'α-β 剪枝与 λ 演算：Ωμέγα 和 ε-δ',
  'Học tiếng Việt：Đường đi',
  'خوارزمية الفرز 排序算法 في 2024',
  '（一）「引号」《书名》【括号】：行首不出现标点，行尾不出现开括号（对吧？）。',
  '1+1=2；a²+b²=c²；∑∫√≠≤≥∞→⇒',
  '繁體中文標題：臺灣與香港的網誌編輯',
  '<script>alert(1)</script> & ]]> \uFFFE',
];

let fonts: Fonts;
beforeAll(async () => {
  fonts = await openFonts();
});
const shown = async (text: string) => (await drawable(text, fonts)).map((each) => each.text).join('');

describe('every character', () => {
  test.each(TITLES)('of %j is drawn by a glyph of ours', async (title) => {
    for (const { text, file } of await drawable(title, fonts)) {
      if (file === null) expect(text).toBe(' ');
      else expect((await fonts.shape(text, file, 700))?.glyphs.length, text).toBeGreaterThan(0);
    }
  });

  test.each([
    ['that no font has is 〓', '字𪚥字', '字〓字'],
    ['of a run that no font has is one 〓', 'a 안녕하세요 세계 b', 'a 〓 b'],
    ['of Greek and Arabic is drawn', 'ά ᾧ مرحبا بالعالم Việt Nam', 'ά ᾧ مرحبا بالعالم Việt Nam'],
    ['that is not seen is left out', '控\0制\u202E字\u200B符\uFEFF\uD800\uE000', '控制字符'],
    ['that a GB2312 font may lack is drawn', '喆堃翀彧臺灣囍', '喆堃翀彧臺灣囍'],
    ['made of several is one', '👨‍👩‍👧é', '👨‍👩‍👧é'],
    ['of white space is one space', ' 一\n\t 二　', '一 二'],
  ])('%s', async (_name, text, expected) => {
    expect(await shown(text)).toBe(expected);
  });

  const undrawn = async (characters: readonly string[]): Promise<string[]> => {
    const missing: string[] = [];
    for (const character of characters) {
      const file = await fonts.fileFor(character);
      const shaped = file === null ? null : await fonts.shape(character, file, 700);
      if (!shaped?.glyphs.some(({ path }) => path !== '')) missing.push(character);
    }
    return missing;
  };

  test('of 通用规范汉字表 is drawn, by every 200th of its characters and rare ones', async () => {
    const characters = Array.from(TABLE.replaceAll('\n', ''));
    expect(new Set(characters).size).toBe(8_105);
    const some = characters.filter((_, index) => index % 200 === 199);
    expect(await undrawn([...'䶮鿏𬬻㧐𫚭𬭛', ...some])).toEqual([]);
  });

  test('of 通用规范汉字表 is drawn', { tags: ['long'], timeout: 120_000 }, async () => {
    expect(await undrawn(Array.from(TABLE.replaceAll('\n', '')))).toEqual([]);
  });

  test('of a rare character is as bold as the others', async () => {
    const file = (await fonts.fileFor('䶮')) ?? '';
    const [regular, bold] = await Promise.all([400, 700].map((weight) => fonts.shape('䶮', file, weight)));
    expect(bold?.glyphs[0]?.path).not.toBe(regular?.glyphs[0]?.path);
  });

  test('a title without any supported character draws nothing', async () => {
    expect(await shown('안녕하세요 세계')).toBe('');
  });

  test('of a Greek word is of one font', async () => {
    const files = (await drawable('Γειάσου', fonts)).map(({ file }) => file);
    expect(new Set(files).size).toBe(1);
    expect(files[0]).toContain('greek');
  });
});

describe('lines', () => {
  /** Lays out a text once and breaks it at any width. */
  const open = async (text: string) => {
    const [pieces, ellipsis] = [await piecesOf(text, fonts, 700), await ellipsisOf(fonts, 700)];
    return (width: number, most = 9) => breakLines(pieces, { width, most, isCut: true, ellipsis }) ?? [];
  };
  const textOf = (line: Line) => line.map((piece) => piece.text).join('');

  test('none starts with a closing mark or ends with an opening one, at any width', async () => {
    const text = '他说：「行首（不）出现标点，行尾——不出现（开）括号！」，对吗？《书》、【注】……完。';
    const linesAt = await open(text);
    for (let width = 4; width < 20; width += 0.5) {
      for (const line of linesAt(width).map(textOf)) {
        expect(line).not.toMatch(/^[，。：、！？」）》】…—]/);
        expect(line).not.toMatch(/[「（《【]$/);
      }
    }
  });

  test('right-to-left words are reversed, all others unchanged', async () => {
    const [line = []] = (await open('甲 مرحبا بالعالم 乙 2'))(40);
    expect(textOf(inSight(line))).toBe('甲 بالعالم مرحبا 乙 2');
    expect(widthOfLine(inSight(line))).toBeCloseTo(widthOfLine(line));
  });

  test('Latin words are not split', async () => {
    const linesAt = await open('Rust、TypeScript 与 C++ 的对比');
    expect(linesAt(6).map(textOf)).toEqual(['Rust、', 'TypeScript', '与 C++', '的对比']);
  });

  test('break at pauses like titles on pages, and between words if a run is longer than a line', async () => {
    const linesAt = await open('写给自己，也写给山里的朋友');
    expect(linesAt(9).map(textOf)).toEqual(['写给自己，', '也写给山里的朋友']);
    const long = (await open('短，中华人民共和国国家标准化管理委员会'))(8).map(textOf);
    expect(long[0]).toMatch(/^短，中华/);
    expect(long.length).toBeGreaterThan(2);
  });

  test('all fit, and cut text ends in an ellipsis', async () => {
    const lines = (await open('一句很长的话接着一句很长的话，'.repeat(9)))(10, 3);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(widthOfLine(line)).toBeLessThanOrEqual(10);
    expect(lines[2]?.at(-1)?.text).toBe('……');
  });
});

describe('pictures', () => {
  /** Share of dark pixels in the area of the title. */
  async function inkOf(png: Uint8Array): Promise<number> {
    const part = { left: 84, top: 150, width: 1000, height: 310 };
    const { data } = await sharp(png).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true });
    return data.filter((value) => value < 80).length / data.length;
  }

  test('all are PNG of one size, below 100 KB, with pixels drawn at the title', async () => {
    const draw = await openPictures();
    for (const title of TITLES) {
      const png = await draw({ title, author: '林间', site: '墨页', seal: { text: '墨' } });
      const { format, width, height } = await sharp(png).metadata();
      expect([format, width, height]).toEqual(['png', PICTURE.width, PICTURE.height]);
      expect(png.length, title).toBeLessThan(100_000);
      expect(await inkOf(png), title).toBeGreaterThan(0.003);
    }
    // The measure recognizes an empty sheet.
    const paper = sharp({ create: { width: 1200, height: 630, channels: 3, background: '#faf7f1' } });
    expect(await inkOf(await paper.png().toBuffer())).toBe(0);
  }, 120_000);

  test('end with the site’s seal: its character, its logo in proportion, or nothing', async () => {
    const draw = await openPictures();
    const blue = { create: { width: 480, height: 84, channels: 3, background: '#00f' } } as const;
    const png = (await sharp(blue).png().toBuffer()).toString('base64');
    /** Shares of red and of blue pixels in the lower right corner. */
    const cornerOf = async (seal: Seal | null) => {
      const picture = await draw({ title: '山居', author: '林间', site: '纸上', seal });
      const part = { left: 800, top: 480, width: 400, height: 150 };
      const data = await sharp(picture).extract(part).removeAlpha().raw().toBuffer();
      const shares = { red: 0, blue: 0 };
      for (let at = 0; at < data.length; at += 3) {
        const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
        if (red > 150 && green < 80 && blue < 80) shares.red++;
        if (blue > 200 && red < 50) shares.blue++;
      }
      return shares;
    };
    const [character, logo, none, undrawable] = [
      await cornerOf({ text: '山' }),
      await cornerOf({ png, width: 160, height: 28 }),
      await cornerOf(null),
      await cornerOf({ text: '\ue000' }),
    ];
    expect(character.red).toBeGreaterThan(2_000);
    expect(logo.red).toBe(0);
    expect(logo.blue).toBeGreaterThan(10_000);
    expect([none, undrawable]).toEqual(Array.from({ length: 2 }, () => ({ red: 0, blue: 0 })));
  }, 120_000);
});

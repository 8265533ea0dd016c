import { expect, test } from 'vitest';
import { decode, describeDecoding } from '../../../src/lib/markdown-file/decode.ts';

test.each([
  ['utf-8', Buffer.from('一\r\n二\r三')],
  ['utf-8', Buffer.from('\ufeff一\n二\n三')],
  ['utf-16le', Buffer.from('\ufeff一\n二\n三', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeff一\n二\n三', 'utf16le').swap16()],
  ['gb18030', Buffer.from([0xd2, 0xbb, 0x0a, 0xb6, 0xfe, 0x0a, 0xc8, 0xfd])],
])('reads %s with one kind of line end and no mark', (encoding, bytes) => {
  expect(decode(bytes)).toEqual({ text: '一\n二\n三', encoding, damaged: [] });
});

test('reads UTF-16 without its mark', () => {
  expect(decode(Buffer.from('---\ntitle: 一', 'utf16le')).text).toBe('---\ntitle: 一');
});

test('refuses what is no text', () => {
  for (const bytes of [
    [0x89, 0x50, 0, 0],
    [0xff, 0xff, 0xff],
    [0xff, 0xfe, 0x41],
  ]) {
    expect(() => decode(new Uint8Array(bytes))).toThrow('不是文本文件');
  }
});

/** Encodes two-byte characters, for which Node has only a decoder. */
function encode(text: string, encoding: 'big5' | 'gb18030'): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  for (let lead = 0xfe; lead >= 0x81; lead -= 1)
    for (let trail = 0xfe; trail >= 0x40; trail -= 1) {
      const character = decoder.decode(new Uint8Array([lead, trail]));
      if ([...character].length === 1) bytes.set(character, [lead, trail]);
    }
  return new Uint8Array([...text].flatMap((sign) => bytes.get(sign) ?? [sign.charCodeAt(0)]));
}

const SIMPLIFIED = '今天的天气很好，我们去山里走了走。路上看到许多野花，还有一条小河。';
const TRADITIONAL = '今天的天氣很好，我們去山裡走了走。路上看到許多野花，還有一條小河。';

test.each([
  ['gb18030', '中文'],
  ['gb18030', SIMPLIFIED],
  ['gb18030', `# 标题 title\n\n${SIMPLIFIED}\n\n    code()\n`],
  ['gb18030', 'ひらがなとカタカナの文がここにあります。これは日本語で書いた日記です。'],
  ['gb18030', TRADITIONAL.replaceAll('裡', '里')],
  ['big5', '中文'],
  ['big5', '繁體'],
  ['big5', TRADITIONAL],
  ['big5', `---\ntitle: 標題\n---\n${TRADITIONAL}`],
] as const)('tells %s by its common characters: %j', (encoding, text) => {
  expect(decode(encode(text, encoding))).toEqual({ text, encoding, damaged: [] });
});

const insert = (bytes: Uint8Array, at: number, ...invalid: number[]): Uint8Array =>
  new Uint8Array([...bytes.subarray(0, at), ...invalid, ...bytes.subarray(at)]);

test.each([
  [
    'utf-8',
    insert(Buffer.from(`${SIMPLIFIED}\n${SIMPLIFIED}`), Buffer.byteLength(SIMPLIFIED) + 1, 0xb0),
    [2],
  ],
  ['utf-8', insert(Buffer.from(SIMPLIFIED), 3, 0xff), [1]],
  ['utf-8', Buffer.from(SIMPLIFIED).subarray(0, -1), [1]],
  ['utf-8', Buffer.from('caf\xe9 au lait', 'latin1'), [1]],
  ['gb18030', insert(encode(SIMPLIFIED, 'gb18030'), 2, 0xff), [1]],
  ['big5', insert(encode(TRADITIONAL, 'big5'), 2, 0xff), [1]],
  // A character of Hong Kong's extension, which Node does not know.
  ['big5', insert(encode(TRADITIONAL, 'big5'), 2, 0x95, 0xef), [1]],
  ['utf-16le', Buffer.from('\ufeff一\n二\ud800三', 'utf16le'), [2]],
] as const)('replaces a few invalid bytes of %s', (encoding, bytes, damaged) => {
  const decoded = decode(bytes);
  expect([decoded.encoding, decoded.damaged]).toEqual([encoding, damaged]);
  expect(decoded.text).toContain('\ufffd');
  expect(describeDecoding(decoded).at(-1)).toBe(`第 ${damaged[0]} 行有无法解码的字节，已换成“\ufffd”`);
});

test('refuses a text of which a large part is invalid', () => {
  const latin = Buffer.from('Les élèves étaient là, près de la fenêtre fermée. '.repeat(20), 'latin1');
  expect(() => decode(latin)).toThrow('无法识别的编码');
});

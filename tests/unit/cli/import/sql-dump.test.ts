import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { SqlLexer } from '../../../../src/lib/importers/typecho/sql-lexer.ts';
import { readDumpRows } from '../../../../src/lib/importers/typecho/sql-rows.ts';

/** Tokens of a text that arrives in these pieces, with `open` at the end if it ends within a token. */
function tokens(...pieces: string[]): string[] {
  const found: string[] = [];
  const lexer = new SqlLexer((kind, text) => void found.push(`${kind} ${text}`));
  for (const piece of pieces) lexer.feed(piece);
  if (!lexer.end()) found.push('open');
  return found;
}

const inPieces = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );

async function rows(...pieces: string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  await readDumpRows(Readable.from(pieces), {
    wants: (table) => table !== 'other',
    table: (name) => void found.push(name),
    row: (table, columns, values) =>
      void found.push([table, Object.fromEntries(columns.map((name, at) => [name, values[at]]))]),
  });
  return found;
}

const TEXT = String.raw`
-- comment 'with a quote
# another; one
/* block 'of */ /*!40101 SET NAMES utf8 */;
INSERT INTO \`a\`\`b\` VALUES ('it''s', 'a\'b\\', "say ""hi""", '\0\b\n\r\t\Z\%\_\x', '汉😀', -1.5e-10, 0x4a, NULL);--
DELIMITER $$
CREATE TRIGGER x BEGIN INSERT INTO t VALUES (1); END $$
DELIMITER ;
UPDATE x SET y = '*/ -- #';`.replaceAll('\\`', '`');

describe('SQL of a dump in tokens', () => {
  test('is tokenised like MySQL', () => {
    expect(tokens(TEXT)).toEqual([
      'sign ;',
      'word INSERT',
      'word INTO',
      'name a`b',
      'word VALUES',
      'sign (',
      "string it's",
      'sign ,',
      "string a'b\\",
      'sign ,',
      'string say "hi"',
      'sign ,',
      'string \0\b\n\r\t\u001a\\%\\_x',
      'sign ,',
      'string 汉😀',
      'sign ,',
      'sign -',
      'word 1.5e',
      'sign -',
      'word 10',
      'sign ,',
      'word 0x4a',
      'sign ,',
      'word NULL',
      'sign )',
      'sign ;',
      'word UPDATE',
      'word x',
      'word SET',
      'word y',
      'sign =',
      'string */ -- #',
      'sign ;',
    ]);
  });

  test('is the same for any chunk boundaries', () => {
    const whole = tokens(TEXT);
    expect(tokens(...TEXT.split(''))).toEqual(whole);
    for (let at = 0; at <= TEXT.length; at += 1)
      expect(tokens(TEXT.slice(0, at), TEXT.slice(at))).toEqual(whole);
  });

  test.each([
    ["'abc", 'open'],
    [String.raw`'abc\'`, 'open'],
    ["'abc''", 'open'],
    ['`abc', 'open'],
    ['/* abc', 'open'],
    ['/* abc *', 'open'],
  ])('%s has no end', (text, last) => {
    expect(tokens(text).at(-1)).toBe(last);
    expect(tokens(...text.split('')).at(-1)).toBe(last);
  });

  test('an unterminated value is refused before it fills memory', () => {
    const lexer = new SqlLexer(() => undefined);
    const piece = 'x'.repeat(2 ** 20);
    lexer.feed("'");
    expect(() => {
      for (let count = 0; count < 100; count += 1) lexer.feed(piece);
    }).toThrow('SQL 转储里有超过 64 MiB 的值');
  });

  test('thousands of backslashes and quotes are read in linear time', () => {
    const slashes = '\\'.repeat(200_001);
    expect(tokens(...inPieces(`'${slashes}'x'`, 999))).toEqual([`string ${'\\'.repeat(100_000)}'x`]);
    const quotes = "'".repeat(200_000);
    expect(tokens(...inPieces(quotes, 999))).toEqual([`string ${"'".repeat(99_999)}`]);
  });
});

describe('rows of a dump', () => {
  test('have column names from the table or the statement', async () => {
    const create =
      "CREATE TABLE IF NOT EXISTS `d`.`t` (`a` int(10) unsigned NOT NULL DEFAULT '1,2', b enum('x','(y)'), PRIMARY KEY (`a`), KEY `i` (`b`(10))) ENGINE=MyISAM;";
    expect(await rows(`${create}INSERT INTO t VALUES (1,'x'),(2,NULL);`)).toEqual([
      't',
      ['t', { a: '1', b: 'x' }],
      ['t', { a: '2', b: null }],
    ]);
    expect(
      await rows(
        'REPLACE LOW_PRIORITY INTO d.`t`(`b`, a) VALUE (true,+2.50) ON DUPLICATE KEY UPDATE a = (3);',
      ),
    ).toEqual([['t', { b: '1', a: '+2.50' }]]);
  });

  test('may use every notation that MySQL reads', async () => {
    const text =
      "INSERT IGNORE INTO t (a,b,c,d,e,f) VALUES (_utf8mb4'甲', N'乙' '丙', _binary 0xe4b881, X'6A', 0x, -.5E-3);";
    expect(await rows(text)).toEqual([['t', { a: '甲', b: '乙丙', c: '丁', d: 'j', e: '', f: '-.5E-3' }]]);
  });

  test('of other tables are skipped, whatever they contain', async () => {
    expect(
      await rows(
        "INSERT INTO other VALUES (f(1)), ';';INSERT INTO other SELECT 1;SELECT 'INSERT INTO t VALUES (1)';",
      ),
    ).toEqual([]);
  });

  test.each([
    'INSERT INTO t (a) VALUES (1)(2);',
    'INSERT INTO t (a) VALUES (1,2);',
    'INSERT INTO t (a) VALUES (now());',
    'INSERT INTO t (a) VALUES (a);',
    "INSERT INTO t (a) VALUES ('a' 1);",
    'INSERT INTO t (a) VALUES (0xabc);',
    "INSERT INTO t (a) VALUES (X'zz');",
    'INSERT INTO t (a) VALUES ();',
    'INSERT INTO t SET a = 1;',
    'INSERT INTO t (a) SELECT 1;',
    'INSERT INTO t (a)(b) VALUES (1);',
    'INSERT INTO t (a)) VALUES (1);',
  ])('%s is refused, not guessed', async (text) => {
    await expect(rows(text)).rejects.toThrow('看不懂的数据（表 t）');
  });

  test('truncated anywhere in a statement are refused', async () => {
    const text = "INSERT INTO t (a) VALUES (1),('x');";
    for (let at = 1; at < text.length; at += 1)
      // A dump cut off before the table's name does not look incomplete.
      if (at > 'INSERT INTO t'.length)
        await expect(rows(text.slice(0, at))).rejects.toThrow(/^SQL 转储(?:不完整|里有一行看不懂)/);
    await expect(rows(text)).resolves.toHaveLength(2);
  });

  test('of more columns or characters than any table has are refused', async () => {
    await expect(rows(`INSERT INTO t (${'a,'.repeat(1000)}a) VALUES (1);`)).rejects.toThrow('看不懂');
    await expect(
      rows(
        'INSERT INTO t (a) VALUES (',
        ...Array.from({ length: 140 }, () => ` ${'1'.repeat(2 ** 20)}`),
        ');',
      ),
    ).rejects.toThrow('看不懂');
  });
});

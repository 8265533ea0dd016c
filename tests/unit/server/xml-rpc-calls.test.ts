import { describe, expect, test } from 'vitest';
import { createHeldBodies } from '../../../src/lib/server/api/held-bodies.ts';
import { parseCall } from '../../../src/lib/server/api/protocols/xml-rpc/parse-call.ts';
import { beginCall } from '../../../src/lib/server/api/protocols/xml-rpc/read-call.ts';
import { KIB, MIB } from '../../../src/lib/contract/rules/units.ts';

const call = (...values: string[]) =>
  `<methodCall><methodName>a.b</methodName><params>${values
    .map((value) => `<param><value>${value}</value></param>`)
    .join('')}</params></methodCall>`;
const parse = (text: string) => parseCall(new TextEncoder().encode(text));
const valueOf = (value: string) => parse(call(value)).params[0];

describe('a value', () => {
  test.each<[string, unknown]>([
    ['<int>5</int>', 5],
    ['<i4> -5 </i4>', -5],
    ['<i8>5</i8>', 5],
    ['<i4>+5</i4>', 5],
    ['<i8>9007199254740991</i8>', Number.MAX_SAFE_INTEGER],
    ['<i8>9223372036854775807</i8>', 2 ** 63],
    ['<ex:i8>5</ex:i8>', 5],
    ['<ex:i1>5</ex:i1>', 5],
    ['<ex:i2>5</ex:i2>', 5],
    ['<ex:biginteger>5</ex:biginteger>', 5],
    ['<ex:bigdecimal>5.5</ex:bigdecimal>', 5.5],
    ['<ex:float>5</ex:float>', 5],
    ['<double>5.0</double>', 5],
    ['<nil/>', undefined],
    ['<ex:nil/>', undefined],
    ['<ex:nil xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"></ex:nil>', undefined],
    ['<string>5</string>', '5'],
    ['', ''],
    ['<ex:dateTime>2026-11-27T08:05:31Z</ex:dateTime>', '2026-11-27T08:05:31Z'],
  ])('%s is %j', (written, value) => {
    expect(valueOf(written)).toEqual(value);
  });

  test.each([
    '<i4>2147483648</i4>',
    '<i8>9223372036854775808</i8>',
    '<i8></i8>',
    '<ex:i1>128</ex:i1>',
    '<ex:i2>1e3</ex:i2>',
    '<double></double>',
    '<double>Infinity</double>',
    '<ex:biginteger>一</ex:biginteger>',
    '<constructor>1</constructor>',
  ])('%s is refused', (written) => {
    expect(() => valueOf(written)).toThrow(/的值有误|的值不是数|不认识的类型/);
  });
});

test.each([
  ['a line break', '\n'],
  ['several line breaks and spaces', '\r\n \t\n'],
  ['a byte order mark', '\ufeff'],
  ['a byte order mark and a line break', '\ufeff\n'],
  ['a line break and a byte order mark', '\n\ufeff'],
  ['more white space than a piece', ' '.repeat(200_000)],
])('%s before the declaration is skipped', (_name, before) => {
  expect(parse(`${before}<?xml version="1.0" encoding="UTF-8"?>${call('甲')}`)).toEqual({
    method: 'a.b',
    params: ['甲'],
  });
});

test('a text in any number of pieces is one', () => {
  const pieces = '甲&amp;<![CDATA[<乙>]]><!-- 丙 -->'.repeat(20_000);
  expect(valueOf(pieces)).toBe('甲&<乙>'.repeat(20_000));
});

/** 8 MiB of each kind that the parser treats specially, and the beginning of the call that holds it. */
const KINDS: [string, string, string][] = [
  ['brackets in CDATA', '<![CDATA[', ']'],
  ['entities', '', '&amp;'],
  ['an entity that does not end', '&', 'a'],
  ['tags', '', '<'],
  ['elements', '', '<a/>'],
  ['a long name', '<', 'a'],
  ['a long value of an attribute', '<a b="', 'c'],
  ['attributes', '<a ', 'b="" '],
  ['white space in a tag', '<a ', ' '],
  ['a comment', '<!--', '-'],
  ['comments', '', '<!---->'],
  ['instructions', '<?a ', '?'],
  ['carriage returns', '', '\r'],
  ['a DOCTYPE', '<!DOCTYPE a [', '"'],
  ['nested elements', '', '<a>'],
  ['text', '', 'a'],
];

describe('of 8 MiB of', () => {
  test.each(KINDS)('%s, 32 KiB are parsed before the caller is known', async (_name, start, piece) => {
    const text = call(`${start}${piece.repeat((8 * MIB - 200) / piece.length)}`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += 16 * KIB) chunks.push(bytes.subarray(at, at + 16 * KIB));
    let taken = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = chunks[taken++];
          if (next) controller.enqueue(next);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request('http://site.invalid', {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    using body = createHeldBodies({ total: 16 * MIB, each: 16 * MIB }).open(request, 8 * MIB, 'a');
    const outcome = await beginCall(body, 8 * MIB).then(
      ({ head, isWhole }) => ({ ...head, isWhole }),
      ({ code }: { code: string }) => code,
    );
    if (typeof outcome === 'string') expect(outcome).toMatch(/^BODY_(MALFORMED|TOO_LARGE)$/);
    else expect(outcome).toEqual({ method: 'a.b', params: [], isWhole: false });
    expect(taken).toBeLessThanOrEqual(3);
  });

  test.each(KINDS)('%s, the whole is refused or one text', (_name, start, piece) => {
    const bytes = new TextEncoder().encode(call(`${start}${piece.repeat((8 * MIB - 200) / piece.length)}`));
    try {
      const [text] = parseCall(bytes).params;
      expect(typeof text === 'string' && text.length > MIB).toBe(true);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^BODY_(MALFORMED|TOO_LARGE)$/) });
    }
  });
});

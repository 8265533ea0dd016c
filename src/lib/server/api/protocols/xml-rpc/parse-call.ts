import { SaxesParser } from 'saxes';
import { refuse } from '../../../../contract/rules/errors.ts';
import { KIB } from '../../../../contract/rules/units.ts';

/** A value of XML-RPC; nil is undefined. Times are texts, because most clients omit the zone. */
export type RpcInput =
  string | number | boolean | undefined | Uint8Array<ArrayBuffer> | RpcInput[] | { [name: string]: RpcInput };

export interface RpcCall {
  method: string;
  params: RpcInput[];
}

interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** A struct of arrays of structs has a depth of 16. */
const MAX_DEPTH = 32;
/** Of elements and attributes. A post with all known members has about 100. */
const MAX_ELEMENTS = 10_000;
/** The parser appends to its text at each of these, which takes 32 bytes; a post has at most 200,000. */
const MARKS = /[&<[\]\r\n?"'-]/g;
const MAX_MARKS = 500_000;
const SLICE_BYTES = 64 * KIB;

const malformed = (text: string): never => refuse('BODY_MALFORMED', { text });
const tooMany = (most: number, unit: string): never =>
  refuse('BODY_TOO_LARGE', { text: `请求内容过多，最多 ${most} 个${unit}` });

/**
 * Reads a method call in pieces, in linear time. Refuses with BODY_MALFORMED what is not XML-RPC, has a
 * DOCTYPE or unknown entities, or is too deep; with BODY_TOO_LARGE too many elements and marks.
 */
export function createCallParser() {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let marks = 0;
  let isBlank = true;

  const count = (): void => {
    if (++elements > MAX_ELEMENTS) tooMany(MAX_ELEMENTS, '元素');
  };
  const append = (text: string): void => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.on('error', () => malformed('请求内容不是完整的 XML'));
  parser.on('doctype', () => malformed('请求内容不能带有 DOCTYPE'));
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('attribute', count);
  parser.on('opentag', ({ name }) => {
    if (open.length >= MAX_DEPTH) malformed('请求内容的层次过深');
    count();
    const element = { name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());

  function decode(bytes?: Uint8Array): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return malformed('请求内容不是有效的 UTF-8 编码');
    }
  }

  function parse(text: string): void {
    marks += text.match(MARKS)?.length ?? 0;
    if (marks > MAX_MARKS) tooMany(MAX_MARKS, '标记符号');
    // Editors send line breaks and a second byte order mark before the declaration.
    const content = isBlank ? text.trimStart() : text;
    isBlank &&= content === '';
    parser.write(content);
  }

  return {
    write: (bytes: Uint8Array): void => parse(decode(bytes)),
    /** The method and the first parameters, as far as they have arrived. */
    begun: (): RpcCall => toCall(root, (element) => !open.includes(element)),
    end(): RpcCall {
      parse(decode());
      parser.close();
      return toCall(root);
    },
  };
}

/** Reads a whole method call. Refuses as `createCallParser`. */
export function parseCall(bytes: Uint8Array): RpcCall {
  const parser = createCallParser();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) parser.write(bytes.subarray(at, at + SLICE_BYTES));
  return parser.end();
}

const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

function toCall(
  root: XmlElement | undefined,
  hasArrived: (element: XmlElement) => boolean = () => true,
): RpcCall {
  const name = childOf(root, 'methodName');
  const method = name && hasArrived(name) ? name.text.trim() : '';
  if (root?.name !== 'methodCall' || method === '') malformed('请求内容不是 XML-RPC 调用');
  const params = childrenOf(childOf(root, 'params'), 'param').filter(hasArrived);
  return { method, params: params.map((param) => toValue(childOf(param, 'value'))) };
}

function toValue(element: XmlElement | undefined): RpcInput {
  if (!element) return malformed('参数没有值');
  const [typed, ...others] = element.children;
  // Without a type, a value is a string.
  if (!typed) return element.text;
  if (others.length > 0) malformed('参数的值不止一个');
  // Types of Apache's extension have a prefix.
  const read = READERS.get(typed.name.replace(/^ex:/, ''));
  return read ? read(typed) : malformed(`不认识的类型 ${typed.name.slice(0, 40)}`);
}

const integerWithin =
  (bits: number) =>
  ({ text }: XmlElement): number => {
    const number = /^\s*[+-]?\d{1,20}\s*$/.test(text) ? BigInt(text) : null;
    return number !== null && BigInt.asIntN(bits, number) === number
      ? Number(number)
      : malformed('整数的值有误');
  };

function toDouble({ text }: XmlElement): number {
  const number = Number(text.trim() || Number.NaN);
  return Number.isFinite(number) ? number : malformed('double 的值不是数');
}

const READERS: ReadonlyMap<string, (element: XmlElement) => RpcInput> = new Map<
  string,
  (element: XmlElement) => RpcInput
>([
  ['string', ({ text }) => text],
  ['dateTime.iso8601', ({ text }) => text.trim()],
  ['dateTime', ({ text }) => text.trim()],
  ['nil', () => undefined],
  ['i1', integerWithin(8)],
  ['i2', integerWithin(16)],
  ['int', integerWithin(32)],
  ['i4', integerWithin(32)],
  ['i8', integerWithin(64)],
  ['biginteger', toDouble],
  ['bigdecimal', toDouble],
  ['float', toDouble],
  ['double', toDouble],
  ['boolean', ({ text }) => toBoolean(text.trim())],
  [
    'base64',
    ({ text }) =>
      /^[A-Za-z0-9+/=\s]*$/.test(text)
        ? new Uint8Array(Buffer.from(text, 'base64'))
        : malformed('base64 的值有误'),
  ],
  ['array', (element) => childrenOf(childOf(element, 'data'), 'value').map(toValue)],
  [
    'struct',
    (element) =>
      Object.fromEntries(
        childrenOf(element, 'member').map((member) => [
          childOf(member, 'name')?.text.trim() ?? '',
          toValue(childOf(member, 'value')),
        ]),
      ),
  ],
]);

function toBoolean(text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  return malformed('boolean 的值应为 0 或 1');
}

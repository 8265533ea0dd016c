import { SaxesParser } from 'saxes';
import { refuse } from '../../../../contract/rules/errors.ts';
import type { HeldBody } from '../../held-bodies.ts';

/** A value of XML-RPC. Times are texts, because most clients omit the zone. */
type RpcInput =
  string | number | boolean | null | Uint8Array<ArrayBuffer> | RpcInput[] | { [name: string]: RpcInput };

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
/** A post with all known members has about 100. */
const MAX_ELEMENTS = 10_000;
const MAX_INTEGER = 2 ** 31;

const malformed = (text: string): never => refuse('BODY_MALFORMED', { text });

/**
 * Reads a method call while its body arrives. Refuses with BODY_MALFORMED what is not XML-RPC, has a DOCTYPE
 * or unknown entities, or is too deep; with BODY_TOO_LARGE too many elements; and as `HeldBody.chunks` does.
 */
export async function readCall(body: HeldBody): Promise<RpcCall> {
  const parser = createParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return malformed('请求内容不是有效的 UTF-8 编码');
    }
  };
  for await (const chunk of body.chunks()) parser.write(decode(chunk));
  parser.write(decode());
  return toCall(parser.end());
}

function createParser() {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  parser.on('error', () => malformed('请求内容不是完整的 XML'));
  parser.on('doctype', () => malformed('请求内容不能带有 DOCTYPE'));
  const append = (text: string): void => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('opentag', ({ name }) => {
    if (open.length >= MAX_DEPTH) malformed('请求内容的层次过深');
    if (++elements > MAX_ELEMENTS)
      refuse('BODY_TOO_LARGE', { text: `请求内容过多，最多 ${MAX_ELEMENTS} 个元素` });
    const element = { name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  return {
    write: (text: string): void => void parser.write(text),
    end(): XmlElement {
      parser.close();
      return root ?? malformed('请求内容是空的');
    },
  };
}

const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

function toCall(root: XmlElement): RpcCall {
  const method = childOf(root, 'methodName')?.text.trim() ?? '';
  if (root.name !== 'methodCall' || method === '') malformed('请求内容不是 XML-RPC 调用');
  const params = childrenOf(childOf(root, 'params'), 'param');
  return { method, params: params.map((param) => toValue(childOf(param, 'value'))) };
}

function toValue(element: XmlElement | undefined): RpcInput {
  if (!element) return malformed('参数没有值');
  const [typed, ...others] = element.children;
  // Without a type, a value is a string.
  if (!typed) return element.text;
  if (others.length > 0) malformed('参数的值不止一个');
  return READERS[typed.name]?.(typed) ?? malformed(`不认识的类型 ${typed.name.slice(0, 40)}`);
}

const READERS: Readonly<Record<string, (element: XmlElement) => RpcInput>> = {
  string: ({ text }) => text,
  'dateTime.iso8601': ({ text }) => text.trim(),
  int: toInteger,
  i4: toInteger,
  boolean: ({ text }) => toBoolean(text.trim()),
  double: ({ text }) => {
    const number = Number(text.trim() || Number.NaN);
    return Number.isFinite(number) ? number : malformed('double 的值不是数');
  },
  base64: ({ text }) =>
    /^[A-Za-z0-9+/=\s]*$/.test(text)
      ? new Uint8Array(Buffer.from(text, 'base64'))
      : malformed('base64 的值有误'),
  array: (element) => childrenOf(childOf(element, 'data'), 'value').map(toValue),
  struct: (element) =>
    Object.fromEntries(
      childrenOf(element, 'member').map((member) => [
        childOf(member, 'name')?.text.trim() ?? '',
        toValue(childOf(member, 'value')),
      ]),
    ),
};

function toInteger({ text }: XmlElement): number {
  const number = /^\s*[+-]?\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN;
  return number >= -MAX_INTEGER && number < MAX_INTEGER ? number : malformed('整数的值有误');
}

function toBoolean(text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  return malformed('boolean 的值应为 0 或 1');
}

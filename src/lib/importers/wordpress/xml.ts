import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { Problem } from '../../markdown-file/problem.ts';
import { readHead } from '../source-file.ts';
import { KIB, MIB } from '../../contract/rules/units.ts';

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

/** Maximum UTF-16 units and elements of an entry: an article with 100,000 comments has a million elements. */
const MAX_TEXT_CHARACTERS = 128 * MIB;
const MAX_ELEMENTS = 5_000_000;

/** Characters that WordPress exports from its database, but XML 1.0 forbids. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Yields the elements below `rss > channel` as trees; memory holds one at a time.
 * @throws Problem for other files: incomplete, not well-formed, with a DOCTYPE or custom entities
 */
export async function* readChannel(path: string): AsyncGenerator<XmlElement> {
  const reader = createReader();
  const decoder = await decoderOf(path);
  for await (const bytes of createReadStream(path, { highWaterMark: 256 * KIB })) {
    reader.write(decoder.decode(bytes as Uint8Array, { stream: true }));
    yield* reader.take();
  }
  reader.write(decoder.decode());
  reader.end();
  yield* reader.take();
}

async function decoderOf(path: string): Promise<TextDecoder> {
  const start = (await readHead(path, 200)).toString('latin1');
  const [, label = 'utf-8'] = /^[^<]*<\?xml[^>]*?encoding=["']([\w.:-]{1,40})["']/.exec(start) ?? [];
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('文件使用了无法识别的编码', { cause: error });
    throw error;
  }
}

function createReader() {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const open: XmlElement[] = [];
  let done: XmlElement[] = [];
  let [depth, text, elements, silent] = [0, 0, 0, 0];
  const refuse = (why: string): never => {
    throw new Problem(`${why}（第 ${parser.line} 行）`);
  };
  const append = (piece: string): void => {
    const last = open.at(-1);
    if (!last) return;
    text += piece.length;
    if (text > MAX_TEXT_CHARACTERS) refuse('一篇文章的数据超过 128 MB');
    last.text += piece;
  };
  parser.on('error', () => refuse('文件不完整或不是 WordPress 导出的 XML'));
  parser.on('doctype', () => refuse('文件带有 DOCTYPE，可能含有实体，没有读取'));
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    silent = 0;
    if (depth === 1 && name !== 'rss') refuse('不是 WordPress 导出的 XML（WXR）');
    if (depth < 3) return;
    elements += 1;
    if (elements > MAX_ELEMENTS) refuse('一篇文章的数据过多');
    const element: XmlElement = { name, attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    depth -= 1;
    silent = 0;
    const closed = depth >= 2 ? open.pop() : undefined;
    if (closed) closed.text = detached(closed.text);
    if (!closed || open.length > 0) return;
    done.push(closed);
    [text, elements] = [0, 0];
  });
  return {
    write(chunk: string): void {
      // The parser buffers text, comments and declarations until they end.
      silent += chunk.length;
      if (silent > MAX_TEXT_CHARACTERS) refuse('文件里有一段超过 128 MB 的数据');
      parser.write(chunk.replace(CONTROL, ''));
    },
    end: () => void parser.close(),
    take(): XmlElement[] {
      const taken = done;
      done = [];
      return taken;
    },
  };
}

/** Maximum length of names and addresses that the index keeps. */
const MAX_STORED_CHARACTERS = 4_096;

/**
 * Copies a text: V8 represents a substring as a view of the whole string, so a stored name would keep a
 * quarter of a megabyte in memory.
 */
const detached = (text: string): string =>
  text.length < 13 || text.length > MAX_STORED_CHARACTERS
    ? text
    : Buffer.from(text, 'utf16le').toString('utf16le');

export const textIn = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text.trim() ?? '';

export const allIn = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

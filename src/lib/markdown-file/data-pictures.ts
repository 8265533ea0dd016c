import { MIB } from '../contract/rules/units.ts';
import { countBefore, type Range } from './offsets.ts';
import { Problem } from './problem.ts';

/** Address with its content, where an address may begin. */
const DATA = /(?<=[(<"'=\s])data:[\w.+-]{0,40}\/?[\w.+-]{0,40}(?:;[\w.=-]{1,60}){0,3},[\w+/=%.~*!-]*/g;
/** Beginning of such an address; reads none of its content. */
const BEGINNING = /[(<"'=\s]data:[\w.+-]{0,40}[/;,]/;
/** Stands for such an address in a text; a text may also contain one itself. */
const STAND_IN = /data:moye-picture;\d+/g;

/** A text in which short stand-ins replace `data:` addresses, and these addresses by their stand-in. */
interface WithoutData {
  text: string;
  pictures: ReadonlyMap<string, string>;
  /** Converts an offset of the text to one of the original. */
  offsetOf(at: number): number;
}

/** Returns the ranges of the `data:` addresses of pictures. Takes linear time. */
export const findDataPictures = (text: string): Range[] =>
  [...text.matchAll(DATA)]
    .filter(([address]) => /^data:image\//i.test(address))
    .map(({ 0: address, index }) => ({ start: index, end: index + address.length }));

/** Whether `takeData` may find an address. Unlike it, takes no time for megabytes of content. */
export const mayHaveData = (text: string): boolean => BEGINNING.test(text);

/** Takes `data:` addresses out of a text: parsers would read megabytes of them. Takes linear time. */
export function takeData(text: string): WithoutData {
  const pictures = new Map<string, string>();
  /** Ends of the stand-ins, and by how much the text is shorter there. */
  const ends: number[] = [];
  const shifts: number[] = [];
  const short = text.replace(DATA, (address, at: number) => {
    const name = `data:moye-picture;${pictures.size + 1}`;
    const former = shifts.at(-1) ?? 0;
    pictures.set(name, address);
    ends.push(at - former + name.length);
    shifts.push(former + address.length - name.length);
    return name;
  });
  return {
    text: short,
    pictures,
    offsetOf: (at) => at + (shifts[countBefore(ends, at + 1) - 1] ?? 0),
  };
}

/** Puts addresses back that are no pictures, for example in code. */
export const restoreData = (text: string, pictures: WithoutData['pictures']): string =>
  text.replace(STAND_IN, (name) => pictures.get(name) ?? name);

/**
 * Returns the bytes of a `data:` address, and the type that it states.
 * @throws Problem if it is not a picture, is not complete, or has more than `most` bytes
 */
export function readDataPicture(
  address: string,
  most: number,
): { bytes: Uint8Array<ArrayBuffer>; type: string } {
  const comma = address.indexOf(',');
  const [, type = '', options = ''] = /^data:([^;,]*)([^,]*)/.exec(address.slice(0, comma + 1)) ?? [];
  if (!/^image\//i.test(type)) throw new Problem(`不是图片，而是 ${type || '文字'}`);
  const content = address.slice(comma + 1);
  const isBase64 = /;base64$/i.test(options);
  if (content.length > (isBase64 ? (most * 4) / 3 + 4 : 3 * most)) throw tooLarge(most);
  const bytes = isBase64 ? fromBase64(content) : new TextEncoder().encode(decoded(content));
  if (bytes.length > most) throw tooLarge(most);
  if (bytes.length === 0) throw new Problem('图片是空的');
  return { bytes, type: type.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg') };
}

const tooLarge = (most: number): Problem => new Problem(`图片超过 ${most / MIB} MiB`);

const incomplete = (): Problem => new Problem('图片的内容不完整');

function fromBase64(content: string): Uint8Array<ArrayBuffer> {
  try {
    const signs = atob(content);
    const bytes = new Uint8Array(signs.length);
    // A callback per byte would take a second for 16 MiB.
    for (let at = 0; at < signs.length; at++) bytes[at] = signs.charCodeAt(at);
    return bytes;
  } catch {
    throw incomplete();
  }
}

function decoded(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    throw incomplete();
  }
}

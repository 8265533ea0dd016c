import { parse } from 'tldts';

const LABEL = '[\\p{L}\\p{N}-]{1,63}';
const BEFORE = '(?<![a-z0-9_@-])';
/** `example.com`, also 例子.中国. */
const PLAIN = new RegExp(`${BEFORE}${LABEL}(?:\\.${LABEL})+`, 'gu');
/** `example点com`, `example (dot) com`, `example . com`, `example。com`. */
const DOT = [
  '\\s{0,2}点\\s{0,2}',
  '(?<=[a-z0-9])\\s{0,2}[。丶·•]\\s{0,2}(?=[a-z0-9])',
  '[\\s([{<【「]{1,3}(?:dot|d0t|点|\\.)[\\s)\\]}>】」]{1,3}',
].join('|');
const DISGUISED = new RegExp(`${BEFORE}${LABEL}(?:(?:\\.|${DOT})${LABEL})+`, 'gu');
const SPLIT = new RegExp(`\\.|${DOT}`, 'u');
const CHINESE = /\p{Script=Han}/u;
/** Suffixes after which a disguised dot is read as one: those of most addresses in advertisements. */
const USUAL = new Set(
  'com net org cn cc top xyz vip club shop site online store info biz io me tv app dev link live ltd work fun pro wang icu buzz win bid ink ren 中国 公司 网络 网址'.split(
    ' ',
  ),
);
/** Suffixes that mostly are names in code and of files; with them a name needs a path, or `www.`. */
const NAMES = new Set(
  (
    'md sh py rs ps pl so java zip next data fail ms properties events date map stream auto id name storage pid how read foo ' +
    'host target report final post in new is it to no as at by do am call open show run bar style search select group map ' +
    'mov box java now page prof'
  ).split(' '),
);
/** Last characters of a Chinese label, which identify it: the ones before may belong to the sentence. */
const CHINESE_LABEL_CHARACTERS = 2;
const MAX_CHINESE_SUFFIX = 4;

/** Domain names in a folded text, however their dots are written. */
export function* hostsIn(folded: string): Generator<string> {
  for (const { 0: written, index } of folded.matchAll(PLAIN)) {
    const next = folded.slice(index + written.length, index + written.length + 1);
    if (next !== '(') yield* hostOf(written.split('.'), next === '/' && written.includes('.'));
  }
  for (const [written] of folded.matchAll(DISGUISED)) {
    const labels = written.split(SPLIT);
    if (labels.join('.') === written) continue;
    if (USUAL.has(suffixIn(labels.at(-1) ?? ''))) yield* hostOf(labels, true);
  }
}

function* hostOf(labels: readonly string[], hasPath: boolean): Generator<string> {
  const last = suffixIn(labels.at(-1) ?? '');
  const before = labels.slice(0, -1).map((label) => (CHINESE.test(label) ? latinEnd(label) : label));
  const name = [...before.slice(before.lastIndexOf('') + 1), last].join('.');
  if (last === '' || before.at(-1) === '') return;
  const { domain, isIcann } = parse(name);
  if (domain === null || (isIcann !== true && !name.includes('xn--'))) return;
  if (NAMES.has(last) && !hasPath && !name.startsWith('www.')) return;
  yield name;
}

/** Returns the suffix with which a last label begins: `com` of `com即可`; '' if none. */
function suffixIn(label: string): string {
  const latin = /^[a-z][a-z0-9-]*/.exec(label)?.[0];
  if (latin !== undefined) return latin;
  const lengths = Array.from({ length: MAX_CHINESE_SUFFIX - 1 }, (_, at) => MAX_CHINESE_SUFFIX - at);
  const found = lengths.find((length) => parse(`a.${label.slice(0, length)}`).isIcann === true);
  return found === undefined || !CHINESE.test(label) ? '' : label.slice(0, found);
}

/** The end of a label in which a Chinese sentence goes over into the name: `example` of 请看example. */
const latinEnd = (label: string): string =>
  /[a-z0-9-]+$/.exec(label)?.[0] ?? label.slice(-CHINESE_LABEL_CHARACTERS);

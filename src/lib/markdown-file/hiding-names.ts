/** Words of a name that say that only some readers see what it marks. */
const SURE = /^(?:hid(?:e|den|ing)\p{L}*|\p{L}+hid(?:e|den)|secret|paywall\p{L}*|gated)$/u;
/** Words that also name other things, such as `[reply]` in a sentence. */
const LIKELY =
  /^(?:log(?:in\p{L}*|ged|gedin)|sign(?:in|ed)|repl(?:y\p{L}*|ied|ies)|pa(?:y|id)|pay(?:view|read|content|see|show|post)\p{L}*|purchased?|vip|members?\p{L}*|\p{L}*password\p{L}*|passw?d|pwd|subscribe(?:d|rs?)|access|lock(?:ed)?|(?:social|email|content)locker|secret\p{L}+|encrypt(?:ed|ion|or)?|private|protect(?:ed|or)?|restrict(?:ed|ions?)?|bkc|pp(?:block|switch|wp)|passster|erphpdown|mepr)$/u;
const SURE_CHINESE = /可[见見]|[隐隱]藏/;
const LIKELY_CHINESE =
  /登[录錄陆陸入]|回[复覆復]|付[费費]|[会會][员員]|密[码碼]|[评評][论論][后後]|加密|私密/;
/** Names by which plugins mark restricted parts, and which no single word explains. */
const WHOLE = /members?[-_]?only|premium[-_]?content|^s2(?:if|member)/i;
/** Folds of themes, which every reader may open. */
const FOLD = /^hide(?:toggle|inline|block)$/i;
/** Parts of a page about signing in, not texts for those who have. */
const CONTROL = /^(?:forms?|buttons?|btn|links?|logout|lists?|register|count)$/;

/** `sure`: the name has no other meaning; `likely`: it is one of a marker if it has a counterpart. */
export type Hiding = 'sure' | 'likely' | null;

/** Whether a marker, tag or component of this name surrounds a part that only some readers may see. */
export function hidingOf(name: string): Hiding {
  if (FOLD.test(name)) return null;
  if (WHOLE.test(name) || SURE_CHINESE.test(name)) return 'sure';
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  if (words.some((word) => SURE.test(word))) return 'sure';
  if (LIKELY_CHINESE.test(name)) return 'likely';
  const isControl = words.some((word) => CONTROL.test(word));
  return !isControl && words.some((word) => LIKELY.test(word)) ? 'likely' : null;
}

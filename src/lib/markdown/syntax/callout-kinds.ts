const flat = <N extends string>(table: Record<N, string>): ReadonlyMap<string, N> =>
  new Map(
    (Object.entries(table) as [N, string][]).flatMap(([value, names]) =>
      names.split(' ').map((name): [string, N] => [name, value]),
    ),
  );

/** Names of callouts in GitHub, Obsidian and themes of generators, by the kind that shows them. */
const KINDS = flat({
  note: 'note default primary quote abstract summary example question tldr',
  info: 'info information blue purple todo help faq cyan grey gray simple light secondary',
  tip: 'tip tips hint success check done green idea',
  important: 'important pink key',
  warning: 'warning warn attention orange yellow',
  caution: 'caution',
  danger: 'danger error failure fail missing bug red fire critical',
});

/** Titles of names that share a kind with others. */
const TITLES = flat({
  摘要: 'abstract summary tldr',
  待办: 'todo',
  完成: 'success check done',
  问题: 'question',
  帮助: 'help',
  常见问题: 'faq',
  失败: 'failure fail',
  缺失: 'missing',
  错误: 'error',
  缺陷: 'bug',
  示例: 'example',
  引用: 'quote cite',
  提示: 'hint',
});

export const isKindName = (name: string): boolean => KINDS.has(name.toLowerCase());

/** Returns the kind that shows a callout; `note` for unknown names. */
export const kindOf = (name = '') => KINDS.get(name.toLowerCase()) ?? 'note';

/** Returns the title of a name that differs from the one of its kind, or ''. */
export const titleOfName = (name: string): string => TITLES.get(name.toLowerCase()) ?? '';

/** Whether a name is the one of a quotation, which stays one. */
export const isQuotation = (name: string): boolean => /^(?:quote|cite)$/i.test(name);

const collator = new Intl.Collator('zh-CN', { numeric: true });

/** Natural order: 99 before 100. */
export const naturally = (a: string, b: string): number =>
  collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

declare const clean: unique symbol;

/**
 * Text that readers see by itself (contract/public-texts.ts), and that moderation has checked. Columns of
 * such texts accept no other string.
 */
export type CleanText = string & { readonly [clean]: true };

/**
 * Marks a text that moderation does not check.
 * @param why `operator`: chosen by a command of the operator; `staff`: by staff; `site`: by the program;
 * `article`: judged with its article; `stored`: copied from a column of such texts; `checked`: for moderation
 */
export const asClean = (
  text: string,
  _why: 'operator' | 'staff' | 'site' | 'article' | 'stored' | 'checked',
): CleanText => text as CleanText;

import { fullName } from '../../contract/rules/full-name.ts';
import { REPORT_KINDS, type ReportKind } from '../../contract/rules/report-reasons.ts';

interface Facts {
  /** Null to leave the author out. */
  author: Parameters<typeof fullName>[0] | null;
  /** Title of the article; '' to leave it out. */
  title: string;
}

/** Names an item by its author and the title of its article. */
export function phraseOf(kind: ReportKind, { author, title }: Facts): string {
  const word = REPORT_KINDS[kind];
  const name = author ? fullName(author) : '';
  if (kind === 'user') return `${word} ${name}`.trimEnd();
  if (kind === 'article') return `${author ? `${name} 的` : ''}${word}${title && `《${title}》`}`;
  if (title === '') return author ? `${name} 的${word}` : word;
  return `${author ? `${name} 在` : ''}《${title}》下的${word}`;
}

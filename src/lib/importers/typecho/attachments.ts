import { PhpError, readStored, valueAt } from './php.ts';
import type { TypechoTables } from './tables.ts';

const PICTURE = /^(?:png|jpe?g|gif|webp|avif|bmp|svg|tiff?|ico)$/i;

/**
 * Counts attachments that are not pictures, and unreadable records. Pictures are imported with the articles
 * that show them.
 */
export function countAttachments(tables: TypechoTables): { others: number; unreadable: number } {
  const count = { others: 0, unreadable: 0 };
  for (const { text } of tables.rows('contents', { columns: ['text'], where: { type: 'attachment' } })) {
    const path = pathIn(text ?? '');
    if (path === null) count.unreadable += 1;
    else if (!PICTURE.test(path.slice(path.lastIndexOf('.') + 1))) count.others += 1;
  }
  return count;
}

function pathIn(stored: string): string | null {
  try {
    const path = valueAt(readStored(stored), 'path');
    return typeof path === 'string' ? path : null;
  } catch (error) {
    if (error instanceof PhpError) return null;
    throw error;
  }
}

import type { JournalEntry } from '../../../src/lib/client/journal/journal-entry.ts';

/** An entry of the journal, as the editor writes it. */
export function entryOf(
  seq: number,
  content: string,
  fields: Partial<JournalEntry['fields']> = {},
): JournalEntry {
  return {
    key: '一',
    user: '李白',
    seq,
    time: seq,
    fields: { title: '子夜吴歌', content, tags: [], secret: false, ...fields },
    isNew: true,
    id: null,
    status: 'new',
    requestId: '',
    isRequested: false,
    seen: null,
    acknowledged: null,
    sent: [],
  };
}

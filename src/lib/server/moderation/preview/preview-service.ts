import type { CallOutput } from '../../../contract/calls/calls.ts';
import type { ListAction, ListedWord } from '../../../contract/rules/moderation.ts';
import { createPauses } from '../../jobs/pauses.ts';
import { createQueue } from '../../jobs/queue.ts';
import { createWordFilter, type FoundWord, type WordFilter } from '../word-filter.ts';
import { readWordFile } from '../word-file.ts';
import * as queries from './preview-queries.ts';
import type { Uses } from '../../services.ts';

export type PreviewService = ReturnType<typeof createPreviewService>;

type Preview = CallOutput<'wordPreview'>;

const MAX_TEXTS = 1_000;
/** UTF-16 units of one text, and of all; the newest texts count first. */
const MAX_UNITS_EACH = 50_000;
const MAX_UNITS = 4_000_000;
const BATCH_SIZE = 25;
const MAX_SAMPLES = 50;
/** Units around a word in a sample. */
const AROUND = 20;
/** Units searched without a pause, and around them, so that exceptions of 50 characters are seen whole. */
const SLICE = 4_096;
const MARGIN = 512;

/** Searches the newest texts for words that are not listed yet; nothing is stored. */
export function createPreviewService({ db, words }: Uses<'words'>) {
  const queue = createQueue({ running: 1, waiting: 4 });

  async function run(entries: readonly ListedWord<ListAction>[]): Promise<Preview> {
    const newest = await queries.listNewest(db.read, MAX_TEXTS);
    const isOnlyExceptions = entries.every(({ action }) => action === 'except');
    const asked = isOnlyExceptions
      ? entries.map((entry) => ({ ...entry, action: 'hold' as const }))
      : entries;
    const filter = createWordFilter([...(await words.exceptions()), ...asked]);
    const pauses = createPauses();
    const textsOf = new Map<string, number>(
      asked.flatMap(({ word, action }) => (action === 'except' ? [] : [[word, 0]])),
    );
    const preview: Preview = { scanned: 0, matched: 0, is_whole: true, words: [], samples: [] };
    let units = 0;
    for (let at = 0; at < newest.length && preview.is_whole; at += BATCH_SIZE) {
      const batch = newest.slice(at, at + BATCH_SIZE);
      const idsOf = (kind: queries.Written['kind']) =>
        batch.filter((each) => each.kind === kind).map(({ id }) => id);
      const texts = new Map([
        ...(await queries.findArticles(db.read, idsOf('article'), MAX_UNITS_EACH)),
        ...(await queries.findComments(db.read, idsOf('comment'))),
      ]);
      for (const { kind, id, is_pending } of batch) {
        const written = texts.get(id);
        if (!written) continue;
        units += written.text.length;
        if (units > MAX_UNITS) {
          preview.is_whole = false;
          break;
        }
        preview.scanned += 1;
        const found = await findInSlices(filter, written.text, pauses);
        const [first] = found;
        if (!first) continue;
        preview.matched += 1;
        for (const word of new Set(found.map((each) => each.word.word)))
          textsOf.set(word, (textsOf.get(word) ?? 0) + 1);
        if (preview.samples.length === MAX_SAMPLES) continue;
        const { article_id, title, text } = written;
        const place = sampleOf(text, first);
        preview.samples.push({ kind, _id: id, article_id, title, is_pending: is_pending === 1, ...place });
      }
    }
    preview.words = [...textsOf].map(([word, texts]) => ({ word, texts }));
    return preview;
  }

  return {
    /**
     * Searches the newest 1,000 public and pending texts, less if they are long, for the words of a list
     * (word-file.ts); for exceptions alone, where they occur. Lines that cannot be listed are left out.
     * Refuses with UNAVAILABLE.
     */
    preview(text: string, defaults: Pick<ListedWord<ListAction>, 'action' | 'category'>): Promise<Preview> {
      const { words: entries } = readWordFile(text, defaults);
      return queue.run(() => run(entries));
    },
  };
}

async function findInSlices(filter: WordFilter, text: string, pauses: ReturnType<typeof createPauses>) {
  const found: FoundWord[] = [];
  for (let at = 0; at < text.length; at += SLICE) {
    const from = Math.max(0, at - MARGIN);
    for (const { word, start, end } of filter.find(text.slice(from, at + SLICE + MARGIN)))
      if (from + start >= at && from + start < at + SLICE)
        found.push({ word, start: from + start, end: from + end });
    if (pauses.isDue()) await pauses.take();
  }
  return found;
}

function sampleOf(text: string, { word, start, end }: FoundWord) {
  const line = (part: string) => part.replaceAll(/\s+/g, ' ').toWellFormed();
  return {
    word: word.word,
    before: line(text.slice(Math.max(0, start - AROUND), start)),
    found: line(text.slice(start, end)),
    after: line(text.slice(end, end + AROUND)),
  };
}

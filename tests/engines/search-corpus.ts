import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from './search-fixture.ts';

// On a developer's machine, real articles are in a folder next to the project; they are not part of it.
const CORPUS = join(import.meta.dirname, '../../../shared/corpus/javaguide/docs');

/** Whether there are real articles to search. */
export const hasCorpus = existsSync(CORPUS);

export function readCorpus(): Sample[] {
  const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return files.sort().map((name) => {
    const source = readFileSync(join(CORPUS, name), 'utf8');
    const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(source) ?? [];
    const text = source.slice(matter === '' ? 0 : matter.length + 9);
    const title = /^title: (.+)$/m.exec(matter)?.[1] ?? name;
    const author = /^author: (.+)$/m.exec(matter)?.[1] ?? 'Guide';
    const tags = [...matter.matchAll(/^  - (?!-)(.+)$/gm)].flatMap(([, tag]) => tag ?? []);
    const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].flatMap(
      ([, heading]) => heading ?? [],
    );
    return { title, tags: [name.split('/')[0] ?? '', ...tags], text, headings, author };
  });
}

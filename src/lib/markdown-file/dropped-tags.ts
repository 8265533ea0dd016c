import { droppedTag, findDropped } from '../markdown/syntax/dropped-tags.ts';
import { inspect } from './inspect.ts';
import { createLines, showLines } from './offsets.ts';

/**
 * Returns Chinese sentences that name the tags of a text that pages do not have.
 * @throws Problem for a text that nests too deeply
 */
export function droppedTags(text: string): string[] {
  if (!/<[a-z]/i.test(text)) return [];
  const lineAt = createLines(text);
  const lines = new Map<string, Set<number>>();
  for (const { name, start } of findDropped(text, inspect(text).html)) {
    const found = lines.get(name) ?? new Set();
    lines.set(name, found.add(lineAt(start) + 1));
  }
  return [...lines].map(([name, found]) => `${droppedTag(name)}（正文${showLines([...found])}）`);
}

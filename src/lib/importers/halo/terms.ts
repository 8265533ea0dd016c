import type { ForeignTag } from '../site/foreign-site.ts';
import type { Extensions } from './extensions.ts';
import { termShape, type HaloPost } from './shapes.ts';

export type Terms = ReturnType<typeof readTerms>;

export function readTerms(extensions: Extensions) {
  const terms = new Map<string, { name: string; description: string }>();
  for (const kind of ['tags', 'categories'] as const) {
    for (const { metadata, spec } of extensions.list(kind, termShape)) {
      const [name, description] = [spec.displayName.trim(), spec.description.trim()];
      if (name !== '') terms.set(`${kind}/${metadata.name}`, { name, description });
    }
  }
  return {
    /** Returns one tag per name; if a tag and a category have the same name, the one with a description. */
    tags(): ForeignTag[] {
      const byName = new Map<string, ForeignTag>();
      for (const term of terms.values()) if (!byName.get(term.name)?.description) byName.set(term.name, term);
      return [...byName.values()];
    },
    namesOf({ tags, categories }: Pick<HaloPost['spec'], 'tags' | 'categories'>): string[] {
      const keys = [...tags.map((name) => `tags/${name}`), ...categories.map((name) => `categories/${name}`)];
      return [...new Set(keys.flatMap((key) => terms.get(key)?.name ?? []))];
    },
  };
}

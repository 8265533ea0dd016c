import type { ForeignTag } from '../site/foreign-site.ts';
import { wordsOf } from '../../markdown/from-html/article.ts';
import { Problem } from '../../markdown-file/problem.ts';
import type { TypechoTables } from './tables.ts';

interface Meta {
  name: string;
  slug: string;
  isCategory: boolean;
  description: string;
  parent: string;
  rank: number;
}

export type Metas = ReturnType<typeof readMetas>;

/** Limit for data in memory, which no blog reaches. */
const MAX_METAS = 100_000;
const MAX_DEPTH = 10;

export function readMetas(tables: TypechoTables) {
  const metas = new Map<string, Meta>();
  for (const { mid, name, slug, type, description, parent } of tables.rows('metas', {
    order: ['order', 'mid'],
  })) {
    if ((type !== 'tag' && type !== 'category') || !name?.trim()) continue;
    const isCategory = type === 'category';
    const words = wordsOf(description ?? '');
    const place = { slug: slug ?? '', parent: parent ?? '0', rank: metas.size };
    metas.set(mid ?? '', { name: wordsOf(name), isCategory, description: words, ...place });
    if (metas.size > MAX_METAS) throw new Problem(`标签和分类多于 ${MAX_METAS} 个，不是博客的数据`);
  }

  function chainOf(meta: Meta): string[] {
    const chain: string[] = [];
    let current: Meta | undefined = meta;
    for (let depth = 0; current && depth < MAX_DEPTH; depth += 1) {
      chain.unshift(current.slug);
      current = metas.get(current.parent);
    }
    return chain;
  }

  return {
    /** Returns one tag per name; if a tag and a category have the same name, the one with a description. */
    tags(): ForeignTag[] {
      const byName = new Map<string, ForeignTag>();
      for (const { name, description } of metas.values())
        if (!byName.get(name)?.description) byName.set(name, { name, description });
      return [...byName.values()];
    },

    of(cid: string): { names: string[]; categories: string[][] } {
      const own = Array.from(tables.rows('relationships', { columns: ['mid'], where: { cid } }));
      const found = own.flatMap(({ mid }) => metas.get(mid ?? '') ?? []).sort((a, b) => a.rank - b.rank);
      const categories = found.filter(({ isCategory }) => isCategory);
      const tags = found.filter(({ isCategory }) => !isCategory);
      return {
        names: [...new Set([...tags, ...categories].map(({ name }) => name))],
        categories: categories.map(chainOf),
      };
    },
  };
}

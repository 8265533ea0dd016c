import type { ForeignSite, Items } from '../../../src/lib/importers/site/foreign-site.ts';

export async function all<T>(stream: Items<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of stream) found.push(each);
  return found;
}

/** A site as files, by name: each article as Markdown below its fields, the rest as JSON. */
export async function filesOf(site: ForeignSite): Promise<[name: string, text: string][]> {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const articles = (await all(site.articles())).map(({ content, ...fields }): [string, string] => [
    `${fields.key}.md`,
    `${json(fields)}\n\n${content}\n`,
  ]);
  const rest = {
    product: site.product,
    identity: site.identity,
    origins: site.origins,
    users: await all(site.users()),
    tags: await all(site.tags()),
    comments: await all(site.comments()),
    losses: site.losses(),
  };
  return [...articles, ['site.json', `${json(rest)}\n`]];
}

import type { ForeignSite } from '../../../../src/lib/importers/site/foreign-site.ts';

/** Everything that a reader returns for a site, as the text of a golden file. Reads twice, as imports do. */
export async function readWhole(site: ForeignSite): Promise<string> {
  const first = await readOnce(site);
  const second = await readOnce(site);
  if (first !== second) throw new Error('a second reading gives something else');
  return first;
}

async function readOnce(site: ForeignSite): Promise<string> {
  const { product, identity, origins } = site;
  const whole = {
    product,
    identity,
    origins,
    users: await Array.fromAsync(site.users()),
    tags: await Array.fromAsync(site.tags()),
    series: await Array.fromAsync(site.series()),
    articles: await Array.fromAsync(site.articles()),
    comments: await Array.fromAsync(site.comments()),
    losses: site.losses(),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

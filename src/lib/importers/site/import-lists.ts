import { BOUNDS } from '../../contract/rules/bounds.ts';
import { fitFields } from '../../markdown-file/fit-fields.ts';
import { personOf } from './import-people.ts';
import { importFriends, namesOf, toNavigation } from './links.ts';
import { importPicture } from './site-relink.ts';
import { fitText, isStopped, note, type SiteRun } from './site-run.ts';

export async function importTags(run: SiteRun): Promise<void> {
  for await (const tag of run.site.tags()) {
    if (isStopped(run)) return;
    const { fields, warnings } = fitFields({ tags: [tag.name] });
    const [name] = fields.tags;
    // A tag needs a creator: the first user, if the source names none.
    const owner = (await personOf(run, tag.creator ?? '')) ?? run.people.values().next().value;
    if (name === undefined || !owner) {
      note(run, `标签 ${tag.name}`, '没有名字或没有用户，没有导入');
      continue;
    }
    for (const warning of warnings) note(run, `标签 ${tag.name}`, warning);
    const description = fitText(tag.description, BOUNDS.description[1]);
    if (description.isCut) note(run, `标签 ${name}`, `描述超过 ${BOUNDS.description[1]} 个字符，已截短`);
    const { id, created, updated } = tag;
    const times = { created, updated };
    const imported = { key: tag.name, id, name, description: description.text, ownerId: owner.id, ...times };
    if (await run.store.addTag(imported)) run.report.tags++;
  }
}

/** Imports navigation entries and friends. */
export async function importLinks(run: SiteRun): Promise<void> {
  const { addresses, pages, report, store, records } = run;
  const idOf = (key: string): string | undefined => records.get(key)?.articleId;
  const { navigation, lost } = toNavigation(run.site.navigation?.() ?? [], { addresses, pages, idOf });
  report.notes.push(...lost);
  const left = await store.addNavigation(navigation);
  report.navigation = navigation.length - left.length;
  if (left.length > 0) note(run, '导航', `本站的导航已经改过，没有加进去：${namesOf(left)}`);
  const logoOf = async (address: string): Promise<string> => {
    const owner = run.people.values().next().value;
    const taken = owner ? await importPicture(run, owner, address) : { problem: '' };
    return 'url' in taken ? taken.url : '';
  };
  const { added, problems } = await importFriends(run.site.friends?.() ?? [], store.addFriends, logoOf);
  report.friends = added;
  for (const problem of problems) note(run, '友链', problem);
}

export async function importSeries(run: SiteRun): Promise<void> {
  for await (const series of run.site.series()) {
    if (isStopped(run)) return;
    const what = `专栏《${series.title}》`;
    const owner = await personOf(run, series.author);
    const title = fitText(fitFields({ title: series.title }).fields.title, BOUNDS.seriesTitle[1]);
    if (!owner || title.text === '') {
      note(run, what, '没有作者或没有名字，没有导入');
      continue;
    }
    const description = fitText(series.description, BOUNDS.seriesDescription[1]);
    if (title.isCut || description.isCut) note(run, what, '名称或介绍过长，已截短');
    const cover = series.cover ? await importPicture(run, owner, series.cover) : { url: '' };
    if ('problem' in cover) note(run, what, `封面没有导入：${series.cover}`);
    const made = await run.store.addSeries({
      key: series.key,
      ownerId: owner.id,
      title: title.text,
      description: description.text,
      cover: 'url' in cover ? cover.url : '',
    });
    if (!made) note(run, what, `一位作者最多 ${BOUNDS.series} 个专栏，没有导入，文章不在专栏里`);
    else {
      run.series.set(series.key, made.id);
      if (made.isNew) run.report.series++;
    }
  }
}

import { text, type Migration } from '../migration.ts';

const tableOf = (name: string, key: string, of: string, type: string) =>
  `create table ${name} (
    ${key} ${type} not null references ${of} on delete cascade,
    picture ${type} not null references files (name) on delete cascade, primary key (${key}, picture)
  )`;

const tablesOf = (type: string) => [
  tableOf('article_pictures', 'article_id', 'articles (id)', type),
  tableOf('revision_pictures', 'article_id', 'article_revisions (article_id)', type),
  tableOf('version_pictures', 'version_id', 'article_versions (id)', type),
];

const both = [
  `create index article_pictures_picture on article_pictures (picture)`,
  `create index revision_pictures_picture on revision_pictures (picture)`,
  `create index version_pictures_picture on version_pictures (picture)`,
  `create index files_pictures on files (owner_id, create_time desc, name desc) where kind = 'image'`,
];

const waiting = `insert into picture_scans values ('articles', ''), ('revisions', ''), ('versions', '')`;

/**
 * Pictures of its author that an article, its unpublished revision and its earlier texts show. Existing texts
 * are scanned at the next start; `picture_scans` records what is left.
 */
export const pictureUses: Migration = {
  number: 16,
  sqlite: [
    ...tablesOf('text').map((statement) => `${statement} strict, without rowid`),
    `create table picture_scans (source text primary key, cursor text not null) strict`,
    waiting,
    ...both,
  ],
  postgres: [
    ...tablesOf(text),
    `create table picture_scans (source ${text} constraint picture_scans_source primary key, cursor ${text} not null)`,
    waiting,
    ...both,
  ],
};

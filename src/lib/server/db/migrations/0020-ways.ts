import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table related_terms (
    article_id ${string} not null references articles (id) on delete cascade, term ${string} not null,
    weight ${integer} not null, primary key (article_id, term)
  )`,
  `create table related_articles (
    article_id ${string} not null references articles (id) on delete cascade,
    related_id ${string} not null references articles (id) on delete cascade,
    score ${integer} not null, primary key (article_id, related_id)
  )`,
  `create table month_reads (
    month ${integer} not null, article_id ${string} not null references articles (id) on delete cascade,
    reads ${integer} not null, primary key (month, article_id)
  )`,
  `create table site_picks (
    kind ${string} not null, article_id ${string} not null references articles (id) on delete cascade,
    place ${integer} not null, month ${integer} not null, primary key (kind, article_id)
  )`,
  `create table related_topics (
    article_id ${string} not null references articles (id) on delete cascade, made_of ${integer} not null,
    version ${integer} not null, is_listed ${integer} not null default 0, primary key (article_id)
  )`,
];

const both = [
  `create index related_terms_heaviest on related_terms (term, weight desc, article_id desc)`,
  `create index related_articles_related on related_articles (related_id)`,
  `create index related_topics_unlisted on related_topics (article_id) where is_listed = 0`,
  `create index month_reads_most on month_reads (month, reads desc, article_id desc)`,
  `create index month_reads_article on month_reads (article_id)`,
  `create index site_picks_article on site_picks (article_id)`,
];

export const ways: Migration = {
  number: 20,
  sqlite: [...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`), ...both],
  postgres: [...tablesOf(text, 'bigint'), ...both],
};

import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table invitations (
    id ${string} not null, code ${string} not null, note ${string} not null, most_uses ${integer} not null,
    uses ${integer} not null, end_time ${integer} not null, creator_id ${string}, create_time ${integer} not null,
    primary key (id)
  )`,
  `create table invitation_uses (
    user_id ${string} not null references users (id) on delete cascade,
    invitation_id ${string} not null references invitations (id), create_time ${integer} not null,
    primary key (user_id)
  )`,
];

const both = [
  `create unique index invitations_code_key on invitations (code)`,
  `create index invitation_uses_invitation on invitation_uses (invitation_id)`,
];

export const invitations: Migration = {
  number: 26,
  sqlite: [...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`), ...both],
  postgres: [...tablesOf(text, 'bigint'), ...both],
};

import { solve } from '../proof.ts';
import type { Author, WriterStage } from './writer-stage.ts';
import { ARTICLE, draftOf, inFields, type Row } from './writer-fields.ts';

const HOUR_S = 3600;

/** Every call that declares public texts in `writes`, and how it writes each of them. */
export const CALL_ROWS: Readonly<Record<string, Row>> = {
  signup: {
    alone: {
      'user.username': (text, _, { server }) => signUp({ username: `客${text}` }, server),
      'user.bio': (text, _, { server }) => signUp({ bio: `我${text}` }, server),
    },
  },
  updateBio: { alone: { 'user.bio': (text, by) => by.call('updateBio', { bio: `我${text}` }) } },
  usernameChange: {
    alone: {
      'user.username': (text, by) =>
        by.call('usernameChange', { username: `改${text}`, password: '松风吹解带，山月照弹琴' }),
    },
  },
  profileChange: {
    alone: {
      'user.display_name': (text, by) => by.call('profileChange', { ...PROFILE, display_name: `名${text}` }),
      'user.website': (text, by) =>
        by.call('profileChange', { ...PROFILE, website: `https://example.com/${text}` }),
      'user.profile_links': (text, by) =>
        by.call('profileChange', { ...PROFILE, profile_links: `https://example.com/${text}` }),
    },
  },
  tagCreate: {
    alone: {
      'tag.name': (text, by) => by.call('tagCreate', { name: text, description: '' }),
      'tag.description': (text, by) =>
        by.call('tagCreate', { name: `标签${by.username}`, description: `说${text}` }),
    },
  },
  seriesCreate: {
    alone: {
      'series.title': (text, by) => by.call('seriesCreate', { title: `集${text}` }),
      'series.description': (text, by) => by.call('seriesCreate', { title: '集', description: `说${text}` }),
    },
  },
  seriesEdit: {
    alone: {
      'series.title': async (text, by) => by.call('seriesEdit', { ...(await seriesOf(by)), title: text }),
      'series.description': async (text, by) =>
        by.call('seriesEdit', { ...(await seriesOf(by)), description: text }),
    },
  },
  friendApply: {
    alone: {
      'friend.name': (text, by, stage) => applyAs({ name: `友${text}` }, by, stage),
      'friend.url': (text, by, stage) => applyAs({ url: `https://友.example/${text}` }, by, stage),
      'friend.description': (text, by, stage) => applyAs({ description: `说${text}` }, by, stage),
    },
  },
  articleCreate: {
    publishes: inFields(
      async (fields, { author }) => (await author.call('articleCreate', { ...fields, status: 'normal' })).id,
    ),
  },
  articleEdit: {
    publishes: inFields(async (fields, stage) => {
      const id = await draftOf(ARTICLE, stage);
      await stage.author.call('articleEdit', { ...fields, id, status: 'normal' });
      return id;
    }),
    changes: inFields(async (fields, stage) => {
      const id = await stage.publishFreely();
      await stage.author.call('articleEdit', { ...fields, id, status: 'normal' });
      return id;
    }),
  },
  articleSettings: {
    publishes: inFields(async (fields, stage) => {
      const id = await draftOf(fields, stage);
      return settle(stage, id, { status: 'normal' });
    }),
    changes: {
      'article.tags': async (text, stage) => ({
        id: await settle(stage, await stage.publishFreely(), { tags_add: [text] }),
      }),
      'article of a secret one': async (text, stage) => {
        const id = await stage.publishFreely({ content: `私密地说${text}`, secret: true });
        return { id: await settle(stage, id, { secret: false }) };
      },
    },
  },
  scheduleSet: {
    publishes: inFields(async (fields, stage) => {
      const { author, server } = stage;
      const id = await draftOf(fields, stage);
      const publish_time = new Date(Date.now() + 2 * HOUR_S * 1000).toISOString();
      await author.call('scheduleSet', { id, publish_time });
      server.pass(3 * HOUR_S);
      await server.app.services.schedules.publishDue();
      server.pass(-3 * HOUR_S);
      return id;
    }),
  },
  trashRestore: {
    publishes: inFields(async (fields, { author }) => {
      const { id } = await author.call('articleCreate', { ...fields, status: 'normal' });
      await author.call('articleDelete', { id });
      await author.call('trashRestore', { id });
      return id;
    }),
  },
  commentCreate: {
    publishes: {
      'comment.content': async (text, stage) => {
        const page_id = await stage.publishFreely();
        return { id: (await stage.author.call('commentCreate', { page_id, content: `说${text}` }))._id };
      },
    },
  },
  commentEdit: {
    changes: {
      'comment.content': async (text, stage) => {
        const id = await stage.commentFreely();
        await stage.author.call('commentEdit', { id, content: `改成${text}` });
        return { id };
      },
    },
  },
  pictureReplace: {
    changes: {
      'article.content': async (_, stage) => {
        const [name, by] = [await stage.author.upload(20), await stage.author.upload(30)];
        const id = await stage.publishFreely({ content: `看图 ![](/api/file/${name})` });
        await stage.author.call('pictureReplace', { name, by });
        return { id, seen: by };
      },
    },
  },
  operatorSetup: 'tests/engines/staff.test.ts: its link belongs to a site without an operator',
};

const PROFILE = { display_name: '', website: '', profile_links: '' };
let people = 0;
const signUp = (fields: object, server: WriterStage['server']) =>
  server
    .json('/api/signup', {
      username: `新人${++people}`,
      password: '松风吹解带，山月照弹琴',
      repassword: '松风吹解带，山月照弹琴',
      ...fields,
    })
    .then((answer) => {
      if (answer.code !== 'OK') throw new Error(`refused: ${answer.text}`);
    });
const applyAs = async (fields: object, by: Author, { server }: WriterStage) =>
  by.call('friendApply', {
    name: '友',
    url: `https://${++people}.example/`,
    ...fields,
    check: await solve(await server.app.services.humans.ask()),
  });
const seriesOf = async (by: Author) => ({
  id: (await by.call('seriesCreate', { title: '旧集' }))._id as string,
  title: '旧集',
  description: '',
});

/** Changes the settings of one article; throws when it is refused. */
async function settle({ author }: WriterStage, id: string, change: object): Promise<string> {
  const { results } = await author.call('articleSettings', { ids: [id], ...change });
  if (results[0].outcome === 'refused') throw new Error(`refused: ${results[0].problem}`);
  return id;
}

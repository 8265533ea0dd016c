import { ARTICLE, draftOf, inFields, ofNothing, only, type Row } from './writer-fields.ts';

const POST = (fields: Record<string, unknown>) => ({
  title: fields['title'],
  description: fields['content'],
  categories: fields['tags'],
  mt_excerpt: fields['description'] ?? '',
});
const POST_FIELDS = ['article.title', 'article.content', 'article.tags', 'article.description'];

export const RPC_ROWS: Readonly<Record<string, Row>> = {
  'metaWeblog.newPost': {
    publishes: only(
      inFields((fields, { author }) =>
        author.editor.act('metaWeblog.newPost', '1', POST(fields as Record<string, unknown>), true),
      ),
      ...POST_FIELDS,
    ),
  },
  'metaWeblog.editPost': {
    changes: only(
      inFields(async (fields, { author, publishFreely }) => {
        const id = await publishFreely();
        await author.editor.act('metaWeblog.editPost', id, POST(fields as Record<string, unknown>), true);
        return id;
      }),
      ...POST_FIELDS,
    ),
  },
  'mt.setPostCategories': {
    changes: {
      'article.tags': async (text, { author, publishFreely }) => {
        const id = await publishFreely();
        const categories = [{ categoryId: '诗' }, { categoryId: text }];
        await author.editor.act('mt.setPostCategories', id, categories);
        return { id };
      },
    },
  },
  'mt.publishPost': {
    publishes: inFields(async (fields, stage) => {
      const id = await draftOf(fields, stage);
      await stage.author.editor.act('mt.publishPost', id);
      return id;
    }),
  },
  'metaWeblog.newMediaObject': 'pictures, which have no text',
  ...ofNothing('only removes', ['blogger.deletePost', 'metaWeblog.deletePost']),
  ...ofNothing('only reads', [
    'blogger.getUsersBlogs',
    'metaWeblog.getUsersBlogs',
    'metaWeblog.getPost',
    'metaWeblog.getRecentPosts',
    'metaWeblog.getCategories',
    'mt.getRecentPostTitles',
    'mt.getCategoryList',
    'mt.getPostCategories',
    'mt.supportedMethods',
    'mt.supportedTextFilters',
    'system.listMethods',
  ]),
};

const TOOL_FIELDS = ['title', 'content', 'tags', 'description'].map((name) => `article.${name}`);
const draftFields = (fields: Record<string, unknown>) => ({ ...fields, type: undefined });

export const TOOL_ROWS: Readonly<Record<string, Row>> = {
  create_draft: 'readers see no draft',
  update_draft: 'readers see no draft and no revision',
  publish_article: {
    publishes: only(
      inFields(async (fields, { author }) => {
        const draft = draftFields(fields as Record<string, unknown>);
        const { id } = await author.assistant.succeed('create_draft', draft);
        await author.assistant.succeed('publish_article', { id });
        return id;
      }),
      ...TOOL_FIELDS,
    ),
    changes: only(
      inFields(async (fields, { author, publishFreely }) => {
        const id = await publishFreely();
        const draft = draftFields(fields as Record<string, unknown>);
        await author.assistant.succeed('update_draft', { id, ...draft });
        await author.assistant.succeed('publish_article', { id });
        return id;
      }),
      ...TOOL_FIELDS,
    ),
  },
  answer_comment: {
    publishes: {
      'comment.content': async (text, stage) => {
        const comment_id = await stage.commentFreely();
        const { author, server } = stage;
        const [row] = await server.rows(`select article_id from comments where id = '${comment_id}'`);
        const input = { article_id: row?.['article_id'], comment_id, to: author.username };
        return {
          id: (await author.assistant.succeed('answer_comment', { ...input, content: `答${text}` }))
            .comment_id,
        };
      },
    },
  },
  ...ofNothing('only reads', ['search_articles', 'read_article', 'list_own_articles', 'list_comments']),
};

let files = 0;
const fileOf = (fields: Record<string, unknown>): string => {
  const { content, type: _, description: summary = '', ...front } = fields;
  return `---\n${JSON.stringify({ ...front, ...(summary === '' ? {} : { summary }) })}\n---\n\n${String(content)}\n`;
};
const FILE_FIELDS = ['title', 'content', 'tags', 'description', 'source'].map((name) => `article.${name}`);

export const FILE_ROWS: Readonly<Record<string, Row>> = {
  syncedFilePut: {
    alone: {
      'series.title': async (text, by) => {
        const { notes } = await by.put(
          `集/${++files}.md`,
          fileOf({ ...ARTICLE, content: `第 ${files} 篇`, series: `集${text}` }),
        );
        // The article is saved without its series.
        if (notes.length > 0) throw new Error(notes.join());
      },
    },
    publishes: only(
      inFields(
        async (fields, { author }) =>
          (await author.put(`文/${++files}.md`, fileOf(fields as Record<string, unknown>))).id,
      ),
      ...FILE_FIELDS,
    ),
    changes: only(
      inFields(async (fields, stage) => {
        const path = `文/${++files}.md`;
        const id = await stage.freely(async () => (await stage.author.put(path, fileOf(ARTICLE))).id);
        await stage.author.put(path, fileOf(fields as Record<string, unknown>));
        return id;
      }),
      ...FILE_FIELDS,
    ),
  },
  syncedFileDelete: 'only removes',
  syncedPicturePut: 'pictures, which have no text',
  unsubscribe: 'an account’s own business',
  oauthSignup: 'tests/api/sso-rules.test.ts: an answer of a provider comes first',
};
